/// Recognises text and web pages. A music file never consists of characters only: near the start of each music format
/// there are bytes that are not characters.
enum ForeignText {
  /// The format of a file with the first bytes `head`. Nil if one of these bytes is not a character.
  static func format(_ head: [UInt8]) -> ForeignFormat? {
    guard !head.isEmpty else { return nil }
    if isUTF16(head) { return .text }
    guard isText(head) else { return nil }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let begin = head.dropFirst(head.starts(with: byteOrderMark) ? 3 : 0)
      .drop { $0 == 0x20 || (0x09...0x0D).contains($0) }.prefix(14)
      .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return begin.starts(with: "<!doctype html".utf8) || begin.starts(with: "<html".utf8)
      ? .page : .text
  }

  /// True if all bytes are printable characters, spaces or line ends of UTF-8. The last character can be incomplete.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    let controls = bytes.contains { ($0 < 0x20 && !(0x09...0x0D).contains($0)) || $0 == 0x7F }
    guard !controls else { return false }
    var decoder = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var end = 0
    while true {
      switch decoder.parseScalar(from: &rest) {
      case .valid(let scalar): end += scalar.count
      case .emptyInput: return true
      case .error: return end + 4 > bytes.count && end > 0
      }
    }
  }

  /// True if the bytes begin with the byte order mark of UTF-16, and at least three quarters of the first characters
  /// are below U+0100. Windows stores playlists and notes like this.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]), bytes.count >= 4 else { return false }
    let units = min(bytes.count, 256) / 2
    let high = (1..<units).filter { bytes[2 * $0 + (isLittle ? 1 : 0)] == 0 }
    let low = high.filter { bytes[2 * $0 + (isLittle ? 0 : 1)] >= 0x09 }
    return low.count == high.count && 4 * high.count >= 3 * (units - 1)
  }
}
