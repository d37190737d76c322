internal import Glibc

/// Converts file names between bytes and text. File names are bytes, and old sticks contain names that are not UTF-8.
/// In a `String`, a byte that is not UTF-8 (0x80 … 0xFF) is stored as a private-use character (U+10FF7E … U+10FFFD). So
/// each name can be shown and compared. To open a file, its name is converted back to bytes.
///
/// If a name itself contains one of these private-use characters, this character is stored byte by byte too. So two
/// different names never have the same text. The noncharacters of Unicode are also stored byte by byte, because D-Bus
/// cannot transmit them.
public enum FileName {
  private static let base: UInt32 = 0x10FF00
  private static let stored: ClosedRange<UInt32> = base + 0x7E...base + 0xFD

  /// The text of a name or path.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    // Each character that is stored byte by byte begins with a byte of at least 0xEF. Most texts contain no such byte.
    if let text = String(validating: bytes, as: UTF8.self),
      bytes.allSatisfy({ $0 < 0xEF }) || !text.unicodeScalars.contains(where: isStoredByBytes)
    {
      return text
    }
    var result = String.UnicodeScalarView()
    var decoder = UTF8()
    var rest = bytes[...]
    while !rest.isEmpty {
      var iterator = rest.makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator), !isStoredByBytes(scalar) {
        result.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        // This byte is 0x80 or greater: the decoder rejects it, or it is part of a character that is stored byte by
        // byte.
        result.append(scalar(of: rest.removeFirst()))
      }
      decoder = UTF8()
    }
    return String(result)
  }

  private static func isStoredByBytes(_ scalar: Unicode.Scalar) -> Bool {
    stored.contains(scalar.value) || (0xFDD0...0xFDEF).contains(scalar.value)
      || scalar.value & 0xFFFE == 0xFFFE
  }

  /// U+10FFFE and U+10FFFF are noncharacters, so the bytes 0xFE and 0xFF are stored as U+10FF7E and U+10FF7F.
  private static func scalar(of byte: UInt8) -> Unicode.Scalar {
    let offset = byte < 0xFE ? byte : byte & 0x7F
    return Unicode.Scalar(base + UInt32(offset)) ?? "\u{FFFD}"
  }

  /// The bytes of a name or path, for the system, without a terminating NUL.
  public static func bytes(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in text.unicodeScalars {
      if stored.contains(scalar.value) {
        result.append(UInt8(scalar.value - base) | 0x80)
      } else {
        result += UTF8.encode(scalar).map { Array($0) } ?? []
      }
    }
    return result
  }

  /// The name of a file without its suffix. A name that begins with its only dot has no suffix.
  package static func withoutSuffix(_ name: some BidirectionalCollection<UInt8>) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return text(name)
    }
    return text(name[..<dot])
  }

  /// The name for C functions, with a terminating NUL.
  package static func cString(_ text: String) -> [CChar] { cString(bytes(text)) }

  /// The name for C functions, with a terminating NUL.
  package static func cString(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }
}

extension UTF8 {
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    UTF8.encode(scalar)?.count ?? 1
  }
}
