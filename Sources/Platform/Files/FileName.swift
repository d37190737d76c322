internal import Glibc

/// Converts file names between bytes and text. File names are bytes, and old sticks contain names
/// that are not UTF-8. In a `String`, a byte that is not UTF-8 (0x80 … 0xFF) is stored as a
/// private-use character (U+10FF80 … U+10FFFF). Normal names do not contain these characters. So
/// each name can be shown and compared. To open a file, its name is converted back to bytes.
public enum FileName {
  private static let base: UInt32 = 0x10FF00

  /// The text of a name or path.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var result = String.UnicodeScalarView()
    var decoder = UTF8()
    var rest = bytes[...]
    while !rest.isEmpty {
      var iterator = rest.makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator) {
        result.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        // A byte that the decoder rejects is 0x80 or greater.
        if let scalar = Unicode.Scalar(base + UInt32(rest.removeFirst())) { result.append(scalar) }
      }
      decoder = UTF8()
    }
    return String(result)
  }

  /// The bytes of a name or path, for the system, without a terminating zero.
  public static func bytes(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in text.unicodeScalars {
      if (base + 0x80...base + 0xFF).contains(scalar.value) {
        result.append(UInt8(scalar.value - base))
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

  /// The name for C functions, with a terminating zero.
  package static func cString(_ text: String) -> [CChar] { cString(bytes(text)) }

  /// The name for C functions, with a terminating zero.
  package static func cString(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }
}

extension UTF8 {
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    UTF8.encode(scalar)?.count ?? 1
  }
}
