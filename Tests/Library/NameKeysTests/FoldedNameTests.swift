import Testing

@testable import NameKeys

@Suite struct FoldedNameTests {
  @Test(arguments: [
    ("Sigur Rós", "sigur ros"), ("MOTÖRHEAD", "motorhead"), ("Straße", "strasse"),
    ("Ænima", "aenima"), ("Bjørk Łódź", "bjork lodz"), ("Ｗｉｄｅ ２", "wide 2"),
    ("ﬁsh²", "fish2"), ("Ελλάς", "ελλασ"), ("Ёлка", "елка"), ("Йод", "йод"), ("Їжак", "їжак"),
    ("カラオケ", "からおけ"), ("ガ", "が"), ("한국", "한국"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"),
    ("أحمد", "احمد"), ("ﷺ", "صلي الله عليه وسلم"), ("की", "की"), ("", ""),
  ])
  func init_name_foldsIt(name: String, folded: String) {
    #expect(FoldedName(name).text == folded)
  }

  /// macOS writes names in NFD, and most other systems write names in NFC. A search must find both.
  @Test func init_sameNameInNFCAndNFD_isEqual() {
    #expect(FoldedName("Beyonc\u{E9}") == FoldedName("Beyonce\u{301}"))
    #expect(FoldedName("\u{D55C}") == FoldedName("\u{1112}\u{1161}\u{11AB}"))
    #expect(FoldedName("\u{30AC}") == FoldedName("\u{30AB}\u{3099}"))
  }

  @Test func init_anyScalar_isAccepted() {
    for value in stride(from: UInt32(0), through: 0x10FFFF, by: 7) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = FoldedName(String(scalar))
      // Folding a name twice gives the same result, so a query and the index agree.
      #expect(FoldedName(folded.text) == folded)
    }
  }

  @Test func digits_ofAllScripts_haveTheirValues() {
    let digits: [(Unicode.Scalar, UInt8?)] = [
      ("7", 7), ("\u{663}", 3), ("\u{96B}", 5), ("\u{FF19}", 9), ("\u{E52}", 2), ("a", nil),
      ("\u{BD}", nil), ("\u{2167}", nil), ("\u{4E09}", nil),
    ]
    for (scalar, value) in digits { #expect(scalar.digit == value, "\(scalar)") }
  }

  /// utf8proc and Swift have different versions of Unicode, so only the characters of Unicode 10 and older are
  /// compared.
  @Test func partsOfWords_areThoseOfUnicode() {
    let word: Set<Unicode.GeneralCategory> = [
      .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber,
    ]
    var compared = 0
    for value: UInt32 in 0x80...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value), !scalar.isSyllableOrIdeograph,
        let age = scalar.properties.age, age.major <= 10
      else { continue }
      compared += 1
      #expect(
        scalar.isPartOfWord == word.contains(scalar.properties.generalCategory), "\(value)")
    }
    #expect(compared > 20_000)
  }
}
