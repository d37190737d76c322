import Spelling
import Testing

@Suite struct NearestWordTests {
  private let words = ["play", "probe", "config"]

  @Test(arguments: [
    ("pley", "play"), ("lay", "play"), ("playy", "play"), ("prboe", "probe"), ("confg", "config"),
  ])
  func word_thatIsNearlyKnown_isFound(_ word: String, _ meant: String) {
    #expect(nearestWord(to: word, among: words) == meant)
  }

  @Test(arguments: ["", "x", "zzzz", "configuration"])
  func word_thatIsFarFromAll_isNone(_ word: String) {
    #expect(nearestWord(to: word, among: words) == nil)
  }

  @Test func ofEquals_theFirstIsMeant() {
    #expect(nearestWord(to: "cat", among: ["car", "cap"]) == "car")
    #expect(nearestWord(to: "cat", among: []) == nil)
  }
}
