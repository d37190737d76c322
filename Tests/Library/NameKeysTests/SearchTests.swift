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
    ("Moon Safari", ["moon", "safari"]), ("AC/DC", ["acdc", "ac", "dc"]),
    ("Don’t Stop", ["dont", "don", "t", "stop"]), ("L'amour", ["lamour", "l", "amour"]),
    ("Rock'n'Roll", ["rocknroll", "rock", "nroll", "n", "roll"]), ("'n' Roll", ["n", "roll"]),
    ("P!nk", ["pink", "pnk", "p", "nk"]), ("Joey Bada$$!", ["joey", "badass", "bada"]),
    ("Wham!", ["wham"]), ("01_Air_A-ha", ["01", "air", "aha", "a", "ha"]),
    ("محمد وعلي", ["محمد", "وعلي", "و", "علي"]),
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

  @Test(arguments: ["'", "’", "‘", "ʼ", "`", "´", "′", "＇", "ʻ"])
  func words_withAnyApostrophe_areTheSame(sign: String) {
    #expect(words("Don\(sign)t") == ["dont", "don", "t"])
    #expect(SearchWords.plain(FoldedName("Don\(sign)t Stop")) == ["dont", "stop"])
  }

  @Test(
    arguments: [
      ("AC/DC", ["acdc", "ac dc", "ac/dc", "AC-DC", "dc"], ["2232", "22032", "32"]),
      ("ACDC", ["ac/dc", "acdc"], ["2232"]), ("AC DC", ["ac/dc"], ["22032"]),
      ("R.E.M.", ["rem", "r e m", "r.e.m.", "re"], ["736", "70306"]),
      ("Jay-Z", ["jayz", "jay z", "jay-z"], ["5299", "52909"]),
      ("T.N.T.", ["tnt", "t n t", "t.n.t"], ["868", "80608"]),
      ("blink-182", ["blink182", "blink 182", "182", "blink"], ["25465182", "254650182"]),
      (
        "Guns N' Roses", ["guns n roses", "guns and roses", "guns roses"],
        ["48670607", "48670263076"]
      ),
      ("Rock 'n' Roll", ["rock n roll", "rock and roll"], ["762506076", "76250263076"]),
      ("Rock'n'Roll", ["rocknroll", "rock n roll", "rock and roll"], ["762567655"]),
      ("I'm Yours", ["im yours", "i'm yours", "i m yours", "i´m"], ["46096"]),
      ("C'est la vie", ["cest la vie", "c’est", "est la", "la vie"], ["2378052"]),
      ("L'amour", ["lamour", "l'amour", "amour", "l amour"], ["526687", "26687"]),
      ("Sgt. Pepper's", ["sgt peppers", "pepper's", "pepper"], ["748073"]),
      ("(I Can't Get No)", ["i cant get no", "can't", "can t"], ["40226804"]),
      ("P!nk", ["pink", "p!nk", "pnk", "p nk"], ["7465", "765"]), ("Pink", ["p!nk"], ["7465"]),
      ("Ke$ha", ["kesha", "ke$ha", "keha"], ["53742"]), ("deadmau5", ["deadmau5"], ["33236285"]),
      ("Mötley Crüe", ["motley crue", "mötley"], ["668539027"]),
      ("A-ha", ["aha", "a ha"], ["242"]),
      ("N.W.A", ["nwa", "n.w.a."], ["692"]), ("U.S.A.", ["usa", "u s a", "us a"], ["872"]),
      (
        "Simon & Garfunkel",
        [
          "simon and garfunkel", "simon und garfunkel", "simon garfunkel",
          "simon et garf", "simon + garfunkel", "simon ו garfunkel", "simon&garfunkel",
        ], ["746660263042", "74666042"]
      ),
      (
        "Simon and Garfunkel", ["simon & garfunkel", "simon garfunkel", "simon et garfunkel"],
        ["74666042", "746660863042"]
      ),
      ("Florence + The Machine", ["florence and the machine", "florence the"], ["3560263084"]),
      ("Salt-N-Pepa", ["salt n pepa", "saltnpepa", "salt and pepa"], ["7258073"]),
      ("R&B", ["r and b", "rb", "r&b"], ["72"]),
      ("محمد & علي", ["محمد وعلي", "محمد و علي", "محمد علي"], []),
      ("محمد وعلي", ["محمد & علي", "محمد وعلي", "محمد علي"], []),
      ("סיימון וגרפונקל", ["סיימון & גרפונקל", "סיימון וגרפונקל"], []),
      ("סיימון & גרפונקל", ["סיימון וגרפונקל"], []),
      ("AC/DC 北京", ["acdc 北京", "北京 ac"], []), ("24/7", ["247", "24 7"], ["247", "2407"]),
    ] as [(String, [String], [String])])
  func query_asPeopleTypeAName_findsIt(name: String, texts: [String], keys: [String]) {
    let name = FoldedName(name)
    for query in texts.map({ SearchQuery(text: $0) }) + keys.map({ SearchQuery(keys: $0) }) {
      let found = [query, query?.withoutAnd].contains { $0?.matches([name]) == true }
      #expect(found, "\(query.debugDescription)")
    }
  }

  @Test(arguments: [
    ("acdc", "ACID"), ("rem", "R. Emerson"), ("and", "Simon & Garfunkel"), ("im yours", "In Yours"),
    ("ac/dc", "AC"), ("wand", "W & D"),
  ])
  func query_ofAnotherName_doesNotFindIt(text: String, name: String) throws {
    let query = try #require(SearchQuery(text: text))
    #expect(!query.matches([FoldedName(name)]))
    #expect(query.withoutAnd == nil)
  }

  @Test(arguments: [
    ("air", "Air", true), ("air", "Airbag", false), ("air", "Air Supply", false),
    ("acdc", "AC/DC", true), ("simon und garfunkel", "Simon & Garfunkel", true),
    ("pink", "P!nk", true), ("pnk", "P!nk", true), ("jayz", "Jay Z", true), ("and", "And", true),
    ("北京", "北 京", true), ("the", "The The", false),
  ])
  func isWhole_isTrueForANameThatWasTypedInFull(text: String, name: String, isWhole: Bool) throws {
    #expect(try #require(SearchQuery(text: text)).isWhole(FoldedName(name)) == isWhole)
    let typed = FoldedName(text)
    #expect(WholeName(FoldedName(name)).isEqual(to: typed) == isWhole)
  }

  @Test func isWhole_byKeys_ignoresZeros() throws {
    for (keys, name) in [("1022", "10cc"), ("247", "Air"), ("7466604273865350", "Simon Garfunkel")]
    {
      #expect(try #require(SearchQuery(keys: keys)).isWhole(FoldedName(name)), "\(keys)")
    }
    let query = try #require(SearchQuery(keys: "7466602630427386535"))
    #expect(query.isWhole(FoldedName("Simon & Garfunkel")))
    #expect(SearchQuery(keys: "263")?.isWhole(FoldedName("And")) == true)
  }

  /// A name of many short words cannot make the index much larger.
  @Test func words_ofANameWithManySigns_areFew() {
    let name = FoldedName(String(repeating: "ab-", count: 300))
    #expect(SearchWords(name).indexText.utf8.count < 900 * 9)
    #expect(SearchQuery(text: name.text)?.expression(atBeginning: false).utf8.count ?? 0 < 200)
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
