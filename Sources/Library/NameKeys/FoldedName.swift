internal import CUTF8Proc

/// A name without the differences that a search ignores: upper and lower case, accents, vowel points, wide and narrow
/// forms, hiragana and katakana.
///
/// Different spellings of a name have the same folded name, for example the normal forms NFC and NFD.
public struct FoldedName: Equatable, Sendable {
  /// The characters of the folded name, in the normal form NFC.
  public let scalars: [Unicode.Scalar]

  /// The folded name as text.
  public var text: String {
    String(unsafeUninitializedCapacity: scalars.count * 4) { bytes in
      var count = 0
      for scalar in scalars {
        for byte in UTF8.encode(scalar).unsafelyUnwrapped {
          bytes[count] = byte
          count += 1
        }
      }
      return count
    }
  }

  /// - Parameter scalars: the characters of a folded name.
  init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// Folds `name`. Any text is accepted.
  public init(_ name: String) {
    if let ascii = Self.foldedASCII(name) {
      scalars = ascii
      return
    }
    var folded: [Unicode.Scalar] = []
    var base: Unicode.Scalar = " "
    var mustCompose = false
    let decomposed = Self.decomposed(name)
    folded.reserveCapacity(decomposed.count)
    for scalar in decomposed {
      let combining = Self.combiningClass(scalar)
      if combining == 0 { base = scalar }
      if Self.isAccent(scalar, combining, after: base) {
        // An accent without a letter, such as `´`, is decomposed into a space and a mark. It is used as an apostrophe.
        if base == " ", folded.last == " " { folded[folded.count - 1] = "'" }
        continue
      }
      if combining != 0 || (0x1100...0x11FF).contains(scalar.value) { mustCompose = true }
      if let letters = Self.replacement(of: scalar) {
        folded += letters
      } else if (0x30A1...0x30F6).contains(scalar.value) {
        // Katakana become hiragana.
        folded.append(Unicode.Scalar(scalar.value - 0x60) ?? scalar)
      } else {
        folded.append(scalar)
      }
    }
    // Hangul, and letters whose marks were kept, were decomposed above. They are composed again.
    scalars = mustCompose ? Self.composed(folded) : folded
  }

  /// Folds a name in ASCII without the Unicode tables, which is faster. Nil if the name contains other characters.
  private static func foldedASCII(_ name: String) -> [Unicode.Scalar]? {
    var name = name
    return name.withUTF8 { bytes in
      // Control characters need the tables, which remove or replace them.
      guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
      return [Unicode.Scalar](unsafeUninitializedCapacity: bytes.count) { scalars, count in
        for (index, byte) in bytes.enumerated() {
          // The grave accent, which people type as an apostrophe, becomes one.
          let folded =
            (0x41...0x5A).contains(byte) ? byte + 0x20 : byte == 0x60 ? 0x27 : byte
          scalars.initializeElement(at: index, to: Unicode.Scalar(folded))
        }
        count = bytes.count
      }
    }
  }

  /// The Unicode version of the tables of utf8proc.
  static let unicodeVersion = String(cString: utf8proc_unicode_version())

  private static let decomposition =
    UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue
    | UTF8PROC_IGNORE.rawValue
  private static let composition = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue

