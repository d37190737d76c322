import Testing

@testable import NameKeys

@Suite struct SearchTests {
  private func words(_ name: String) -> [String] { SearchWords(FoldedName(name)).words }
  private func digits(_ name: String) -> String { SearchWords(FoldedName(name)).indexDigits }

  @Test func query_ofSpellings_needsOneOfThem() throws {
    let query = try #require(
      SearchQuery(spellings: [
        .anyOf(["moon", "mon"]), .written("北"), .written("京"), .written("saf"),
      ]))
    let words = "AND \"北 京\" AND \"saf\" *"
    #expect(query.expression(atBeginning: false) == "(\"moon\" OR \"mon\") \(words)")
    #expect(query.expression(atBeginning: true) == "(^ \"moon\" OR ^ \"mon\") \(words)")
    func matches(_ name: String) -> Bool { query.matches([FoldedName(name)]) }
    #expect(matches("Safari 北京 Moon") && matches("mon 北京 safari"))
    #expect(!matches("Moonlight 北京 safari") && !matches("moon 京北 safari"))
    #expect(query.furtherWords(of: FoldedName("The Mon, 北京: Safari Moonlight")) == 2)
    #expect(SearchQuery(spellings: []) == nil)
  }

  @Test(arguments: [
    ("Moon Safari", ["moon", "safari"]), ("AC/DC", ["ac", "dc"]), ("Don’t Stop", ["dont", "stop"]),
    ("L'amour", ["l", "amour"]), ("Rock'n'Roll", ["rocknroll"]),
    ("中島みゆき", ["中", "島", "み", "ゆ", "き"]),
    ("BTS 방탄", ["bts", "방", "탄"]), ("  …  ", []), ("10cc", ["10cc"]),
  ])
  func words_ofAName_areWhatPeopleType(name: String, expected: [String]) {
    #expect(words(name) == expected)
  }

  @Test(arguments: [
    ("moon saf", "\"moon\" * AND \"saf\" *"), ("Sigur Rós", "\"sigur\" * AND \"ros\" *"),
    ("島み", "\"島 み\""),
    ("air 月光 x", "\"air\" * AND \"月 光\" AND \"x\" *"), ("\" OR * NEAR(", "\"or\" * AND \"near\" *"),
  ])
  func query_ofText_findsBeginningsOfWords(text: String, expression: String) {
    #expect(SearchQuery(text: text)?.expression(atBeginning: false) == expression)
  }

  @Test func query_withoutALetter_isNil() {
    #expect(SearchQuery(text: " \"*' ") == nil)
    #expect(SearchQuery(text: "") == nil)
    #expect(SearchQuery(keys: "0 0") == nil)
    #expect(SearchQuery(keys: "2a") == nil)
  }

  @Test func query_ofManyWords_isCut() {
    let text = String(repeating: "a ", count: 10_000)
    #expect(
      SearchQuery(text: text)?.expression(atBeginning: false).split(separator: "*").count == 8)
  }

  @Test(arguments: [
    ("Moon Safari", "6666 723274"), ("Élodie 99", "356343 99"), ("Жуки", "3644"),
    ("Ωmega 2", "96342 2"),
    ("Ελλάς", "35527"), ("שלום", "7524"), ("محمد", "8685"), ("中島 x", "9"), ("Їжак", "4324"),
  ])
  func digits_ofAName_areThoseOfAPhone(name: String, expected: String) {
    #expect(digits(name) == expected)
  }

  @Test func query_ofKeys_hasZeroBetweenWords() {
    #expect(
      SearchQuery(keys: "66660723")?.expression(atBeginning: false) == "\"6666\" * AND \"723\" *")
  }

  @Test(arguments: [
    ("mo sa", ["Moon", "Safari"], true), ("moon x", ["Moon Safari"], false),
    ("oon", ["Moon"], false),
    ("京", ["北京"], true), ("京北", ["北京"], false), ("moon", [], false),
  ])
  func query_ofText_matchesNames(text: String, names: [String], isFound: Bool) throws {
    let query = try #require(SearchQuery(text: text))
    #expect(query.matches(names.map { FoldedName($0) }) == isFound)
  }

  @Test func query_atTheBeginning_bindsTheFirstWordOnly() {
    #expect(
      SearchQuery(text: "moon saf")?.expression(atBeginning: true) == "^ \"moon\" * AND \"saf\" *")
  }

  /// Each letter is on exactly one key, and a query with the keys of a word finds this word.
  @Test func keys_ofEachLetter_findIt() {
    for word in ["quick", "θάλασσα", "щука", "ظلام", "עץ"] {
      let keys = digits(word)
      #expect(keys.count == FoldedName(word).scalars.count, "\(word): \(keys)")
      #expect(SearchQuery(keys: keys)?.expression(atBeginning: false) == "\"\(keys)\" *")
    }
  }
}
