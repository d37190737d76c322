import Control
import EventLoop
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

@Suite struct LibraryCallsTests {
  private let bench: Bench
  private var library: FakeLibrary { bench.unit.fakeLibrary! }

  init() throws {
    bench = try Bench()
    // The unit also lists phones as sources. These tests are only about the library, so the test removes the phones.
    bench.unit.fakePhones?.state.phones = []
  }

  @Test func stateAndSources_encodedAndDecoded_areEqual() throws {
    let client = try bench.client()
    #expect(try bench.answer { client.libraryState($0) }.get() == FakeLibrary.full)
    library.state = LibraryState()
    #expect(try bench.answer { client.libraryState($0) }.get() == LibraryState())
  }

  @Test func rows_arrivesWithAllFields() throws {
    let client = try bench.client()
    let request = RowsRequest(.genre(31), cursor: "f.0.1", heading: "St", limit: 12)
    let answer = try bench.answer { client.call(Library1.getRows, request, $0) }.get()
    #expect(answer.batch == FakeLibrary.fullBatch && answer.revision == 7)
    #expect(library.requests == [request])
  }

  @Test func letters_arrive() throws {
    let client = try bench.client()
    let letters = try bench.answer {
      client.call(Library1.getLetters, LettersRequest(.node(.genres), under: "S"), $0)
    }.get()
    #expect(letters == [LetterGroup(heading: "St", count: 13)])
    _ = try bench.answer { client.call(Library1.getLetters, LettersRequest(.node(.albums)), $0) }
    #expect(library.letterRequests == ["genres S", "albums -"])
  }

