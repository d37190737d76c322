import Testing
import Text

@Suite struct TextSearchTests {
  @Test func part_isFoundAtEachPlace() {
    for part in ["", "a", "abc", "bc", "ü", "abcü"] { #expect("abcü".includes(part), "\(part)") }
    for part in ["ac", "abcüd", "B"] { #expect(!"abcü".includes(part), "\(part)") }
    #expect("".includes("") && !"".includes("a") && "aab".dropFirst().includes("ab"))
  }
}
