import Testing

@testable import NameKeys

@Suite struct KeyPadScreenTests {
  @Test(arguments: [KeyPad.Script.latin, .greek, .cyrillic, .arabic, .hebrew])
  func eachShownLetter_isOnItsKey(_ script: KeyPad.Script) {
    let labels = KeyPad.labels(script)
    #expect(labels.count == 9)
    #expect(labels[0] == "#")
    for (index, label) in labels.enumerated().dropFirst() {
      for letter in FoldedName(label).scalars {
        #expect(KeyPad.key(of: letter) == UInt8(index + 1), "\(letter)")
      }
    }
  }

  @Test func language_selectsTheScript() {
    #expect(KeyPad.labels(KeyPad.Script(language: "uk"))[1] == "АБВГ")
    #expect(KeyPad.labels(KeyPad.Script(language: "ja"))[1] == "ABC")
  }

  @Test func pressedKeys_areShownAsTheWordsThatTheyFind() {
    #expect(KeyPad.text(of: "569066", in: "Low Moon over Lindy") == "low mo")
    #expect(KeyPad.text(of: "66", in: "Slow Motion Parade") == "mo")
    #expect(KeyPad.text(of: "569077", in: "Low Moon") == nil)
    #expect(KeyPad.text(of: "", in: "Low Moon") == nil)
    #expect(KeyPad.text(of: "2", in: "Ágætis byrjun") == "a")
    #expect(KeyPad.text(of: "2232", in: "AC/DC") == "acdc")
    #expect(KeyPad.text(of: "746660263042", in: "Simon & Garfunkel") == "simon & ga")
    #expect(KeyPad.text(of: "263", in: "Low Moon") == nil)
  }
}
