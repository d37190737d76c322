import EventLoop
import Foundation
import LibraryDatabase
import LibraryExchange
import LibraryModel
import NameKeys
import SQLite
import TestKit
import Testing

@testable import LibraryService

/// A running library with real files and a real database.
final class ServiceBench {
  let folder: TemporaryFolder
  let template: TaggedFLAC
  let loop = EventLoop()
  var service: LibraryService
  var reports: [LibraryReport] = []
  var messages: [String] = []
  let covers: CoverOptions
  let watch: WatchOptions
  let limits: LibraryLimits
  private var sound: UInt32 = 0

  init(
    database: String = "library", covers: CoverOptions = CoverOptions(),
    watch: WatchOptions = WatchOptions(), limits: LibraryLimits = LibraryLimits(),
    prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) throws {
    self.covers = covers
    self.watch = watch
    self.limits = limits
    folder = try TemporaryFolder()
    template = try TaggedFLAC(folder)
    for name in ["library", "runtime"] { try folder.makeFolder(name) }
    try prepare(folder)
    service = try Self.service(loop, folder, database, covers, watch, limits)
    follow()
  }

  static let articles = Articles(languages: ["en"])

  private static func service(
    _ loop: EventLoop, _ folder: TemporaryFolder, _ database: String, _ covers: CoverOptions,
    _ watch: WatchOptions, _ limits: LibraryLimits
  ) throws -> LibraryService {
    try LibraryService(
      loop,
      LibraryFolders(database: folder.path(database), runtime: folder.path("runtime")),
      articles: articles, covers: covers, watch: watch, limits: limits)
  }

  private func follow() {
    service.onReport = { [unowned self] in reports.append($0) }
    service.onMessage = { [unowned self] in messages.append($0) }
  }

  func restart() throws {
    service.shutDown()
    service = try Self.service(loop, folder, "library", covers, watch, limits)
    follow()
  }

