import EventLoop
import LibraryModel
import TestKit
import Testing

@testable import LibraryExchange

/// Tests the answers of a library process that an attacker controls. The daemon refuses each wrong answer, and ends the
/// connection after five wrong answers.
@Suite struct HostileAnswersTests {
  final class Bench {
    let folder: TemporaryFolder
    let loop = EventLoop()
    let link: LibraryLink
    private(set) var hostile: HostileLibrary?
    private(set) var faults: [String] = []

    init() throws {
      folder = try TemporaryFolder()
      link = LibraryLink(loop)
      try link.listen(at: folder.path("library"))
      link.onFault = { [unowned self] in faults.append("\($0): \($1)") }
    }

    func connect() throws -> HostileLibrary {
      let new = try HostileLibrary(loop, path: folder.path("library"))
      hostile = new
      try loop.turn { new.calls["SetVolumes"] == 1 }
      return new
    }

    /// Calls each method of the library. Returns, for each method, whether its answer was accepted.
    func ask() throws -> [String: Bool] {
      var accepted: [String: Bool] = [:]
      func note<Value>(_ member: String) -> (Result<Value, LibraryFailure>) -> Void {
        { accepted[member] = (try? $0.get()) != nil }
      }
      let path: [UInt8] = Array("a/b".utf8)
      let questions: [() -> Void] = [
        {
          self.link.ask(
            LibraryProcess1.getRows, RowsRequest(.albums, cursor: "f.1", limit: 2), note("GetPage"))
        },
        {
          self.link.ask(
            LibraryProcess1.getLetters, HeadingsRequest(of: .albums), note("GetLetters"))
        },
        { self.link.ask(LibraryProcess1.search, SearchRequest("a"), note("Search")) },
        { self.link.ask(LibraryProcess1.findSimilar, SimilarRequest("a"), note("FindSimilar")) },
        {
          self.link.ask(
            LibraryProcess1.getTracks, TracksRequest(.node(.songs)), note("GetTracks"))
        },
        {
          self.link.ask(
            LibraryProcess1.getNeighbour, NeighbourRequest(of: .album(1), in: nil, isNext: true),
            note("GetNeighbour"))
        },
        {
          self.link.ask(
            LibraryProcess1.getEntries, SongReference(volume: "v", path: path), note("GetEntries"))
        },
        {
          self.link.ask(
            LibraryProcess1.findMoved, MovedRequest(volume: "v", paths: [path, path]),
            note("FindMoved"))
        },
        { self.link.ask(LibraryProcess1.getProblems, 0, note("GetProblems")) },
        { self.link.ask(LibraryProcess1.getDoubts, (), note("GetDoubts")) },
        {
          self.link.ask(
            LibraryProcess1.getThumbnail, RowReference(kind: .album, id: 1), note("GetThumbnail"))
        },
      ]
      for (number, question) in questions.enumerated() {
        question()
        try loop.turn { accepted.count == number + 1 }
      }
      return accepted
    }
  }

  // MARK: Samples

  private typealias Sample = LibrarySamples
  private typealias Answers = [[BusValue]]
  private static let long = String(repeating: "é", count: 513)
  private static let twoRows = [Sample.row(), Sample.row()]
  private static let twoTracks = [Sample.track(), Sample.track()]

  private static let wrongBatches: Answers = [
    Sample.batch(twoRows + twoRows), Sample.batch([Sample.row("own")]),
    Sample.batch([Sample.row(id: -1)]), Sample.batch([Sample.row(title: long)]),
    Sample.batch([], next: "f.2"), Sample.batch(next: "f.1"), Sample.batch(previous: "f.1"),
    Sample.batch(next: String(repeating: "x", count: 4097)),
  ]
  private static let wrongLetters: Answers = [
    Sample.letters(2001), Sample.letters(1, String(repeating: "A", count: 65)),
  ]
  private static let wrongFindings: Answers = [
    [Sample.rows(Array(repeating: Sample.row(), count: 101)), .strings([])],
    [Sample.rows([]), .strings(Array(repeating: "album", count: 8))],
  ]
  private static let wrongTracks: Answers = [
    Sample.tracks(list: "albums"), Sample.tracks(revision: -1), Sample.tracks(revision: .max),
    Sample.tracks(count: 10_001), Sample.tracks(count: .max), Sample.tracks(chosen: 1),
    Sample.tracks(twoTracks), Sample.tracks([Sample.track(volume: 1)]),
    Sample.tracks([Sample.track(title: long)]),
  ]
  private static let wrongEntries: Answers = [
    [.strings(["own:1"])], [.strings(["song:-1"])],
    [.strings(Array(repeating: "song:1", count: 8))],
  ]
  private static let wrongMoves: Answers = [
    Sample.moved(examined: 3), Sample.moved(indices: [2]), Sample.moved(indices: [0, 1]),
    Sample.moved(twoTracks),
  ]
  private static let wrongDoubts: Answers = [
    Sample.doubts(["sortNames", "sortNames"]), Sample.doubts(["nonsense"]),
    Sample.doubts(examples: 13),
  ]
  private static let wrongThumbnails: Answers = [
    [.bytes([0x89, 0x50])],
    [.bytes([0xFF, 0xD8] + [UInt8](repeating: 0, count: 16 << 10))],
  ]
  private static let badPaths: [[UInt8]] =
    ["", "/a", "a//b", "a/", "../a", "a/./b", "a\0b"].map { Array($0.utf8) }
    + [[UInt8](repeating: 0xFF, count: 4097)]

