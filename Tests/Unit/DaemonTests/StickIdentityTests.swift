import Foundation
import Reports
import TestKit
import Testing
import UnitState

/// The real daemon follows a stick to another mount point, with real mounts.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "needs the right to mount"), .timeLimit(.minutes(10)))
struct StickIdentityTests {
  private let place: ServeProcess.Place

  init() throws {
    place = try ServeProcess.Place()
    try FileManager.default.createDirectory(
      atPath: place.folder.path("sticks"), withIntermediateDirectories: true)
  }

  private func point(_ name: String) -> String { place.folder.path("music/\(name)") }

  /// Mounts a file system in memory with one track. Its identity is in the report, as in the image.
  private func plug(_ name: String, identity: String, seconds: Int) throws {
    try place.folder.write("sticks/\(name)", Array("identity \(identity)\n".utf8))
    try FileManager.default.createDirectory(atPath: point(name), withIntermediateDirectories: true)
    // The track is written before the mount is seen, so that the search finds it.
    let track = place.folder.path("music-of-\(name)")
    try FileManager.default.createDirectory(atPath: track, withIntermediateDirectories: true)
    try Tools.run("mount", ["-t", "tmpfs", "-o", "size=8m", "none", track], in: place.folder.url)
    try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * seconds).flac(
      place.folder, "music-of-\(name)/song.flac", ["--tag=TITLE=\(name)"])
    try Tools.run("mount", ["--move", track, point(name)], in: place.folder.url)
  }

  private func unplug(_ name: String) throws {
    try Tools.run("umount", ["-l", point(name)], in: place.folder.url)
    try FileManager.default.removeItem(atPath: place.folder.path("sticks/\(name)"))
  }

  private func start() throws -> ServeProcess {
    try ServeProcess(place, environment: ["AUTOHARP_STICKS": place.folder.path("sticks")])
  }

  @Test func savedPosition_isFoundOnTheSameStickUnderAnotherName() throws {
    try plug("sda1", identity: "vfat AAAA-0001 1000", seconds: 60)
    let saved = SavedUnitState(place)
    let daemon = try start()
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    _ = try ConsoleProcess(place.socket, ["seek", "20"])
    _ = try ConsoleProcess(place.socket, ["play"])
    #expect(try saved.waits { $0.file?.stick?.identity == "vfat AAAA-0001 1000" && $0.wasPlaying })
    #expect(daemon.end() == 0)
    try unplug("sda1")
    // Another stick has the same path. Then the first stick comes under another name.
    try plug("sda1", identity: "vfat BBBB-0002 1000", seconds: 60)
    let second = try start()
    #expect(second.waits(for: .musicFound, "1 files") != nil)
    #expect(!second.logged(.musicResumed))
    try plug("sdb1", identity: "vfat AAAA-0001 1000", seconds: 60)
    #expect(second.waits(for: .musicResumed, point("sdb1")) != nil)
    #expect(second.end() == 0)
    try unplug("sda1")
    try unplug("sdb1")
  }
}