  /// Adds a song with a picture. The song is the only song of its album.
  func addCover(_ name: String, album: String, picture: Int) throws {
    sound += 1
    let parent = (folder.path(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    let png = GeneratedPNG(170, 170) { _, y in [UInt8(picture), UInt8(y), 0, 255] }
    try folder.write(
      name,
      template.file(
        ["TITLE=\(album)", "ALBUM=\(album)", "ARTIST=Air"], sound: sound, picture: png.bytes))
  }

  func add(_ name: String, _ tags: String...) throws {
    sound += 1
    let parent = (folder.path(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try folder.write(name, template.file(tags, sound: sound))
  }

  func addSongs(_ count: Int, in name: String, album: String) throws {
    for number in 0..<count {
      try add(
        "\(name)/\(number).flac", "TITLE=\(album) \(number)", "ALBUM=\(album)", "ARTIST=Air")
    }
  }

  func volume(_ name: String, mount: String = "1") -> LibraryVolume {
    LibraryVolume(
      identity: "id \(name)", label: name, path: Array(folder.path(name).utf8), mount: mount)
  }

  func condition(_ name: String) -> VolumeReport.Condition? {
    service.report.volumes.first { $0.identity == "id \(name)" }?.condition
  }

  func wait(for name: String, _ condition: VolumeReport.Condition = .ready) throws {
    try loop.turn(until: { self.condition(name) == condition })
  }

  func titles(_ node: LibraryNode) throws -> [String] {
    try service.rows(RowsRequest(node, limit: 100)).rows.map(\.title)
  }
}

extension TemporaryFolder {
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }
}

@Suite struct LibraryServiceTests {
  @Test func volumesAreScanned_andQuestionsAreAnswered() throws {
    let bench = try ServiceBench()
    try bench.addSongs(3, in: "a", album: "Moon Safari")
    try bench.addSongs(2, in: "b", album: "Talkie Walkie")
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    try bench.wait(for: "a")
    try bench.wait(for: "b")
    #expect(try bench.titles(.albums) == ["Moon Safari", "Talkie Walkie"])
    #expect(bench.service.report.volumes.map(\.songs).sorted() == [2, 3])
    let found = try bench.service.find(SearchRequest("666", isByKeys: true))
    #expect(found.rows.first?.title == "Moon Safari")
    let songs = try bench.service.find(SearchRequest("moon", kind: .song, limit: 2))
    #expect(songs.rows.count == 2 && songs.more == [.song])
    #expect(throws: LibraryFailure.noQuery) { try bench.service.find(SearchRequest("!")) }
    #expect(try bench.service.letters(of: .albums, under: nil).map(\.heading) == ["M", "T"])
  }

  @Test func aVolumeThatIsGone_keepsItsRowsAsAbsent_andIsWholeAtItsReturn() throws {
    let bench = try ServiceBench()
    try bench.addSongs(2, in: "a", album: "Moon Safari")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    bench.service.setVolumes([])
    try bench.wait(for: "a", .absent)
    #expect(try bench.service.rows(RowsRequest(.albums)).rows.map(\.isAbsent) == [true])
    try FileManager.default.moveItem(
      atPath: bench.folder.path("a"), toPath: bench.folder.path("other"))
    var moved = bench.volume("other")
    moved.identity = "id a"
    bench.service.setVolumes([moved])
    try bench.wait(for: "a")
    #expect(try bench.service.rows(RowsRequest(.albums)).rows.map(\.isAbsent) == [false])
    #expect(try bench.titles(.songs).count == 2)
  }

  @Test(.enabled(if: SilentFileSystem.obstacle == nil, "needs the right to mount"))
  func aMediumThatDoesNotAnswer_isUnreadable_untilItAnswers() throws {
    let bench = try ServiceBench(limits: LibraryLimits(silence: .milliseconds(400)))
    try bench.addSongs(2, in: "a", album: "Moon Safari")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    try bench.addSongs(1, in: "b", album: "Talkie Walkie")
    // To create the path of a folder, Foundation accesses it. After the mount this would block, so create the volumes
    // now.
    let volumes = [bench.volume("a"), bench.volume("b")]
    let medium = try SilentFileSystem(at: bench.folder.path("b"))
    defer { medium.end() }
    bench.service.setVolumes(volumes)
    try bench.wait(for: "b", .unreadable)
    // While `b` does not answer, the library answers queries.
    #expect(bench.condition("a") == .ready)
    #expect(try bench.titles(.albums) == ["Moon Safari"])
    // After the unmount, the folder itself can be read.
    medium.end()
    bench.service.rescan("id b")
    try bench.wait(for: "b")
    #expect(try bench.titles(.albums) == ["Moon Safari", "Talkie Walkie"])
  }

  /// The scan ends with a checkpoint, which waits one second for the reading connection `other`. This simulates the end
  /// of a large scan on a slow board, which takes even longer.
  @Test func aScanThatWorksLongOnTheDatabase_isNotUnreadable() throws {
    let bench = try ServiceBench(limits: LibraryLimits(silence: .milliseconds(500)))
    try bench.addSongs(2, in: "a", album: "Moon Safari")
    try bench.loop.turn(until: { bench.service.exchange.findings.generation > 0 })
    let other = try LibraryFile.reader(in: bench.folder.path("library"))
    try other.execute("BEGIN; SELECT count(*) FROM file")
    let start = ContinuousClock.now
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    #expect(ContinuousClock.now - start > .milliseconds(900))
    let conditions = bench.reports.flatMap { $0.volumes.map(\.condition) }
    #expect(!conditions.contains(.unreadable))
    withExtendedLifetime(other) {}
  }

  @Test func aVolumeThatArrives_isScannedBeforeTheOneThatIsBeingScanned() throws {
    let bench = try ServiceBench()
    try bench.addSongs(40, in: "a", album: "Moon Safari")
    try bench.addSongs(2, in: "b", album: "Talkie Walkie")
    bench.service.setHeld(true)
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a", .listing(0))
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    bench.service.setHeld(false)
    try bench.wait(for: "b")
    try bench.wait(for: "a")
    let first = bench.reports.first { report in
      report.volumes.contains { $0.condition == .ready }
    }
    #expect(first?.volumes.first { $0.identity == "id b" }?.condition == .ready)
    #expect(try bench.titles(.songs).count == 42)
  }

  @Test func whileHeld_noFileIsRead() throws {
    let bench = try ServiceBench()
    try bench.addSongs(2, in: "a", album: "Moon Safari")
    bench.service.setHeld(true)
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a", .listing(0))
    #expect(try bench.titles(.songs).isEmpty)
    bench.service.setHeld(false)
    try bench.wait(for: "a")
    #expect(try bench.titles(.songs).count == 2)
  }

  @Test func aVolumeInsideAnotherOne_isReadOnce() throws {
    let bench = try ServiceBench()
    try bench.addSongs(1, in: "a", album: "Moon Safari")
    try bench.addSongs(1, in: "a/stick", album: "Talkie Walkie")
    bench.service.setVolumes([bench.volume("a"), bench.volume("a/stick")])
    try bench.wait(for: "a")
    try bench.wait(for: "a/stick")
    #expect(bench.service.report.volumes.map(\.songs) == [1, 1])
    #expect(try bench.titles(.songs).count == 2)
  }

  @Test func aForgottenVolume_leavesNoRows() throws {
    let bench = try ServiceBench()
    try bench.addSongs(2, in: "a", album: "Moon Safari")
    try bench.addSongs(1, in: "b", album: "Talkie Walkie")
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    try bench.wait(for: "a")
    try bench.wait(for: "b")
    bench.service.setVolumes([bench.volume("b")])
    bench.service.forget("id a")
    try bench.loop.turn(until: { bench.service.report.volumes.map(\.label) == ["b"] })
    #expect(try bench.titles(.albums) == ["Talkie Walkie"])
    #expect(try bench.service.find(SearchRequest("moon")).rows.isEmpty)
  }

  @Test func readAnew_readsFilesThatLookUnchanged() throws {
    let bench = try ServiceBench()
    let path = bench.folder.path("a/0.flac")
    try bench.add("a/0.flac", "TITLE=Before")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    try bench.add("a/0.flac", "TITLE=Behind")
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    bench.service.setVolumes([bench.volume("a", mount: "2")])
    try bench.wait(for: "a")
    #expect(try bench.titles(.songs) == ["Before"])
    bench.service.readAnew("id a")
    try bench.loop.turn(until: { (try? bench.titles(.songs)) == ["Behind"] })
  }

  @Test func aScanWithoutChanges_writesNothing() throws {
    let bench = try ServiceBench()
    try bench.addSongs(2, in: "a", album: "Moon Safari")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    func times() throws -> [Date?] {
      try ["library.db", "library.db-wal"].map {
        try FileManager.default.attributesOfItem(atPath: bench.folder.path("library/" + $0))[
          .modificationDate] as? Date
      }
    }
    let before = try times()
    let scans = bench.service.exchange.findings.scans
    bench.service.rescan("")
    try bench.loop.turn(until: { bench.service.exchange.findings.scans > scans })
    #expect(try times() == before)
  }

  @Test func aDamagedDatabase_isMadeAgain() throws {
    let bench = try ServiceBench()
    try bench.addSongs(30, in: "a", album: "Moon Safari")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    bench.service.shutDown()
    let file = bench.folder.path("library/library.db")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    for index in 4096..<bytes.count { bytes[index] = 0xA5 }
    try bytes.write(to: URL(fileURLWithPath: file))
    try bench.restart()
    bench.service.setVolumes([bench.volume("a")])
    try bench.loop.turn(until: { (try? bench.titles(.songs).count) == 30 })
    #expect(!bench.messages.isEmpty)
  }

  @Test func withoutAFolder_theLibraryIsInMemory() throws {
    let bench = try ServiceBench(database: "missing/folder")
    try bench.addSongs(2, in: "a", album: "Moon Safari")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    #expect(try bench.titles(.songs).count == 2)
    #expect(bench.messages.count == 2)
  }
}