  /// Wrong answers for each method. Each answer has one wrong value or a wrong signature.
  private static var wrong: [String: Answers] {
    var wrong: [String: Answers] = [
      "GetPage": wrongBatches, "GetLetters": wrongLetters, "Search": wrongFindings,
      "FindSimilar": [[Sample.rows(twoRows), .uint32(1)]], "GetTracks": wrongTracks,
      "GetNeighbour": [[.string("own:1")], [.string("nonsense")]], "GetEntries": wrongEntries,
      "FindMoved": wrongMoves, "GetDoubts": wrongDoubts, "GetThumbnail": wrongThumbnails,
    ]
    for path in badPaths {
      wrong["GetTracks"]?.append(Sample.tracks([Sample.track(path)]))
      wrong["FindMoved"]?.append(Sample.moved([Sample.track(path)]))
      wrong["GetProblems", default: []].append(Sample.problems(path))
    }
    for (member, values) in Sample.good {
      // Answers with a wrong signature, also an answer without values.
      wrong[member]?.append([])
      wrong[member]?.append([.int16(1)])
      wrong[member]?.append(values + [.byte(0)])
      wrong[member]?.append([.variant(.structure([.byte(0)]))])
    }
    return wrong
  }

  // MARK: Tests

  @Test func goodAnswers_areAccepted() throws {
    let bench = try Bench()
    let library = try bench.connect()
    library.answers = Sample.good
    #expect(try bench.ask() == Sample.good.mapValues { _ in true })
    library.emit(Sample.report())
    try bench.loop.turn { bench.link.report != nil }
    #expect(bench.faults.isEmpty)
  }

  @Test func answer_withOneWrongValue_isAFailure() throws {
    for (member, values) in Self.wrong.flatMap({ wrong in wrong.value.map { (wrong.key, $0) } }) {
      let bench = try Bench()
      let library = try bench.connect()
      library.answers = Sample.good.merging([member: values]) { $1 }
      let accepted = try bench.ask()
      #expect(accepted == Sample.good.mapValues { _ in true }.merging([member: false]) { $1 })
      #expect(bench.faults.count == 1 && bench.faults[0].hasPrefix(member), "\(bench.faults)")
    }
  }

  /// The header of a file can state any duration. So an impossible duration is replaced by 0, and is not a fault.
  @Test func duration_thatIsImpossible_isNotKnown() throws {
    for milliseconds in [Int64.max, 4_000_000_001, -1, .min] {
      let bench = try Bench()
      let library = try bench.connect()
      library.answers = [
        "GetPage": Sample.batch([Sample.row(milliseconds: milliseconds)]),
        "GetTracks": Sample.tracks([Sample.track(milliseconds: milliseconds)]),
      ]
      var durations: [Int64] = []
      bench.link.ask(LibraryProcess1.getRows, RowsRequest(.albums)) {
        durations += (try? $0.get())?.rows.map(\.milliseconds) ?? []
      }
      bench.link.ask(LibraryProcess1.getTracks, TracksRequest(.node(.songs))) {
        durations += (try? $0.get())?.tracks.map(\.milliseconds) ?? []
      }
      try bench.loop.turn { durations.count == 2 }
      #expect(durations == [0, 0])
      #expect(bench.faults.isEmpty)
    }
  }

