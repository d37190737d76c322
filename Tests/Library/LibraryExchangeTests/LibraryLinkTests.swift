import EventLoop
import Foundation
import LibraryModel
import TestKit
import Testing

@testable import LibraryExchange

/// Tests a connection between the daemon and the library. Both ends are in one event loop.
@Suite struct LibraryLinkTests {
  final class Library: LibraryAnswering {
    var volumes: [LibraryVolume] = []
    var preferred: [UInt8] = []
    var isHeld = false
    var requests: [RowsRequest] = []
    var answer = RowBatch()
    var searches: [SearchRequest] = []
    var forgotten: [String] = []
    var tracks = TrackBatch(.node(.songs))
    var trackRequests: [TracksRequest] = []
    var thumbnails: [RowReference: [UInt8]] = [:]

    func setVolumes(_ volumes: [LibraryVolume]) { self.volumes = volumes }
    func setPreferredFolder(_ path: [UInt8]) { preferred = path }
    func setHeld(_ isHeld: Bool) { self.isHeld = isHeld }
    func rescan(_ identity: String) {}
    func readAnew(_ identity: String) {}
    func forget(_ identity: String) { forgotten.append(identity) }
    func rows(_ request: RowsRequest) -> RowBatch {
      requests.append(request)
      var batch = answer
      batch.rows = Array(answer.rows.prefix(request.limit))
      return batch
    }
    func letters(of node: LibraryNode, under heading: String?) throws -> [LetterGroup] {
      [LetterGroup(heading: (heading ?? "") + "ß", count: 3)]
    }
    func tracks(_ request: TracksRequest, maximumBytes: Int) throws -> TrackBatch {
      trackRequests.append(request)
      return tracks
    }
    var neighbours: [String] = []
    func neighbour(of node: LibraryNode, in parent: LibraryNode?, isNext: Bool) -> LibraryNode? {
      neighbours.append("\(node.text) \(parent?.text ?? "-") \(isNext)")
      return isNext ? .album(9) : nil
    }
    func entries(ofFile path: [UInt8], on volume: String) -> [RowReference] {
      [RowReference(kind: .song, id: Int64(path[0])), RowReference(kind: .album, id: 7)]
    }
    var moved: [(paths: [[UInt8]], volume: String)] = []
    func moved(_ paths: [[UInt8]], on volume: String, maximumBytes: Int) -> MovedFiles {
      moved.append((paths, volume))
      var answer = MovedFiles()
      answer.examined = paths.count - 1
      answer.files = paths.indices.dropLast().map { index in
        let track = LibraryTrack(
          SongReference(volume: "b\(index % 2)", path: paths[index] + [0xFF]), title: "ß",
          milliseconds: 7,
          stamp: .max)
        return MovedFiles.File(index: index, track: track)
      }
      return answer
    }
    func problems(first: Int, maximumBytes: Int) throws -> [LibraryProblem] {
      [LibraryProblem(volume: "a", path: [0xFF, UInt8(first)], reason: "bad", cause: "other")]
    }
    func doubts() -> LibraryDoubts {
      LibraryDoubts([
        LibraryDoubts.Part(
          .sortNames, count: 70_000,
          examples: (0..<20).map {
            .init(name: "ß\($0)", detail: String(repeating: "x", count: 999))
          }
        ), LibraryDoubts.Part(.missingEntries),
      ])
    }
    func thumbnail(of row: RowReference) throws -> [UInt8] {
      guard let thumbnail = thumbnails[row] else { throw LibraryFailure.unknownNode }
      return thumbnail
    }
    var similarRequests: [SimilarRequest] = []
    func similar(_ request: SimilarRequest) throws -> SimilarRows {
      similarRequests.append(request)
      if request.text.isEmpty { throw LibraryFailure.noQuery }
      return SimilarRows(rows: answer.rows, edits: 3)
    }
    func find(_ request: SearchRequest) throws -> LibraryFindings {
      searches.append(request)
      if request.query.isEmpty { throw LibraryFailure.noQuery }
      var found = LibraryFindings()
      found.rows = answer.rows
      found.more = [.album]
      return found
    }
  }

