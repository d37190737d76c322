import Testing

@testable import Text

@Suite struct EditDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("paly", "play", 1), ("sek", "seek", 1),
    ("kitten", "sitting", 3), ("ab", "ba", 1), ("ca", "abc", 3), ("é", "e", 1),
    ("москва", "москав", 1),
  ])
  func distance_isSymmetric_andBoundedByTheLimit(_ one: String, _ other: String, _ count: Int) {
    for (from, to) in [(one, other), (other, one)] {
      var distance = EditDistance(from: from)
      #expect(distance.distance(to: to, limit: count) == count)
      #expect(distance.distance(to: to, limit: count + 5) == count)
      if count > 0 { #expect(distance.distance(to: to, limit: count - 1) == nil) }
    }
  }

  /// Up to its limit, the computation with a limit must give the same result as a computation without a limit.
  @Test func randomWords_haveTheDistanceOfTheWholeTable() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let words = (0..<2).map { _ in
        String((0..<Int.random(in: 0...7, using: &generator)).map { _ in "abc".randomElement()! })
      }
      var distance = EditDistance(from: words[0])
      let whole = distance.distance(to: words[1], limit: 100)!
      for limit in 0...4 {
        #expect(
          distance.distance(to: words[1], limit: limit) == (whole <= limit ? whole : nil),
          "\(words) \(limit)")
      }
    }
  }

  @Test(
    arguments: [
      ("ab", "ac", nil), ("u2", "u3", nil), ("air", "aire", 0), ("air", "bir", 1),
      ("aire", "air", 1),
      ("airs", "bira", nil), ("safary", "safari", 1), ("saffary", "safari", 2),
      ("zafaryy", "safari", nil),
      ("", "x", 0), ("радио", "радие", 1),
    ] as [(String, String, Int?)])
  func aWrittenWord_allowsMoreEditsTheLongerItIs(_ text: String, _ other: String, _ edits: Int?) {
    var word = WrittenWord(text)
    #expect(word.edits(to: other) == edits)
  }

  @Test func aVeryLongWord_allowsNoEdit() {
    var word = WrittenWord(String(repeating: "x", count: 101))
    #expect(word.edits(to: String(repeating: "x", count: 100)) == nil)
    #expect(word.edits(to: String(repeating: "x", count: 101)) == 0)
  }
}