  @Test func signal_thatIsWrong_changesNothing() throws {
    let wrong: [[BusValue]] = [
      [], [.string("")], Sample.report(revision: .max), Sample.report(songsRevision: -1),
      Sample.report(condition: "nonsense"), Sample.report(folder: -1), Sample.report(volumes: 257),
    ]
    for values in wrong {
      let bench = try Bench()
      let library = try bench.connect()
      library.emit(Sample.report())
      try bench.loop.turn { bench.link.report != nil }
      library.emit(values)
      try bench.loop.turn { bench.faults.count == 1 }
      #expect(bench.link.report?.revision == 1)
      library.emit(Sample.report(revision: 2), "Unknown")
      try bench.loop.turn { bench.faults.count == 2 }
      #expect(bench.link.report?.revision == 1)
    }
  }

  @Test func fiveWrongAnswers_endTheConnection_andTheNextOneWaits() throws {
    let bench = try Bench()
    let first = try bench.connect()
    first.answers = Sample.good.merging(["GetPage": []]) { $1 }
    first.emit(Sample.report())
    try bench.loop.turn { bench.link.report != nil }
    for _ in 0..<5 {
      var isAnswered = false
      bench.link.ask(LibraryProcess1.getRows, RowsRequest(.albums)) { _ in isAnswered = true }
      try bench.loop.turn { isAnswered }
    }
    try bench.loop.turn { first.isEnded }
    #expect(!bench.link.isConnected && bench.link.report == nil)
    #expect(bench.faults.count == 6)
    let begin = ContinuousClock.now
    let second = try bench.connect()
    #expect(ContinuousClock.now - begin > .seconds(1))
    second.answers = Sample.good
    #expect(try bench.ask() == Sample.good.mapValues { _ in true })
    #expect(bench.faults.count == 6)
  }

  @Test func endlessSignals_endTheConnection() throws {
    let bench = try Bench()
    let library = try bench.connect()
    var reports = 0
    bench.link.onReport = { reports += 1 }
    var sent: Int64 = 0
    try bench.loop.turn {
      for _ in 0..<50 {
        sent += 1
        library.emit(Sample.report(revision: sent))
      }
      return library.isEnded
    }
    #expect(reports <= LibraryTrust.maximumSignals + 2, "\(sent) sent")
    #expect(bench.faults.first == "Changed: too many signals")
  }

  @Test func answer_thatIsLate_isIgnored() throws {
    let bench = try Bench()
    let library = try bench.connect()
    var results: [Result<RowBatch, LibraryFailure>] = []
    bench.link.ask(LibraryProcess1.getRows, RowsRequest(.albums)) { results.append($0) }
    try bench.loop.turn { results.count == 1 }
    #expect(results == [.failure(.unavailable)])
    for call in library.open { call.reply([]) }
    library.answers = Sample.good
    // The daemon treats the library process as silent until the process answers a call.
    var isBack = false
    try bench.loop.turn {
      bench.link.ask(LibraryProcess1.getRows, RowsRequest(.albums)) {
        isBack = isBack || (try? $0.get()) != nil
      }
      return isBack
    }
    #expect(try bench.ask() == Sample.good.mapValues { _ in true })
    #expect(results.count == 1)
  }

  @Test func trust_returnsWithTime() {
    var trust = LibraryTrust()
    var now = Duration.seconds(1000)
    var pauses: [Duration] = []
    for _ in 0..<7 {
      let ends = (0..<5).map { _ in trust.noteFault(at: now) }
      #expect(ends == [false, false, false, false, true])
      pauses.append(trust.end(at: now))
      now += .seconds(100)
    }
    #expect(pauses == [2, 4, 8, 16, 32, 64, 64].map { .seconds($0) })
    let last = now - .seconds(100)
    #expect(trust.pauseEnd == last + .seconds(64))
    now += .seconds(601)
    let ends = (0..<10).map { number in trust.noteFault(at: now + .seconds(601 * number)) }
    #expect(!ends.contains(true))
    let pause = trust.end(at: now + .seconds(6100))
    #expect(pause == .seconds(2))
  }

  @Test func signals_ofALibraryThatWorks_areAllowedForEver() {
    var trust = LibraryTrust()
    let usual = (0..<10_000).map { trust.acceptSignal(at: .milliseconds(500 * $0)) }
    #expect(!usual.contains(false))
    // The daemon was busy for 40 s, so many signals arrive at the same time.
    let late = (0..<101).map { _ in trust.acceptSignal(at: .seconds(5040)) }
    #expect(late.count { $0 } == 100 && late.last == false)
    let isAllowed = trust.acceptSignal(at: .milliseconds(5_040_400))
    #expect(isAllowed)
  }
}