  @Test func aThumbnailArrives_andAnUnknownRowIsRefused() throws {
    let bench = try Bench()
    bench.library.thumbnails = [
      RowReference(kind: .album, id: 31): [0xFF, 0xD8], RowReference(kind: .song, id: 2): [],
    ]
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    var results: [Result<[UInt8], LibraryFailure>] = []
    for row in [
      RowReference(kind: .album, id: 31), RowReference(kind: .song, id: 2),
      RowReference(kind: .album, id: 2),
    ] {
      bench.link.ask(LibraryProcess1.getThumbnail, row) { results.append($0) }
    }
    try bench.loop.turn(until: { results.count == 3 })
    #expect(results == [.success([0xFF, 0xD8]), .success([]), .failure(.unknownNode)])
  }

  final class Bench {
    let folder: TemporaryFolder
    let loop = EventLoop()
    let library = Library()
    let link: LibraryLink
    var provider: LibraryProvider?
    var reports: [LibraryReport?] = []

    init() throws {
      folder = try TemporaryFolder()
      link = LibraryLink(loop)
      try link.listen(at: folder.path("library"))
      link.onReport = { [unowned self] in reports.append(link.report) }
    }

    func connect() throws {
      let socket = try #require(UnixSocket.connected(to: folder.path("library")))
      provider = LibraryProvider(try Bus(loop, connected: socket), library)
    }

    func rows(_ request: RowsRequest) throws -> Result<RowBatch, LibraryFailure> {
      var result: Result<RowBatch, LibraryFailure>?
      link.ask(LibraryProcess1.getRows, request) { result = $0 }
      try loop.turn(until: { result != nil })
      return try #require(result)
    }
  }

  private func row(_ title: String, _ id: Int64) -> LibraryRow {
    var row = LibraryRow(kind: .album, id: id, title: title)
    row.artist = "Sigur Rós"
    row.isVarious = true
    row.count = 9
    row.milliseconds = 3_600_000
    row.disc = 2
    row.number = 7
    row.year = 1999
    row.isAbsent = true
    row.artwork = "1f"
    return row
  }

  @Test func aBatchArrivesAsTheLibraryMadeIt() throws {
    let bench = try Bench()
    var batch = RowBatch()
    batch.rows = [row("Ágætis byrjun", .max), row("( )", 0)]
    batch.next = "f.0.2.i1"
    batch.count = 70
    batch.position = 24
    bench.library.answer = batch
    try bench.connect()
    let request = RowsRequest(.artist(31), cursor: "f.0.1", heading: "St", limit: 12)
    try bench.loop.turn(until: { bench.link.isConnected })
    #expect(try bench.rows(request) == .success(batch))
    #expect(bench.library.requests == [request])
  }

  @Test func aBatchWithLongTextsHasFewerRowsAndFitsIntoAMessage() throws {
    let bench = try Bench()
    let long = String(repeating: "é", count: 5000)
    bench.library.answer.rows = (0..<100).map { row(long, $0) }
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    let batch = try bench.rows(RowsRequest(.albums, limit: 100)).get()
    #expect((10...60).contains(batch.rows.count))
    #expect(batch.rows.allSatisfy { $0.title.utf8.count <= 1024 && long.hasPrefix($0.title) })
  }

