import EventLoop
import Foundation
import LibraryModel
import TestKit
import Testing

@testable import LibraryService

/// Tests changes in the folders of a running library, with real events of inotify.
@Suite struct FolderWatchTests {
  private func bench(_ folders: Int = 4096) throws -> ServiceBench {
    let bench = try ServiceBench(
      watch: WatchOptions(
        quiet: .milliseconds(100), maximumDelay: .seconds(2), maximumFolders: folders))
    try bench.add("a/x/0.flac", "TITLE=First")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    return bench
  }

  private func wait(_ bench: ServiceBench, _ titles: [String]) throws {
    try bench.loop.turn(until: { (try? bench.titles(.songs)) == titles })
  }

  @Test func filesThatComeAndGo_areFound() throws {
    let bench = try bench()
    try bench.add("a/x/1.flac", "TITLE=Second")
    try wait(bench, ["First", "Second"])
    try FileManager.default.removeItem(atPath: bench.folder.path("a/x/0.flac"))
    try wait(bench, ["Second"])
  }

  @Test func newAndRenamedFolders_areFoundAndWatched() throws {
    let bench = try bench()
    // The new files exist before their folders are watched.
    try bench.add("a/new/deep/1.flac", "TITLE=Second")
    try wait(bench, ["First", "Second"])
    #expect(bench.service.watches.count == 4)
    try FileManager.default.moveItem(
      atPath: bench.folder.path("a/new"), toPath: bench.folder.path("a/moved"))
    try bench.loop.turn(until: {
      (try? bench.service.entries(
        ofFile: Array("moved/deep/1.flac".utf8), on: "id a"))?.isEmpty == false
    })
    try bench.add("a/moved/deep/2.flac", "TITLE=Third")
    try wait(bench, ["First", "Second", "Third"])
    #expect(bench.service.watches.count == 4)
  }

  @Test func aFileThatIsWrittenSlowly_isReadWhenItIsClosed() throws {
    let bench = try bench()
    try bench.add("b/0.flac", "TITLE=Other")
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    // The title is in the database before the first scan of `b` has ended. So wait for the end of this scan too.
    try wait(bench, ["First", "Other"])
    try bench.wait(for: "b")
    let bytes = bench.template.file(["TITLE=Slow"], sound: 77)
    let path = bench.folder.path("a/x/1.flac")
    let file = open(path, O_WRONLY | O_CREAT, 0o644)
    #expect(write(file, bytes, 20) == 20)
    // The kernel delivers events in order. So when `b` is scanned, the events of the unfinished file in `a` have
    // already arrived, and have caused no scan.
    let scans = bench.service.exchange.findings.scans
    try bench.add("b/1.flac", "TITLE=Quick")
    try wait(bench, ["First", "Other", "Quick"])
    // The title is in the database before the scan has ended. So wait for the end of the scan too.
    try bench.loop.turn(until: { bench.service.exchange.findings.scans > scans })
    #expect(bench.service.exchange.findings.scans == scans + 1)
    // A scan for another reason finds the unfinished file.
    bench.service.rescan("id a")
    try bench.loop.turn(until: { bench.service.exchange.findings.scans == scans + 2 })
    #expect(write(file, Array(bytes[20...]), bytes.count - 20) == bytes.count - 20)
    close(file)
    try wait(bench, ["First", "Other", "Quick", "Slow"])
  }

  @Test func manyFiles_causeFewScans() throws {
    let bench = try bench()
    let scans = bench.service.exchange.findings.scans
    try bench.addSongs(500, in: "a/many", album: "Many")
    try bench.loop.turn(until: {
      bench.service.report.volumes.map(\.songs) == [501] && bench.condition("a") == .ready
    })
    #expect((1...3).contains(bench.service.exchange.findings.scans - scans))
  }

  /// If the queue of inotify events is full, the kernel drops further events.
  @Test func moreChangesThanTheKernelKeeps_leadToAScanOfAllVolumes() throws {
    let bench = try bench()
    try bench.add("b/0.flac", "TITLE=Other")
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    try wait(bench, ["First", "Other"])
    try bench.wait(for: "b")
    let kept = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    // Each new file causes at least two events. The event loop does not run here, so it reads no event.
    for _ in 0...(Int(kept.dropLast()) ?? 16384) / 2 {
      let path = bench.folder.path("a/x/noise")
      close(open(path, O_WRONLY | O_CREAT, 0o644))
      unlink(path)
    }
    try bench.add("b/1.flac", "TITLE=Dropped")
    try wait(bench, ["Dropped", "First", "Other"])
  }

  @Test func tooManyFolders_theDeepestAreNotWatched() throws {
    let bench = try bench(3)
    try bench.add("a/x/deep/1.flac", "TITLE=Second")
    try wait(bench, ["First", "Second"])
    #expect(bench.messages.isEmpty)
    try bench.add("a/y/2.flac", "TITLE=Third")
    try wait(bench, ["First", "Second", "Third"])
    try bench.loop.turn(until: { bench.messages.count == 1 })
    #expect(bench.service.watches.count == 3)
    try bench.add("a/y/3.flac", "TITLE=Fourth")
    try wait(bench, ["First", "Fourth", "Second", "Third"])
    #expect(bench.messages.count == 1)
    bench.service.setVolumes([])
    #expect(bench.service.watches.count == 0)
  }

  @Test func aReadOnlyFileSystem_isRecognisedInAWritableMount() {
    let mounts: [Substring] = [
      "30 1 8:1 / /media/a ro,nosuid - vfat /dev/sda1 ro,utf8",
      "31 1 8:2 / /data ro,nosuid shared:1 - ext4 /dev/sda2 rw,discard",
    ]
    #expect(MountState.isReadOnly(mount: "30", mounts))
    #expect(!MountState.isReadOnly(mount: "31", mounts))
    #expect(!MountState.isReadOnly(mount: "3", mounts))
    #expect(MountState.isReadOnly(Array("/proc/self".utf8)) == false)
  }
}
