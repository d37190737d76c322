/// Decodes base64 (RFC 4648, section 4) piece by piece, at any offset. Only one piece of the text is in memory. The
/// data ends at the first character outside the alphabet.
final class Base64ByteSource: ByteSource {
  /// Number of characters that are decoded at a time. Four characters are three bytes.
  static let pieceCharacters = 64 * 1024

  private let text: any ByteSource
  private let piece = UnsafeMutableRawBufferPointer.allocate(
    byteCount: pieceCharacters, alignment: 16)
  /// The number of bytes that the length of the text permits. The number becomes smaller when a read finds a character
  /// outside the alphabet.
  private(set) var size: Int64

  init(_ text: any ByteSource) {
    self.text = text
    // A single character at the end has only six bits, so it gives no byte.
    size = text.size / 4 * 3 + max(0, text.size % 4 - 1)
  }

  deinit { piece.deallocate() }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    guard offset >= 0, offset < size else { return 0 }
    let group = offset / 3
    let skipped = Int(offset % 3)
    let groups = min((buffer.count + skipped + 2) / 3, piece.count / 4)
    let filled = try text.fill(
      UnsafeMutableRawBufferPointer(rebasing: piece[..<(groups * 4)]), at: group * 4)
    let decoded = decodeBase64(
      inPlace: UnsafeMutableRawBufferPointer(rebasing: piece[..<filled]))
    if decoded < groups * 3 { size = min(size, group * 3 + Int64(decoded)) }
    let count = min(buffer.count, decoded - skipped)
    guard count > 0 else { return 0 }
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: piece[skipped..<(skipped + count)]))
    return count
  }
}

/// Decodes base64 (RFC 4648, section 4). Stops at the first character outside the alphabet.
func decodeBase64(_ text: some Sequence<UInt8>) -> [UInt8] {
  var bytes = Array(text)
  let count = bytes.withUnsafeMutableBytes { decodeBase64(inPlace: $0) }
  bytes.removeLast(bytes.count - count)
  return bytes
}

/// Decodes base64. The bytes replace the beginning of the text, because they are shorter than the text. Returns the
/// number of bytes. Stops at the first character outside the alphabet.
private func decodeBase64(inPlace text: UnsafeMutableRawBufferPointer) -> Int {
  var bits: UInt32 = 0
  var pending = 0
  var count = 0
  for index in 0..<text.count {
    let character = text[index]
    let value: UInt8
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    default: return count
    }
    bits = bits << 6 | UInt32(value)
    pending += 6
    if pending >= 8 {
      pending -= 8
      text[count] = UInt8(truncatingIfNeeded: bits >> UInt32(pending))
      count += 1
    }
  }
  return count
}