  @Test func lettersAndSearchesArrive() throws {
    let bench = try Bench()
    bench.library.answer.rows = [row("a", 1)]
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    var letters: Result<[LetterGroup], LibraryFailure>?
    bench.link.ask(LibraryProcess1.getLetters, HeadingsRequest(of: .genres, under: "S")) {
      letters = $0
    }
    var found: Result<LibraryFindings, LibraryFailure>?
    let request = SearchRequest("637", isByKeys: true, kind: .song, limit: 9)
    bench.link.ask(LibraryProcess1.search, request) { found = $0 }
    var empty: Result<LibraryFindings, LibraryFailure>?
    bench.link.ask(LibraryProcess1.search, SearchRequest("")) { empty = $0 }
    try bench.loop.turn(until: { letters != nil && found != nil && empty != nil })
    #expect(letters == .success([LetterGroup(heading: "Sß", count: 3)]))
    #expect(try found?.get().rows.map(\.title) == ["a"])
    #expect(try found?.get().more == [.album])
    #expect(empty == .failure(.noQuery))
    #expect(bench.library.searches.first == request)
  }

  @Test func similarNamesArrive() throws {
    let bench = try Bench()
    bench.library.answer.rows = [row("a", 1)]
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    var results: [Result<SimilarRows, LibraryFailure>] = []
    let request = SimilarRequest("mon", kind: .album, limit: 7)
    for request in [request, SimilarRequest("mon"), SimilarRequest("")] {
      bench.link.ask(LibraryProcess1.findSimilar, request) { results.append($0) }
    }
    try bench.loop.turn(until: { results.count == 3 })
    let rows = SimilarRows(rows: [row("a", 1)], edits: 3)
    #expect(results == [.success(rows), .success(rows), .failure(.noQuery)])
    #expect(bench.library.similarRequests.first == request)
    #expect(bench.library.similarRequests[1] == SimilarRequest("mon"))
  }

  @Test func songsArriveWithTheirPathsAsBytes() throws {
    let bench = try Bench()
    var batch = TrackBatch(.node(.album(31)))
    batch.title = "Moon Safari"
    batch.revision = 9
    batch.count = 40
    batch.chosen = 3
    batch.tracks = ["a", "b", "a"].enumerated().map { number, volume in
      LibraryTrack(
        SongReference(volume: volume, path: [0xFF, 0x2F, UInt8(number + 1)]),
        title: "Song \(number)",
        artist: number == 0 ? nil : "Air", album: number == 1 ? nil : "Moon Safari",
        milliseconds: Int64(number), stamp: UInt32(number) * 0x7FFF_FFFF,
        numberInAlbum: .max - UInt32(number))
    }
    bench.library.tracks = batch
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    let request = TracksRequest(
      .node(.album(31)), row: RowReference(kind: .song, id: 5), seed: 7, first: 12)
    var result: Result<TrackBatch, LibraryFailure>?
    bench.link.ask(LibraryProcess1.getTracks, request) { result = $0 }
    try bench.loop.turn(until: { result != nil })
    #expect(result == .success(batch))
    #expect(bench.library.trackRequests == [request])
  }

