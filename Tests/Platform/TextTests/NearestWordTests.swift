import Testing

@testable import Text

@Suite struct NearestWordTests {
  private let words = ["play", "probe", "config"]

  @Test(arguments: [
    ("pley", "play"), ("lay", "play"), ("playy", "play"), ("prboe", "probe"), ("confg", "config"),
  ])
  func similarWord_isFound(_ word: String, _ meant: String) {
    #expect(nearestWord(to: word, among: words) == meant)
  }

  @Test(arguments: ["", "x", "zzzz", "configuration"])
  func dissimilarWord_isNil(_ word: String) {
    #expect(nearestWord(to: word, among: words) == nil)
  }

  @Test func equallySimilarWords_giveTheFirst() {
    #expect(nearestWord(to: "cat", among: ["car", "cap"]) == "car")
    #expect(nearestWord(to: "cat", among: []) == nil)
  }

  @Test func swappedLetters_areOneEdit() {
    #expect(nearestWord(to: "paly", among: ["pause", "play"]) == "play")
    #expect(nearestWord(to: "diganose", among: ["diagnose"]) == "diagnose")
  }

  @Test func shortWord_allowsOneEdit() {
    #expect(nearestWord(to: "ab", among: ["xy", "cd"]) == nil)
    #expect(nearestWord(to: "sk", among: ["seek"]) == nil)
  }

  @Test func megabyteOfText_isNil() {
    #expect(nearestWord(to: String(repeating: "x", count: 1 << 20), among: ["x"]) == nil)
  }
}
