import LibraryModel
import Testing

@Suite struct BestHitTests {
  private func rows(_ names: [(LibraryRow.Kind, String)]) -> [LibraryRow] {
    names.enumerated().map { LibraryRow(kind: $1.0, id: Int64($0) + 1, title: $1.1) }
  }

  private func best(_ words: String, _ names: [(LibraryRow.Kind, String)]) -> String? {
    switch BestHit.of(words, in: rows(names)) {
    case .one(let row): row.title
    case .several(let rows): "\(rows.count)"
    case .none: nil
    }
  }

  @Test func of_aNameTypedInFull_isThisName() {
    #expect(best("air", [(.artist, "Air Supply"), (.artist, "Airbag"), (.album, "AIR")]) == "AIR")
    #expect(best("rem", [(.artist, "R.E.M."), (.album, "Remix")]) == "R.E.M.")
    #expect(
      best(
        "simon and garfunkel", [(.artist, "Simon Garfunkel Band"), (.song, "Simon & Garfunkel")])
        == "Simon & Garfunkel")
    #expect(best("pink", [(.artist, "Pinkerton"), (.artist, "P!nk")]) == "P!nk")
  }

  @Test func of_aNameWithoutItsArticle_comesBeforeALongerName() {
    #expect(
      best("beatles", [(.artist, "The Beatles"), (.album, "Beatles for Sale")]) == "The Beatles")
    #expect(best("beatles", [(.artist, "The Beatles"), (.song, "Beatles")]) == "Beatles")
  }

  @Test func of_theBeginningOfAName_isThisName() {
    #expect(best("moon saf", [(.song, "Safe Moon"), (.song, "Moon Safari")]) == "Moon Safari")
    #expect(best("saf", [(.song, "My Safari")]) == "My Safari")
    #expect(best("air", [(.artist, "Air"), (.artist, "Air")]) == "2")
    #expect(best("!", []) == nil)
  }
}
