internal import Files

/// The lines of a configuration file. A line is `KEY = VALUE`, a comment that begins with `#`, or empty. Comments,
/// empty lines, and spaces around names and values are skipped.
struct ConfigurationLines: Sequence, IteratorProtocol {
  enum Line: Equatable {
    case pair(line: Int, bytes: ArraySlice<UInt8>, name: String, value: String)
    case notice(
      SettingsNotice.Kind, line: Int?, bytes: ArraySlice<UInt8>, cause: SettingsNotice.Cause,
      reason: String)
  }

  /// Maximum number of bytes of a line.
  static let maximumLineBytes = 4096

  private var rest: ArraySlice<UInt8>
  private var number = 0
  private var remarks: [Line] = []

  init(_ source: Configuration.Source) {
    rest = source.bytes.prefix(Configuration.Source.maximumBytes)
    if rest.starts(with: [0xFF, 0xFE]) || rest.starts(with: [0xFE, 0xFF]) {
      remark(.wrong, .utf16, "the file is UTF-16 and is ignored; it must be UTF-8")
      rest = []
    }
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) {
      remark(
        .remark, .byteOrderMark, "the file begins with a byte-order mark, which is skipped")
      rest = rest.dropFirst(3)
    }
    if source.bytes.count > rest.endIndex, !rest.isEmpty {
      // The file was cut at its maximum size. So its last line can be incomplete, and is ignored.
      rest = rest[...(rest.lastIndex(of: newline) ?? rest.startIndex)]
      let limit = "\(Configuration.Source.maximumBytes >> 10) KiB"
      remark(.wrong, .largeFile, "the file is larger than \(limit); the rest is ignored")
    }
  }

  private mutating func remark(
    _ kind: SettingsNotice.Kind, _ cause: SettingsNotice.Cause, _ reason: String
  ) {
    remarks.append(.notice(kind, line: nil, bytes: [], cause: cause, reason: reason))
  }

  mutating func next() -> Line? {
    while true {
      if !remarks.isEmpty { return remarks.removeFirst() }
      guard !rest.isEmpty else { return nil }
      var line = rest.prefix { $0 != newline }
      rest = rest[line.endIndex...].dropFirst()
      number += 1
      // Windows ends a line with CR LF.
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if let found = read(trimmed(line)) { return found }
    }
  }

  private func read(_ line: ArraySlice<UInt8>) -> Line? {
    // A comment is not decoded, because it can have any character set.
    guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
    func wrong(_ cause: SettingsNotice.Cause, _ reason: String) -> Line {
      .notice(.wrong, line: number, bytes: line, cause: cause, reason: reason + "; ignored")
    }
    if line.count > Self.maximumLineBytes {
      return wrong(.longLine, "the line is longer than \(Self.maximumLineBytes) bytes")
    }
    if line.contains(0) { return wrong(.zeroByte, "the line contains a zero byte") }
    guard String(validating: line, as: UTF8.self) != nil else {
      return wrong(.notUTF8, "the line is not UTF-8")
    }
    if line.contains(where: { $0 < 0x20 && $0 != tab || $0 == 0x7F }) {
      return wrong(.controlCharacter, "the line contains a control character")
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
      return wrong(
        .noEqualsSign, "the line has no '='; write 'KEY = VALUE', or begin a comment with '#'")
    }
    let name = trimmed(line[..<equals])
    if name.isEmpty { return wrong(.noKey, "the key before '=' is missing") }
    return .pair(
      line: number, bytes: line, name: String(decoding: name, as: UTF8.self),
      value: FileName.text(trimmed(line[(equals + 1)...])))
  }

  private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { $0 == space || $0 == tab }
    while bytes.last == space || bytes.last == tab { bytes.removeLast() }
    return bytes
  }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
private let tab = UInt8(ascii: "\t")