  @Test func rangesOfTheQueue_needNoLibrary() throws {
    let client = try bench.client()
    bench.unit.fakeQueue.full.count = 200
    bench.unit.fakeLibrary = nil
    let ranges = try bench.answer { client.call(Library1.getLetters, LettersRequest(.queue), $0) }
      .get()
    #expect(ranges.map(\.heading) == ["1–144", "145–200"] && ranges.map(\.count) == [144, 56])
    let second = try bench.answer {
      client.call(Library1.getLetters, LettersRequest(.queue, under: "145–200"), $0)
    }.get()
    #expect(second.first == LetterGroup(heading: "145–156", count: 12))
    #expect(
      try bench.answer { client.call(Library1.getLetters, LettersRequest(.queue, under: "St"), $0) }
        .get() == [])
    bench.unit.fakeQueue.full.count = 12
    #expect(
      try bench.answer { client.call(Library1.getLetters, LettersRequest(.queue), $0) }.get() == [])
    // `GetPage` refuses the queue. Clients read parts of the queue with `GetQueue`.
    let batch = try bench.call(
      try bench.peer(), Library1.interface.name, "GetPage",
      [.string("queue"), .string(""), .uint32(9), .properties([(String, BusValue)]())])
    #expect(throws: BusError.self) { try batch.get() }
  }

  @Test func search_arrivesWithItsOptions() throws {
    let client = try bench.client()
    let request = SearchRequest("637", isByKeys: true, kind: .song, limit: 9)
    let found = try bench.answer { client.call(Library1.search, NumberedSearch(request), $0) }.get()
      .found
    #expect(found.rows == FakeLibrary.fullBatch.rows)
    #expect(found.more == [.song, .album])
    #expect(library.searches == [request])
  }

  @Test func newerSearch_replacesTheNumberedOnesBeforeIt() throws {
    let client = try bench.client()
    library.openSearches = []
    var answers: [Int: Result<SearchAnswer, ControlError>] = [:]
    for (number, query) in ["m", "mo", "moo", "moon"].enumerated() {
      client.call(Library1.search, NumberedSearch(SearchRequest(query), number: number + 1)) {
        answers[number + 1] = $0
      }
    }
    try bench.loop.turn { answers.count == 3 }
    #expect((1...3).allSatisfy { answers[$0]?.refusal?.code == .superseded })
    #expect(library.searches.map(\.query) == ["m"])
    // No client waits for the answer to the first search. After this answer, the last search starts.
    library.openSearches?[0](.success(LibraryFindings()))
    #expect(library.searches.map(\.query) == ["m", "moon"])
    var found = LibraryFindings()
    found.rows = Array(FakeLibrary.fullBatch.rows.prefix(1))
    library.openSearches?[1](.success(found))
    try bench.loop.turn { answers.count == 4 }
    #expect(try answers[4]?.get().found == found)
    #expect(try answers[4]?.get().number == 4)
    // No search is open now, so the next search starts at once.
    client.call(Library1.search, NumberedSearch(SearchRequest("moo"), number: 5)) {
      answers[5] = $0
    }
    try bench.loop.turn { library.searches.count == 3 }
    library.openSearches?[2](.failure(.unavailable))
    try bench.loop.turn { answers.count == 5 }
    #expect(answers[5]?.refusal?.code == .libraryUnavailable)
  }

  @Test func newestSearch_ofAClientThatHasGone_isNotStarted() throws {
    var client: ControlClient? = try bench.client()
    library.openSearches = []
    for (number, query) in ["m", "mo"].enumerated() {
      client?.call(Library1.search, NumberedSearch(SearchRequest(query), number: number + 1)) { _ in
      }
    }
    let other = try bench.client()
    _ = try bench.answer { other.call(Unit1.getFacts, .boot, $0) }
    try bench.loop.turn { library.searches.count == 1 }
    client = nil
    try bench.loop.turn { bench.server?.peerCount == 1 }
    library.openSearches?[0](.success(LibraryFindings()))
    #expect(library.searches.map(\.query) == ["m"])
  }

  @Test func searchesWithoutANumber_andThoseOfOthers_areNotReplaced() throws {
    let (client, other) = (try bench.client(), try bench.client())
    library.openSearches = []
    var answers = 0
    for asking in [client, client, other] {
      asking.call(Library1.search, NumberedSearch(SearchRequest("a"))) {
        if case .success = $0 { answers += 1 }
      }
    }
    for asking in [client, other] {
      asking.call(Library1.search, NumberedSearch(SearchRequest("b"), number: 1)) {
        if case .success = $0 { answers += 1 }
      }
    }
    try bench.loop.turn { library.searches.count == 5 }
    library.openSearches?.forEach { $0(.success(LibraryFindings())) }
    try bench.loop.turn { answers == 5 }
  }

  @Test func similarNames_arrive_andTheLimitIsBounded() throws {
    let client = try bench.client()
    let request = SimilarRequest("moon safary", kind: .album, limit: 9)
    #expect(
      try bench.answer { client.call(Library1.findSimilar, request, $0) }.get()
        == FakeLibrary.fullBatch.rows)
    for (limit, bounded) in [(0, 1), (100, 100), (101, 100)] {
      _ = try bench.answer {
        client.call(Library1.findSimilar, SimilarRequest("x", limit: limit), $0)
      }.get()
      #expect(library.similarRequests.last == SimilarRequest("x", limit: bounded))
    }
    #expect(library.similarRequests.first == request)
    library.batch = .failure(.noQuery)
    let refused = try bench.answer { client.call(Library1.findSimilar, SimilarRequest("!"), $0) }
    #expect(refused.refusal?.code == .invalidArguments)
  }

  @Test func doubts_arriveWithTheirExamples() throws {
    let client = try bench.client()
    #expect(try bench.answer { client.call(Library1.getDoubts, $0) }.get() == FakeLibrary.doubts)
    library.batch = .failure(.unavailable)
    #expect(
      try bench.answer { client.call(Library1.getDoubts, $0) }.refusal?.code == .libraryUnavailable)
  }

  @Test func itemArtwork_arrives_andIsEmptyIfThereIsNone() throws {
    let client = try bench.client()
    let row = RowReference(kind: .album, id: 0x1F)
    #expect(
      try bench.answer { client.call(Library1.getItemArtwork, row, $0) }.get()
        == [0xFF, 0xD8, 0xFF, 0xD9])
    #expect(library.thumbnails == [row])
    library.thumbnail = .success([])
    #expect(
      try bench.answer { client.call(Library1.getItemArtwork, row, $0) }.get()
        == [])
    library.thumbnail = .failure(.unknownNode)
    let missing = try bench.answer {
      client.call(Library1.getItemArtwork, row, $0)
    }
    #expect(missing.refusal?.code == .noSuchItem)
    let peer = try bench.peer()
    for id in ["", "album", "tab:1", "album:zz", "album:-1"] {
      let answer = try bench.call(
        peer, Library1.interface.name, "GetItemArtwork",
        [.string(id), .uint32(0), .uint32(0)])
      #expect(throws: BusError.self) { try answer.get() }
    }
    #expect(library.thumbnails.count == 3)
  }

  @Test func failures_haveTheirCodes() throws {
    let client = try bench.client()
    let cases: [(LibraryFailure, Refusal.Code)] = [
      (.unavailable, .libraryUnavailable), (.busy, .tooManyCalls), (.unknownNode, .noSuchItem),
      (.noQuery, .invalidArguments), (.failed("why"), .failed),
    ]
    for (failure, code) in cases {
      library.batch = .failure(failure)
      let batch = try bench.answer { client.call(Library1.getRows, RowsRequest(.albums), $0) }
      #expect(batch.refusal?.code == code)
      let found = try bench.answer {
        client.call(Library1.search, NumberedSearch(SearchRequest("a")), $0)
      }
      #expect(found.refusal?.code == code)
    }
    bench.unit.fakeLibrary = nil
    let batch = try bench.answer { client.call(Library1.getRows, RowsRequest(.albums), $0) }
    #expect(batch.refusal?.code == .noLibrary)
    #expect(try bench.answer { client.libraryState($0) }.get() == LibraryState())
  }

  @Test func unknownListsAndKinds_areRefused() throws {
    let peer = try bench.peer()
    let name = Library1.interface.name
    for node in ["", "composers", "album:", "album:zz", "album:1f:2"] {
      let answer = try bench.call(
        peer, name, "GetPage",
        [.string(node), .string(""), .uint32(9), .properties([(String, BusValue)]())])
      #expect(throws: BusError.self) { try answer.get() }
    }
    let answer = try bench.call(
      peer, name, "Search",
      [.string("a"), .uint64(1), .uint32(9), .properties([("kind", .string("tab"))])])
    #expect(throws: BusError.self) { try answer.get() }
    #expect(library.requests.isEmpty && library.searches.isEmpty)
  }

  @Test func readAnewAndForget_arrive_andRefusalsComeBack() throws {
    let client = try bench.client()
    _ = try bench.answer { client.call(Sources1.readAnew, "id 0", $0) }.get()
    _ = try bench.answer { client.call(Sources1.forget, "id 4", $0) }.get()
    _ = try bench.answer { client.call(Sources1.rescan, "", $0) }.get()
    #expect(library.done == ["read id 0", "forget id 4", "scan "])
    library.refusal = Refusal(.sourcePresent, "it is there")
    let refused = try bench.answer { client.call(Sources1.forget, "id 0", $0) }
    #expect(refused.refusal?.code == .sourcePresent)
  }

  @Test func subscribers_receiveEachChange() throws {
    let (peer, other) = (try bench.peer(), try bench.peer())
    var signals: [BusMessage] = []
    var others = 0
    let path = ControlInterface.path
    let match = try peer.match(MatchRule(path: path, member: "Changed")) { signals.append($0) }
    let otherMatch = try other.match(MatchRule(path: path, member: "Changed")) { _ in others += 1 }
    _ = try bench.call(peer, Library1.interface.name, "Subscribe")
    _ = try bench.call(peer, Sources1.interface.name, "Subscribe")
    library.state.revision = 8
    try bench.loop.turn { signals.count == 2 }
    let interfaces = Set(signals.map(\.interface))
    #expect(interfaces == [Library1.interface.name, Sources1.interface.name])
    _ = try bench.call(peer, Library1.interface.name, "Unsubscribe")
    library.state.revision = 9
    try bench.loop.turn { signals.count == 3 }
    _ = try bench.call(other, Library1.interface.name, "GetRoot")
    #expect(others == 0)
    withExtendedLifetime((match, otherMatch)) {}
  }
}

extension Result where Failure == ControlError {
  var refusal: Refusal? {
    if case .failure(let error) = self { error.refusal } else { nil }
  }
}
