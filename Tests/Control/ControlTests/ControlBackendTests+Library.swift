import Console
import LibraryModel
import Testing

extension ControlBackendTests {
  @Test func headings_areEnteredInSmallLetters_andRangesAreShownAsRows() throws {
    let bench = try Bench()
    let console = Console(bench)
    let library = try #require(bench.unit.fakeLibrary)
    func reply(_ name: String) throws -> ConsoleReply {
      try console.ask(.library(.list(.artists, name, isWhole: false)))
    }
    guard case .letters(let groups) = try reply("s") else {
      Issue.record("no letters")
      return
    }
    #expect(groups == library.letters && library.requests.last?.heading == "S")
    // The heading `U_` stands for names in which no letter follows the U. It has no further headings, only a range of
    // rows.
    library.letters = [LetterGroup(heading: "U_ 1–12", count: 12)]
    library.batch = .success(
      {
        var batch = FakeLibrary.fullBatch
        batch.next = nil
        return batch
      }())
    guard case .listing(let listing) = try reply("u_") else {
      Issue.record("no rows")
      return
    }
    #expect(listing.title == "U_" && listing.rows == FakeLibrary.fullBatch.rows)
    #expect(library.requests.last?.heading == "U_" && library.letterRequests.last == "artists U_")
  }
}
