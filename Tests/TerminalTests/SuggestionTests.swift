import Testing

@testable import Terminal

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("paly", "play", 1), ("sek", "seek", 1),
    ("kitten", "sitting", 3), ("ab", "ba", 1), ("é", "e", 2),
  ])
  func distance(_ one: String, _ other: String, _ distance: Int) {
    #expect(Suggestion.distance(one, other) == distance)
    #expect(Suggestion.distance(other, one) == distance)
  }

  @Test func nearest_isNearEnough_orNothing() {
    #expect(Suggestion.nearest(to: "paly", among: ["pause", "play"]) == "play")
    #expect(Suggestion.nearest(to: "xyz", among: ["pause", "play"]) == nil)
    #expect(Suggestion.nearest(to: "ab", among: ["xy", "cd"]) == nil)
    #expect(Suggestion.nearest(to: "diganose", among: ["diagnose"]) == "diagnose")
    #expect(Suggestion.nearest(to: String(repeating: "x", count: 1 << 20), among: ["x"]) == nil)
  }
}
