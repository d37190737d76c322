/// The meaning of the bytes 0x80 … 0xFF in texts whose encoding is not stated, or stated wrongly. Many old programs
/// write texts in the code page of their Windows version, but state Latin-1. A text that is valid UTF-8 is read as
/// UTF-8, whatever the code page is.
package enum CodePage {
  /// Windows-1252.
  case western
  /// Windows-1251.
  case cyrillic
  /// Windows-1253.
  case greek
  /// Windows-1255.
  case hebrew

  /// The text of these bytes.
  package func string(_ bytes: some Collection<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(decoding: bytes.map(unit), as: UTF16.self)
  }

  private func unit(_ byte: UInt8) -> UInt16 {
    guard byte >= 0x80 else { return UInt16(byte) }
    switch self {
    case .western: return byte < 0xA0 ? Self.punctuation1252[Int(byte) - 0x80] : UInt16(byte)
    case .cyrillic:
      // The letters А … я are in the order of Unicode.
      return byte >= 0xC0 ? 0x0410 + UInt16(byte - 0xC0) : Self.upper1251[Int(byte) - 0x80]
    case .greek:
      if byte >= 0xB8 && ![0xBB, 0xBD, 0xD2, 0xFF].contains(byte) {
        return 0x0370 + UInt16(byte - 0xA0)
      }
      return switch byte {
      case 0xA1: 0x0385
      case 0xAA: 0xFFFD
      case 0xAF: 0x2015
      case 0xB4: 0x0384
      case 0xA2: 0x0386
      case 0x80..<0xA0: Self.punctuation1252[Int(byte) - 0x80]
      case 0xD2, 0xFF: 0xFFFD
      default: UInt16(byte)
      }
    case .hebrew:
      return switch byte {
      case 0xE0...0xFA: 0x05D0 + UInt16(byte - 0xE0)
      case 0xC0...0xD3: 0x05B0 + UInt16(byte - 0xC0)
      case 0xD4...0xD8: 0x05F0 + UInt16(byte - 0xD4)
      case 0xA4: 0x20AA
      case 0xAA: 0x00D7
      case 0xBA: 0x00F7
      case 0xFD, 0xFE: 0x200E + UInt16(byte - 0xFD)
      case 0xD9...0xDF, 0xFB, 0xFC, 0xFF: 0xFFFD
      case 0x80..<0xA0: Self.punctuation1252[Int(byte) - 0x80]
      default: UInt16(byte)
      }
    }
  }

  // MARK: Detection

  /// Chooses the code page of all texts of a tag together.
  ///
  /// In Western languages, single accented letters stand between ASCII letters. In the other scripts, whole words
  /// consist of bytes from 0xC0 on. If most bytes from 0xC0 on are in such whole words, the result is the script whose
  /// frequent letters occur most often in the texts.
  static func detect(_ texts: [[UInt8]]) -> CodePage {
    var inWords = 0
    var isolated = 0
    var counts = [Int](repeating: 0, count: 256)
    for text in texts where String(validating: text, as: UTF8.self) == nil {
      for word in text.split(whereSeparator: { !isLetter($0) }) {
        let high = word.count { $0 >= 0xC0 }
        guard high > 0 else { continue }
        if high == word.count && high > 1 { inWords += high } else { isolated += high }
        for byte in word where byte >= 0xC0 { counts[Int(byte)] += 1 }
      }
    }
    guard inWords > 2 * isolated, inWords >= 3 else { return .western }
    let isHebrew = counts[0xE0...0xFA].reduce(0, +) == counts.reduce(0, +)
    let scores: [(page: CodePage, score: Int)] = [
      (.cyrillic, score(counts, cyrillicFrequencies)), (.greek, score(counts, greekFrequencies)),
      (.hebrew, isHebrew ? score(counts, hebrewFrequencies) : 0),
    ]
    return scores.max { $0.score < $1.score }?.page ?? .western
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0xC0 || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// The sum of the frequencies of the letters. A capital letter counts as the small letter, which is 0x20 higher.
  private static func score(_ counts: [Int], _ frequencies: [Int]) -> Int {
    (0xC0...0xFF).reduce(0) { $0 + counts[$1] * frequencies[($1 | 0x20) - 0xE0] }
  }

  /// The frequency of each letter from 0xE0 on, in thousandths.
  private static let cyrillicFrequencies = [
    80, 16, 45, 17, 30, 85, 9, 17, 74, 12, 35, 44, 32, 67, 110, 28, 47, 55, 63, 26, 3, 10, 5, 14, 7,
    4, 1, 19, 17, 3, 6, 20,
  ]
  private static let greekFrequencies = [
    0, 120, 8, 20, 17, 85, 5, 50, 13, 70, 40, 27, 34, 65, 6, 98, 50, 43, 40, 48, 85, 40, 12, 14, 2,
    18, 0, 0, 15, 12, 10, 0,
  ]
  private static let hebrewFrequencies = [
    50, 47, 13, 25, 85, 100, 9, 25, 13, 110, 5, 25, 65, 30, 45, 15, 30, 15, 30, 3, 17, 2, 10, 20,
    55,
    45, 50, 0, 0, 0, 0, 0,
  ]

  /// Windows-1252 at 0x80 … 0x9F.
  private static let punctuation1252: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
  ]
  /// Windows-1251 at 0x80 … 0xBF.
  private static let upper1251: [UInt16] = [
    0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021, 0x20AC, 0x2030, 0x0409, 0x2039,
    0x040A, 0x040C, 0x040B, 0x040F, 0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0xFFFD, 0x2122, 0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F, 0x00A0, 0x040E, 0x045E, 0x0408,
    0x00A4, 0x0490, 0x00A6, 0x00A7, 0x0401, 0x00A9, 0x0404, 0x00AB, 0x00AC, 0x00AD, 0x00AE, 0x0407,
    0x00B0, 0x00B1, 0x0406, 0x0456, 0x0491, 0x00B5, 0x00B6, 0x00B7, 0x0451, 0x2116, 0x0454, 0x00BB,
    0x0458, 0x0405, 0x0455, 0x0457,
  ]
}
