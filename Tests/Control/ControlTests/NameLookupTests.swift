import Console
import ConsoleLink
import Control
import LibraryModel
import Reports
import TestKit
import Testing

/// Tests how the console looks up names of the library to complete a word.
@Suite struct NameLookupTests {
  private let bench: Bench
  private let console: ControlBackendTests.Console
  private var library: FakeLibrary { bench.unit.fakeLibrary! }

  init() throws {
    bench = try Bench()
    console = ControlBackendTests.Console(bench)
    _ = try console.ask(.now)
    console.backend.nameTimeLimit = Hang.limit
  }

  private func names(_ request: NameRequest) throws -> NameAnswer {
    var answer: NameAnswer?
    console.backend.lookUp(request) { answer = $0 }
    try console.turn(until: { answer != nil })
    return try #require(answer)
  }

  private func rows(_ kind: LibraryRow.Kind, _ titles: String...) -> [LibraryRow] {
    titles.enumerated().map { LibraryRow(kind: kind, id: Int64($0) + 1, title: $1) }
  }

  private func batch(_ rows: [LibraryRow], next: String? = nil) -> RowBatch {
    var batch = RowBatch()
    batch.rows = rows
    batch.next = next
    batch.count = rows.count
    return batch
  }

  @Test func music_hasTheNamesOfAllKindsOnce() throws {
    library.findingsOf = { [self] request in
      var found = LibraryFindings()
      switch request.kind {
      case .artist: found.rows = rows(.artist, "Moon", "Air")
      case .album: found.rows = rows(.album, "Moon Safari", "moon")
      case .song: found.rows = rows(.song, "Moon River", "Blue Moon")
      default: break
      }
      return found
    }
    #expect(
      try names(NameRequest(.music, "mo"))
        == NameAnswer(
          names: ["Moon", "Moon Safari", "Moon River"]))
    #expect(library.searches.map(\.kind) == [.artist, .album, .song, .playlist])
    #expect(library.searches.allSatisfy { $0.query == "mo" && $0.limit == 48 })
  }

  @Test func moreNamesThanTheLimit_areIncomplete() throws {
    library.findingsOf = { [self] _ in
      var found = LibraryFindings()
      found.rows = rows(.artist, "Air")
      found.more = [.artist]
      return found
    }
    #expect(
      try names(NameRequest(.entries(.artists), "ai"))
        == NameAnswer(names: ["Air"], isComplete: false))
  }

  @Test func listWithoutASearch_isReadBatchByBatch_upToTenBatches() throws {
    library.batchOf = { [self] request in
      let number = Int(request.cursor ?? "0") ?? 0
      return batch(rows(.genre, "Jazz \(number)", "Pop \(number)"), next: "\(number + 1)")
    }
    let found = try names(NameRequest(.entries(.genres), "ja"))
    #expect(found == NameAnswer(names: (0..<10).map { "Jazz \($0)" }, isComplete: false))
    library.requests = []
    // If the user has typed no letter, only one batch is read.
    #expect(try names(NameRequest(.music, "")).names.count == 2)
    #expect(library.requests.map(\.node) == [.artists])
  }

  @Test func folders_areAddedToTheirPath() throws {
    library.batchOf = { [self] request in
      switch request.node {
      case .volumes: batch(rows(.folder, "CAR", "Cellar"))
      case .folder(1): batch(rows(.folder, "Rock", "Pop") + rows(.song, "Rose"))
      default: batch([])
      }
    }
    #expect(try names(NameRequest(.folders, "c")).names == ["CAR/", "Cellar/"])
    #expect(try names(NameRequest(.folders, "car/ro")).names == ["CAR/Rock/"])
    #expect(try names(NameRequest(.folders, "none/ro")) == NameAnswer())
  }

  @Test func playlistsOfTheUnit_withoutThoseOfSticks() throws {
    library.batchOf = { [self] _ in
      var own = rows(.playlist, "Road", "Work")
      for index in own.indices { own[index].id = -own[index].id }
      return batch(own + rows(.playlist, "Rock"), next: "1")
    }
    #expect(try names(NameRequest(.ownPlaylists, "ro")) == NameAnswer(names: ["Road"]))
    #expect(library.requests.count == 1)
  }

  @Test func sources_haveTheirNames() throws {
    #expect(try names(NameRequest(.sources, "stick 1")).names == ["STICK 1"])
  }

  @Test func slowLibrary_givesTheNamesThatAreThere() throws {
    console.backend.nameTimeLimit = .seconds(2)
    library.findingsOf = { [self] request in
      guard request.kind == .album else { return nil }
      var found = LibraryFindings()
      found.rows = rows(.album, "Moon Safari")
      return found
    }
    #expect(
      try names(NameRequest(.music, "moon"))
        == NameAnswer(names: ["Moon Safari"], isComplete: false))
  }

  @Test func failedRequest_isIncomplete() throws {
    library.batch = .failure(.unavailable)
    #expect(
      try names(NameRequest(.entries(.albums), "moon")) == NameAnswer(isComplete: false))
  }

  @Test func withoutTheDaemon_noNameIsThere() throws {
    bench.server = nil
    try console.turn(until: { console.backend.state != .connected })
    #expect(try names(NameRequest(.music, "moon")) == NameAnswer())
  }
}