  @Test func neighboursEntriesAndProblemsArrive() throws {
    let bench = try Bench()
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    var next: Result<LibraryNode?, LibraryFailure>?
    bench.link.ask(
      LibraryProcess1.getNeighbour, NeighbourRequest(of: .album(3), in: .artist(5), isNext: true)
    ) { next = $0 }
    var previous: Result<LibraryNode?, LibraryFailure>?
    bench.link.ask(
      LibraryProcess1.getNeighbour, NeighbourRequest(of: .folder(3), in: nil, isNext: false)
    ) { previous = $0 }
    var entries: Result<[RowReference], LibraryFailure>?
    bench.link.ask(LibraryProcess1.getEntries, SongReference(volume: "a", path: [0xFF])) {
      entries = $0
    }
    var problems: Result<[LibraryProblem], LibraryFailure>?
    bench.link.ask(LibraryProcess1.getProblems, 4) { problems = $0 }
    try bench.loop.turn(until: { previous != nil && entries != nil && problems != nil })
    #expect(try next?.get() == .album(9))
    #expect(try previous?.get() == nil)
    #expect(bench.library.neighbours == ["album:3 artist:5 true", "folder:3 - false"])
    #expect(
      entries
        == .success([
          RowReference(kind: .song, id: 0xFF), RowReference(kind: .album, id: 7),
        ]))
    #expect(
      problems
        == .success([
          LibraryProblem(volume: "a", path: [0xFF, 4], reason: "bad", cause: "other")
        ]))
  }

  @Test func doubtsArriveWithAtMostTwelveShortExamples() throws {
    let bench = try Bench()
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    var answer: Result<LibraryDoubts, LibraryFailure>?
    bench.link.ask(LibraryProcess1.getDoubts, ()) { answer = $0 }
    try bench.loop.turn(until: { answer != nil })
    let parts = try #require(try answer?.get()).parts
    #expect(parts.map(\.kind) == [.sortNames, .missingEntries])
    #expect(parts.map(\.count) == [70_000, 0])
    #expect(parts[0].examples.map(\.name) == (0..<12).map { "ß\($0)" })
    #expect(parts[0].examples.allSatisfy { (200...256).contains($0.detail.utf8.count) })
  }

  @Test func movedFilesArriveWithTheirNumbersAndVolumes() throws {
    let bench = try Bench()
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    var answer: Result<MovedFiles, LibraryFailure>?
    bench.link.ask(
      LibraryProcess1.findMoved, MovedRequest(volume: "a", paths: [[0xFF], [1], [2], [3]])
    ) { answer = $0 }
    try bench.loop.turn(until: { answer != nil })
    let moved = try #require(try answer?.get())
    #expect(bench.library.moved.map(\.volume) == ["a"])
    #expect(bench.library.moved.first?.paths == [[0xFF], [1], [2], [3]])
    #expect(moved.examined == 3 && moved.files.map(\.index) == [0, 1, 2])
    #expect(moved.files.map(\.track.reference.volume) == ["b0", "b1", "b0"])
    #expect(moved.files.map(\.track.reference.path) == [[0xFF, 0xFF], [1, 0xFF], [2, 0xFF]])
    #expect(moved.files[0].track.title == "ß" && moved.files[0].track.milliseconds == 7)
  }

  @Test func aLibraryThatConnectsAgainGetsAllItMustKnow() throws {
    let bench = try Bench()
    let volume = LibraryVolume(
      identity: "vfat 1234-ABCD 8000", label: "CAR", path: [0x2F, 0xFF], mount: "31",
      storesLocalTime: true, isMedium: true)
    bench.link.setVolumes([volume])
    bench.link.setPreferredFolder([0x2F, 0xFE])
    bench.link.setHeld(true)
    for _ in 0..<2 {
      bench.library.volumes = []
      bench.library.isHeld = false
      try bench.connect()
      try bench.loop.turn(until: { !bench.library.volumes.isEmpty })
      #expect(bench.library.volumes == [volume])
      #expect(bench.library.preferred == [0x2F, 0xFE])
      #expect(bench.library.isHeld)
    }
  }

  @Test func aMissingLibraryIsUnavailableAtOnceAndItsEndIsReported() throws {
    let bench = try Bench()
    #expect(try bench.rows(RowsRequest(.albums)) == .failure(.unavailable))
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected })
    var ends = 0
    bench.link.onEnd = { ends += 1 }
    var report = LibraryReport(
      revision: 7, songsRevision: 5,
      volumes: [
        VolumeReport(
          identity: "a", label: "A", condition: .reading(3, of: 9), songs: 2, problems: 1,
          wasCut: true),
        VolumeReport(identity: "b", label: "B", condition: .listing(5)),
        VolumeReport(identity: "c", label: "C", condition: .absent),
      ])
    report.harmfulFiles = [
      HarmfulFileReport(volume: "a", path: "/ß.m3u", isExcluded: true),
      HarmfulFileReport(volume: "b", path: "/b.mp3", isExcluded: false),
    ]
    report.isInMemory = true
    bench.provider?.report(report)
    try bench.loop.turn(until: { bench.link.report != nil })
    #expect(bench.link.report == report)
    #expect(report.isScanning)
    var result: Result<RowBatch, LibraryFailure>?
    bench.link.ask(LibraryProcess1.getRows, RowsRequest(.albums)) { result = $0 }
    bench.provider = nil
    try bench.loop.turn(until: { result != nil && bench.link.report == nil })
    #expect(result == .failure(.unavailable))
    #expect(bench.reports == [report, nil])
    #expect(ends == 1)
  }

  /// Connects a library that answers only while the loop `other` runs.
  private func connect(_ bench: Bench, on other: EventLoop) throws -> LibraryProvider {
    let socket = try #require(UnixSocket.connected(to: bench.folder.path("library")))
    let provider = LibraryProvider(try Bus(other, connected: socket), bench.library)
    while !bench.link.isConnected {
      try bench.loop.step(timeout: .milliseconds(5))
      try other.step(timeout: .milliseconds(5))
    }
    return provider
  }

  /// The library process connects again before the daemon knows that the first connection has ended.
  @Test func aSecondConnectionEndsTheQuestionsOfTheFirstOne() throws {
    let bench = try Bench()
    // The loop of this library does not run after the connection is made, so the library does not answer.
    let provider = try connect(bench, on: EventLoop())
    var result: Result<RowBatch, LibraryFailure>?
    bench.link.ask(LibraryProcess1.getRows, RowsRequest(.albums)) { result = $0 }
    var ends = 0
    bench.link.onEnd = { ends += 1 }
    try bench.connect()
    try bench.loop.turn(until: { result != nil })
    #expect(result == .failure(.unavailable))
    #expect(ends == 1)
    var answers = 0
    for _ in 0..<8 {
      bench.link.ask(LibraryProcess1.getRows, RowsRequest(.albums)) {
        if case .success = $0 { answers += 1 }
      }
    }
    try bench.loop.turn(until: { answers == 8 })
    withExtendedLifetime(provider) {}
  }

  /// A suspended library process keeps its connection, but does not answer.
  @Test func aLibraryThatDoesNotAnswerIsUnavailableUntilItAnswers() throws {
    let bench = try Bench()
    // The library does not answer until the loop `other` runs again at the end of the test.
    let other = EventLoop()
    let provider = try connect(bench, on: other)
    provider.report(LibraryReport(revision: 1))
    try bench.loop.turn(until: { bench.link.report != nil })
    var results: [Result<RowBatch, LibraryFailure>] = []
    for _ in 0..<9 {
      bench.link.ask(LibraryProcess1.getRows, RowsRequest(.albums)) { results.append($0) }
    }
    #expect(results == [.failure(.busy)])
    let begin = ContinuousClock.now
    try bench.loop.turn(until: { results.count == 9 })
    #expect(results.dropFirst().allSatisfy { $0 == .failure(.unavailable) })
    #expect(bench.link.report == nil)
    let later = try bench.rows(RowsRequest(.albums))
    #expect(later == .failure(.unavailable))
    #expect(ContinuousClock.now - begin < .seconds(4))
    while bench.link.report == nil {
      try bench.loop.step(timeout: .milliseconds(5))
      try other.step(timeout: .milliseconds(5))
    }
    #expect(bench.link.report == LibraryReport(revision: 1))
  }

  @Test func bytesThatAreNoMessageEndTheConnectionOnly() throws {
    let bench = try Bench()
    let socket = try #require(UnixSocket.connected(to: bench.folder.path("library")))
    defer { close(socket) }
    _ = write(socket, "\0AUTH ANONYMOUS\r\nBEGIN\r\n", 24)
    let garbage = [UInt8](repeating: 0x6C, count: 4096)
    _ = write(socket, garbage, garbage.count)
    try bench.connect()
    try bench.loop.turn(until: { bench.link.isConnected && bench.provider != nil })
    bench.library.answer.count = 5
    #expect(try bench.rows(RowsRequest(.albums)).get().count == 5)
  }
}
