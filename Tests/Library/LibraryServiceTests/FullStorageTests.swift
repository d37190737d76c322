import Foundation
import LibraryModel
import TestKit
import Testing

@testable import LibraryService

/// Tests a library whose storage becomes full or read-only while the library is used.
@Suite struct FullStorageTests {
  /// Mounts a disk of 16 MiB with ext4.
  private static func mountDisk(_ folder: TemporaryFolder, on path: String) throws {
    try folder.write("disk", [UInt8](repeating: 0, count: 16 << 20))
    try Tools.run("mkfs.ext4", ["-q", "disk"], in: folder.url)
    try Tools.run(
      "mount", ["-o", "loop,errors=remount-ro", folder.path("disk"), path], in: folder.url)
  }

  private static let mayMountDisks: Bool = {
    guard MemoryFileSystem.obstacle == nil, let folder = try? TemporaryFolder(),
      (try? FileManager.default.createDirectory(
        atPath: folder.path("point"), withIntermediateDirectories: true)) != nil,
      (try? mountDisk(folder, on: folder.path("point"))) != nil
    else { return false }
    return (try? Tools.run("umount", [folder.path("point")])) != nil
  }()

  /// Expects exactly the two messages of a library that continues in memory.
  private func expectMove(_ bench: ServiceBench, _ cause: String = "database or disk is full") {
    #expect(bench.messages.count == 2, "\(bench.messages)")
    #expect(
      bench.messages.first?.hasSuffix("/library: the library cannot be written: \(cause)") == true)
    #expect(bench.messages.last == "the library is in memory until the next start")
    #expect(bench.service.report.isInMemory)
  }

  @Test(.enabled(if: MemoryFileSystem.obstacle == nil, "needs the right to mount a tmpfs"))
  func aFullFileSystem_movesTheLibraryToMemory_once() throws {
    var storage: MemoryFileSystem?
    let bench = try ServiceBench { folder in
      storage = try MemoryFileSystem(at: folder.path("library"), size: "2m")
    }
    defer { storage?.end() }
    try bench.addSongs(3, in: "a", album: "Moon Safari")
    try bench.addSongs(2, in: "b", album: "Talkie Walkie")
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    try bench.wait(for: "a")
    try bench.wait(for: "b")
    // Another program fills the rest of the storage.
    #expect(throws: (any Error).self) {
      try bench.folder.write("library/other", [UInt8](repeating: 1, count: 2 << 20))
    }
    #expect(bench.messages.isEmpty)
    try bench.addSongs(200, in: "a/new", album: "Pocket Symphony")
    bench.service.rescan("id a")
    // The database in memory contains all volumes, and not only the volume whose scan has failed.
    try bench.loop.turn(until: {
      let volumes = bench.service.report.volumes.sorted { $0.identity < $1.identity }
      return volumes.map(\.songs) == [203, 2] && volumes.allSatisfy { $0.condition == .ready }
    })
    #expect(try bench.titles(.albums) == ["Moon Safari", "Pocket Symphony", "Talkie Walkie"])
    expectMove(bench)
    // The library in memory can be written, and the messages are not repeated.
    try bench.add("b/3.flac", "TITLE=Later", "ALBUM=Later", "ARTIST=Air")
    bench.service.rescan("")
    try bench.loop.turn(until: { (try? bench.titles(.albums).count) == 4 })
    expectMove(bench)
    // The next start uses the database in the storage again.
    try FileManager.default.removeItem(atPath: bench.folder.path("library/other"))
    bench.messages = []
    try bench.restart()
    try bench.loop.turn(until: {
      (try? Set(bench.titles(.albums)))?.isSuperset(of: ["Moon Safari", "Talkie Walkie"]) == true
    })
    #expect(bench.messages.isEmpty)
  }

  @Test(.enabled(if: mayMountDisks, "needs the right to mount disks"))
  func aFileSystemThatBecomesReadOnly_movesTheLibraryToMemory() throws {
    let bench = try ServiceBench { folder in
      try Self.mountDisk(folder, on: folder.path("library"))
    }
    defer { _ = try? Tools.run("umount", ["-l", bench.folder.path("library")]) }
    try bench.addSongs(3, in: "a", album: "Moon Safari")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    // Makes the file system read-only, as the kernel does after an error of the disk.
    try Tools.run(
      "mount", ["-o", "remount,abort", bench.folder.path("library")], in: bench.folder.url)
    // A scan without changes writes nothing, so it causes no message.
    let scans = bench.service.exchange.findings.scans
    bench.service.rescan("")
    try bench.loop.turn(until: { bench.service.exchange.findings.scans > scans })
    #expect(bench.messages.isEmpty)
    try bench.addSongs(2, in: "a/new", album: "Pocket Symphony")
    bench.service.rescan("")
    try bench.loop.turn(until: { bench.service.report.volumes.map(\.songs) == [5] })
    try bench.wait(for: "a")
    #expect(try bench.titles(.albums) == ["Moon Safari", "Pocket Symphony"])
    expectMove(bench, "disk I/O error")
  }

  @Test func aDatabaseWithoutRoom_movesTheLibraryToMemory() throws {
    let bench = try ServiceBench(limits: LibraryLimits(databaseBytes: 300 << 10))
    try bench.addSongs(3, in: "a", album: "Moon Safari")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    #expect(bench.messages.isEmpty)
    for number in 0..<300 {
      try bench.add(
        "a/\(number)/0.flac", "TITLE=Song \(number)", "ALBUM=Album \(number)",
        "ARTIST=Artist \(number)")
    }
    bench.service.rescan("")
    try bench.loop.turn(until: { bench.service.report.volumes.first?.songs == 303 })
    try bench.wait(for: "a")
    expectMove(bench)
  }
}
