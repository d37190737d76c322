internal import CUTF8Proc
internal import Glibc

/// A name without the differences that a person who searches ignores: upper and lower case, accents,
/// vowel points, wide and narrow forms, hiragana and katakana.
///
/// Two spellings of one name have the same folded name, for example in the normal forms NFC and NFD.
public struct FoldedName: Equatable, Sendable {
  /// The characters of the folded name, in the normal form NFC.
  public let scalars: [Unicode.Scalar]

  /// The folded name as text.
  public var text: String { String(String.UnicodeScalarView(scalars)) }

  /// Folds `name`. Any text is accepted.
  public init(_ name: String) {
    if let ascii = Self.foldedASCII(name) {
      scalars = ascii
      return
    }
    var folded: [Unicode.Scalar] = []
    var base: Unicode.Scalar = " "
    var mustCompose = false
    for scalar in Self.mapped(name, Self.decomposition).unicodeScalars {
      let combining = scalar.properties.canonicalCombiningClass.rawValue
      if combining == 0 { base = scalar }
      if Self.isAccent(scalar, combining, after: base) { continue }
      if combining != 0 || (0x1100...0x11FF).contains(scalar.value) { mustCompose = true }
      if let letters = Self.replacements[scalar] {
        folded += letters
      } else if (0x30A1...0x30F6).contains(scalar.value) {
        // Katakana become hiragana.
        folded.append(Unicode.Scalar(scalar.value - 0x60) ?? scalar)
      } else {
        folded.append(scalar)
      }
    }
    guard mustCompose else {
      scalars = folded
      return
    }
    // Hangul and letters with kept marks were decomposed to their parts, and are composed again.
    let text = String(String.UnicodeScalarView(folded))
    scalars = Array(Self.mapped(text, Self.composition).unicodeScalars)
  }

  /// The folded name of a name in ASCII; nil for other names. Most names are in ASCII, and need no tables.
  private static func foldedASCII(_ name: String) -> [Unicode.Scalar]? {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(name.utf8.count)
    for byte in name.utf8 {
      // The tables drop control characters, or replace them.
      guard (0x20..<0x7F).contains(byte) else { return nil }
      scalars.append(Unicode.Scalar((0x41...0x5A).contains(byte) ? byte + 0x20 : byte))
    }
    return scalars
  }

  private static let decomposition =
    UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue
    | UTF8PROC_IGNORE.rawValue
  private static let composition = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue

  /// Letters that Unicode does not decompose, and that people write without their mark.
  private static let replacements: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ø": ["o"], "ł": ["l"], "đ": ["d"], "ħ": ["h"], "ŧ": ["t"], "ı": ["i"], "ŋ": ["n", "g"],
    "æ": ["a", "e"], "œ": ["o", "e"], "þ": ["t", "h"], "ð": ["d"], "ĸ": ["k"],
    "\u{2019}": ["'"],
    // Arabic: alef maksura is typed as yeh, and the lengthening of a line means nothing.
    "\u{649}": ["\u{64A}"], "\u{640}": [],
  ]

  /// True for a mark that does not make another letter. In Cyrillic, only the marks of stress and the dots
  /// of ё are such marks: й and ї are letters of their own. The marks of Kana and of Indic scripts are
  /// parts of the letter.
  private static func isAccent(
    _ scalar: Unicode.Scalar, _ combining: UInt8, after base: Unicode.Scalar
  ) -> Bool {
    switch combining {
    // The points of Hebrew and Arabic.
    case 10...35: true
    case 200...240:
      (0x400...0x52F).contains(base.value)
        ? scalar == "\u{300}" || scalar == "\u{301}" || scalar == "\u{308}" && base == "е" : true
    default: false
    }
  }

  private static func mapped(_ text: String, _ options: UInt32) -> String {
    var text = text
    return text.withUTF8 { bytes in
      var result: UnsafeMutablePointer<UInt8>?
      let count = utf8proc_map(
        bytes.baseAddress, bytes.count, &result, utf8proc_option_t(rawValue: options))
      defer { free(result) }
      guard count >= 0, let result else { return "" }
      return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }
  }
}

extension Unicode.Scalar {
  /// True for a letter, a mark of a letter, or a digit.
  var isPartOfWord: Bool {
    if value < 0x80 {
      return (0x61...0x7A).contains(value) || (0x30...0x39).contains(value)
        || (0x41...0x5A).contains(value)
    }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  /// The value of a decimal digit of any script; nil for other characters.
  var digit: UInt8? {
    if value < 0x80 { return (0x30...0x39).contains(value) ? UInt8(value - 0x30) : nil }
    guard properties.numericType == .decimal, let value = properties.numericValue else {
      return nil
    }
    return UInt8(value)
  }

  /// True for Han, Kana and Hangul, which are written without spaces between words or read syllable by
  /// syllable.
  var isSyllableOrIdeograph: Bool {
    switch value {
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: value == 0x3005 || value == 0x3007
    }
  }
}
