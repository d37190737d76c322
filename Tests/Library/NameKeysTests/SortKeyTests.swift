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
    ("Ёлка", ["Е", "Ел", "Елк"]), ("ガラ", ["か", "がら", "がら "]), ("ゃま", ["や", "ゃま", "ゃま "]),
    ("하늘", ["ㅎ", "하늘", "하늘 "]), ("까치", ["ㄱ", "까치", "까치 "]), ("中島みゆき", ["漢", "漢", "漢"]),
    ("U2", ["U", "U ", "U "]), ("I Am", ["I", "I ", "I "]), ("ßiebzig", ["S", "Ss", "Ssi"]),
    ("שלום", ["ש", "של", "שלו"]),
  ])
  func heading_ofAName_isThatOfItsGroup(name: String, headings: [String]) {
    #expect((1...3).map { key(name).heading(length: $0) } == headings)
  }
}
