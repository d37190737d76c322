import Testing

@testable import NameKeys

@Suite struct SortKeyTests {
  private let english = Articles(languages: ["en"])

  private func key(_ name: String, _ articles: Articles? = nil) -> SortKey {
    SortKey(FoldedName(name), articles: articles ?? english)
  }

  @Test func order_ofNames_isThatOfAReader() {
    let names = [
      "1", "2 Unlimited", "10cc", "99 Luftballons", "ABBA", "AC/DC", "The Beatles", "Ludwig van B.",
      "Ólafur", "“Quoted”", "Sigur Rós", "Stereolab", "The The", "…Trail", "Zebra", "Ωmega", "Ёлка",
      "Ж",
      "שלום", "محمد", "あい", "カラ", "中", "가",
    ]
    #expect(names.shuffled().sorted { key($0) < key($1) } == names)
  }

  @Test func order_ofPartsAndTracks_isThatOfTheirNumbers() {
    let names = ["Part 1", "Part 2", "Part 10", "Part 010 b", "Part 100"]
    #expect(names.reversed().sorted { key($0) < key($1) } == names)
  }

  @Test(arguments: [
    ("The Beatles", "en", "Beatles"), ("A Perfect Circle", "en", "Perfect Circle"),
    ("Die Ärzte", "de", "Arzte"), ("L’Impératrice", "fr", "Imperatrice"),
    ("Los Lobos", "es", "lobos"),
  ])
  func init_leadingArticle_doesNotCount(name: String, language: String, rest: String) {
    #expect(key(name, Articles(languages: [language])) == key(rest))
  }

  @Test(arguments: ["The", "Theory", "A", "Anna", "Die"])
  func init_wordThatIsNoArticle_counts(name: String) {
    #expect(key(name).bytes == Array(name.lowercased().utf8))
  }

  @Test func init_nameWithoutLetters_isEmpty() {
    #expect(key("…").bytes.isEmpty)
    #expect(key("").bytes.isEmpty)
    #expect(key("…").heading(length: 1) == "#")
  }

  @Test func init_longName_isCutAtACharacter() {
    let cut = key(String(repeating: "é漢", count: 1000))
    #expect(cut.bytes.count <= SortKey.maximumBytes)
    #expect(String(validating: cut.bytes, as: UTF8.self) != nil)
    #expect(key(String(repeating: "9", count: 5000)).bytes.count <= SortKey.maximumBytes)
  }

  @Test(arguments: [
    ("Stereolab", ["S", "St", "Ste"]), ("99 Luftballons", ["#", "#", "#"]),
    ("Ωmega", ["Ω", "Ωm", "Ωme"]),
    ("Ёлка", ["Е", "Ел", "Елк"]), ("ガラ", ["か", "がら", "がら_"]), ("ゃま", ["や", "ゃま", "ゃま_"]),
    ("하늘", ["ㅎ", "하늘", "하늘_"]), ("까치", ["ㄱ", "까치", "까치_"]), ("中島みゆき", ["漢", "漢", "漢"]),
    ("U2", ["U", "U_", "U_"]), ("I Am", ["I", "I_", "I_"]), ("ßiebzig", ["S", "Ss", "Ssi"]),
    ("שלום", ["ש", "של", "שלו"]),
  ])
  func heading_ofAName_isThatOfItsGroup(name: String, headings: [String]) {
    #expect((1...3).map { key(name).heading(length: $0) } == headings)
  }

  @Test func headings_areInTheOrderOfTheirNames() {
    let names = [
      "1", "ABBA", "U", "U2", "Ub", "Ubik", "Zebra", "Ωmega", "Ж", "שלום", "محمد", "あい", "ゃま",
      "カラ", "ぱ", "中", "가", "까치", "나", "하늘",
    ]
    for length in 1...SortKey.longestHeading {
      let headings = names.map { key($0).heading(length: length) }
      let order = names.indices.sorted { key(names[$0]) < key(names[$1]) }.map { headings[$0] }
      let ordered = headings.sorted { SortKey(ofHeading: $0) < SortKey(ofHeading: $1) }
      #expect(ordered == order)
    }
  }

  @Test(arguments: [
    ("S", true), ("St", true), ("Sta", false), ("U_", false), ("#", false), ("漢", false),
    ("か", true), ("ㄱ", true),
  ])
  func isDivided_heading_ifAnotherLetterFollows(heading: String, isDivided: Bool) {
    #expect(SortKey.isDivided(heading) == isDivided)
  }
}
