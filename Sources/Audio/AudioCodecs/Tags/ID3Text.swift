/// The texts of ID3v2 frames. The first byte of a frame states the encoding of all its texts.
enum ID3Text {
  /// Decodes a text without its encoding byte.
  static func string(_ bytes: ArraySlice<UInt8>, encoding: UInt8, _ page: CodePage) -> String {
    switch encoding {
    case 1: utf16(bytes)
    case 2: utf16(bytes, isBigEndian: true)
    case 3: String(decoding: bytes, as: UTF8.self)
    default: page.string(bytes)
    }
  }

  /// UTF-16 with a byte order mark. Without the mark, the text is little-endian, as in Windows.
  private static func utf16(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isBigEndian: true) }
    return utf16(bytes.starts(with: [0xFF, 0xFE]) ? bytes.dropFirst(2) : bytes, isBigEndian: false)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Size in bytes of the NUL that ends a text. It is also the smallest size of a character.
  static func unitBytes(_ encoding: UInt8) -> Int { encoding == 1 || encoding == 2 ? 2 : 1 }

  /// Splits the content of a frame at its NULs, into at most `limit` texts. An empty text at the end is left out.
  static func parts(_ bytes: ArraySlice<UInt8>, encoding: UInt8, limit: Int) -> [ArraySlice<UInt8>]
  {
    var parts: [ArraySlice<UInt8>] = []
    var rest = bytes
    while !rest.isEmpty, parts.count < limit {
      guard let end = firstZero(rest, encoding) else {
        parts.append(rest)
        break
      }
      parts.append(rest[..<end])
      rest = rest[(end + unitBytes(encoding))...]
    }
    return parts
  }

  /// The index of the NUL that ends the first text. Nil if there is no NUL.
  static func firstZero(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> Int? {
    guard unitBytes(encoding) == 2 else { return bytes.firstIndex(of: 0) }
    return stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).first {
      bytes[$0] == 0 && bytes[$0 + 1] == 0
    }
  }
}