  /// Letters that Unicode does not decompose, with the letters that users type instead.
  private static let replacements: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ø": ["o"], "ł": ["l"], "đ": ["d"], "ħ": ["h"], "ŧ": ["t"], "ı": ["i"], "ŋ": ["n", "g"],
    "æ": ["a", "e"], "œ": ["o", "e"], "þ": ["t", "h"], "ð": ["d"], "ĸ": ["k"],
    // Characters that are used as apostrophes.
    "`": ["'"], "\u{2B9}": ["'"], "\u{2BB}": ["'"], "\u{2BC}": ["'"], "\u{2BD}": ["'"],
    "\u{2BE}": ["'"], "\u{2BF}": ["'"], "\u{2C8}": ["'"], "\u{2CA}": ["'"], "\u{2CB}": ["'"],
    "\u{2018}": ["'"], "\u{2019}": ["'"], "\u{201B}": ["'"], "\u{2032}": ["'"],
    // Arabic: alef maksura is typed as yeh. The tatweel, which only lengthens a line, is removed.
    "\u{649}": ["\u{64A}"], "\u{640}": [],
  ]

  private static func replacement(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    switch scalar.value {
    case 0x60, 0xE6...0x153, 0x2B9...0x2CB, 0x640...0x649, 0x2018...0x2032: replacements[scalar]
    default: nil
    }
  }

  /// True for a mark that is removed, because it does not make another letter. In Cyrillic, only stress marks and the
  /// dots of ё are removed, because й and ї are separate letters. Marks of Kana and of Indic scripts are kept, too.
  private static func isAccent(
    _ scalar: Unicode.Scalar, _ combining: Int16, after base: Unicode.Scalar
  ) -> Bool {
    switch combining {
    // The vowel points of Hebrew and Arabic.
    case 10...35: true
    case 200...240:
      (0x400...0x52F).contains(base.value)
        ? scalar == "\u{300}" || scalar == "\u{301}" || scalar == "\u{308}" && base == "е" : true
    default: false
    }
  }

  private static func combiningClass(_ scalar: Unicode.Scalar) -> Int16 {
    // Below U+0300 there are no combining marks.
    scalar.value < 0x300
      ? 0 : utf8proc_get_property(Int32(scalar.value)).pointee.combining_class
  }

  /// The name in the normal form NFKD, case-folded.
  private static func decomposed(_ name: String) -> [Unicode.Scalar] {
    var name = name
    return name.withUTF8 { bytes in
      let options = utf8proc_option_t(rawValue: decomposition)
      func decompose(_ capacity: Int) -> (characters: [Int32], needed: Int) {
        var needed = 0
        let characters = [Int32](unsafeUninitializedCapacity: capacity) { buffer, count in
          needed = utf8proc_decompose(
            bytes.baseAddress, bytes.count, buffer.baseAddress, capacity, options)
          count = (0...capacity).contains(needed) ? needed : 0
        }
        return (characters, needed)
      }
      var result = decompose(bytes.count)
      // Seldom, the result has more characters than the name has bytes. Then the name is decomposed again into a larger
      // buffer.
      if result.needed > bytes.count { result = decompose(result.needed) }
      return result.characters.compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
    }
  }

  private static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var characters = scalars.map { Int32(bitPattern: $0.value) }
    let options = utf8proc_option_t(rawValue: composition)
    let count = characters.withUnsafeMutableBufferPointer {
      utf8proc_normalize_utf32($0.baseAddress, $0.count, options)
    }
    return characters.prefix(max(0, count)).compactMap {
      Unicode.Scalar(UInt32(bitPattern: $0))
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
    if isSyllableOrIdeograph, !(0x3040...0x30FF).contains(value) { return true }
    switch category {
    case UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT, UTF8PROC_CATEGORY_LM,
      UTF8PROC_CATEGORY_LO, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ND,
      UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_NO:
      return true
    default: return false
    }
  }

  /// The category in the table of utf8proc, which is faster than Swift's properties.
  private var category: utf8proc_category_t { utf8proc_category(Int32(value)) }

  /// The value of a decimal digit of any script. Nil for other characters.
  var digit: UInt8? {
    if value < 0x80 { return (0x30...0x39).contains(value) ? UInt8(value - 0x30) : nil }
    guard category == UTF8PROC_CATEGORY_ND, properties.numericType == .decimal,
      let value = properties.numericValue
    else { return nil }
    return UInt8(value)
  }

  /// True for Han, Kana and Hangul. Each of these characters counts as a word (``SearchWords``).
  var isSyllableOrIdeograph: Bool {
    switch value {
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: value == 0x3005 || value == 0x3007
    }
  }
}
