package import Reports
internal import Text

/// Removes what leads to a person from the lines of a report: names and addresses of phones and of other devices at
/// Bluetooth. It follows the rules of the kept logs (`board/helpers/redact.c`).
package struct PhoneRedaction {
  /// The beginnings of events whose sentences can name a phone.
  private static let naming = ["bluetooth.", "phone.", "keys.", "input.", "command"]
  /// Exceptions: the beginnings of events whose sentences name no phone.
  private static let nameless = [
    "bluetooth.bus-lost: ", "bluetooth.service-", "bluetooth.adapter-", "bluetooth.not-set: ",
    "bluetooth.agent-refused: ", "bluetooth.pairing-opened: ", "bluetooth.pairing-closed: ",
    "bluetooth.discovery-failed: ", "bluetooth.player-re", "phone.endpoint-refused: ",
    "keys.failed: ",
  ]
  private static let pairs = 6
  private static let maximumDevices = 99

  /// The known names, the longest first, with their labels.
  private var names: [(name: String, label: String)] = []
  /// The labels of the addresses, with `:` and in capitals.
  private var labels: [String: String] = [:]

  /// - Parameter phones: the devices whose names are replaced. Nil if they are not known; then only addresses, and the
  ///   sentences of the log that can name a phone, are replaced.
  package init(_ phones: PhonesState?) {
    let devices = (phones?.phones ?? []) + (phones?.found ?? [])
    for (index, device) in devices.prefix(Self.maximumDevices).enumerated() {
      let label = "[phone \(index + 1)]"
      labels[device.address.uppercased()] = label
      // A name of one character would replace parts of other words.
      if device.name.utf8.count > 1 { names.append((device.name, label)) }
    }
    if let request = phones?.request, request.name.utf8.count > 1 {
      names.append((request.name, "[phone]"))
    }
    names.sort { $0.name.utf8.count > $1.name.utf8.count }
  }

  /// The line without names and addresses.
  package mutating func redacted(_ line: String) -> String {
    var bytes = Array(line.utf8)
    if let hidden = Self.hidden(in: bytes) {
      var kept: [UInt8] = [UInt8(ascii: "*")]
      for address in addresses(in: bytes[hidden]) {
        kept += Array(" \(label(of: bytes[address]))".utf8)
      }
      bytes.replaceSubrange(hidden, with: kept)
    }
    for address in addresses(in: bytes[...]).reversed() {
      bytes.replaceSubrange(address, with: Array(label(of: bytes[address]).utf8))
    }
    for (name, label) in names {
      bytes = Self.replacing(Array(name.utf8), with: Array(label.utf8), in: bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Sentences

  /// The part of a log line that can contain names.
  private static func hidden(in line: [UInt8]) -> Range<Int>? {
    if let from = end(of: "input: ", in: line[...]),
      let to = last(" as /devices/virtual/", in: line[from...])
    {
      return from..<to
    }
    if let from = end(of: "BLUETOOTH HID ", in: line[...]),
      let open = line[from...].firstIndex(of: UInt8(ascii: "[")),
      let close = line[open...].lastIndex(of: UInt8(ascii: "]"))
    {
      return open + 1..<close
    }
    // `[12.345] warning: program: event: sentence`
    guard line.first == UInt8(ascii: "["), var start = end(of: "] ", in: line[...]) else {
      return nil
    }
    for _ in 0..<3 {
      let rest = line[start...]
      if naming.contains(where: { rest.starts(with: $0.utf8) }) {
        if nameless.contains(where: { rest.starts(with: $0.utf8) }) { return nil }
        guard let from = end(of: ": ", in: rest), from < line.count,
          line[from] != UInt8(ascii: "*")
        else { return nil }
        return from..<line.count
      }
      // The severity, or the name of the program.
      guard let next = end(of: ": ", in: rest),
        rest[start..<(next - 2)].allSatisfy({ isWord($0) })
      else { return nil }
      start = next
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
  }

  // MARK: Addresses

  private func addresses(in line: ArraySlice<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = line.startIndex
    while index < line.endIndex {
      if let end = Self.address(at: index, in: line) {
        found.append(index..<end)
        index = end
      } else {
        index += 1
      }
    }
    return found
  }

  /// The end of an address that begins here. The pairs of digits are separated by `:` or, in paths of bluetoothd, `_`.
  private static func address(at start: Int, in line: ArraySlice<UInt8>) -> Int? {
    if start > line.startIndex, isDigit(line[start - 1]) { return nil }
    var next = start
    var separator: UInt8?
    for pair in 0..<pairs {
      if pair > 0 {
        guard next < line.endIndex, [UInt8(ascii: ":"), UInt8(ascii: "_")].contains(line[next]),
          separator == nil || separator == line[next]
        else { return nil }
        separator = line[next]
        next += 1
      }
      guard next + 1 < line.endIndex, isDigit(line[next]), isDigit(line[next + 1]) else {
        return nil
      }
      next += 2
    }
    return next < line.endIndex && isDigit(line[next]) ? nil : next
  }

  private static func isDigit(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }

  private mutating func label(of address: ArraySlice<UInt8>) -> String {
    let key = String(decoding: address, as: UTF8.self).uppercased()
      .split(separator: "_").joined(separator: ":")
    if let label = labels[key] { return label }
    guard labels.count < 2 * Self.maximumDevices else { return "[device]" }
    let label = "[device \(labels.values.count { $0.hasPrefix("[device") } + 1)]"
    labels[key] = label
    return label
  }

  // MARK: Bytes

  /// The position after the first occurrence of a text.
  private static func end(of text: String, in line: ArraySlice<UInt8>) -> Int? {
    line.firstRange(ofText: text)?.upperBound
  }

  /// The position of the last occurrence of a text.
  private static func last(_ text: String, in line: ArraySlice<UInt8>) -> Int? {
    let wanted = Array(text.utf8)
    return line.indices.last { line[$0...].starts(with: wanted) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber)
  }

  /// Replaces a name where it is not a part of a longer word.
  private static func replacing(_ name: [UInt8], with label: [UInt8], in line: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < line.count {
      let end = index + name.count
      if line[index...].starts(with: name), index == 0 || !isAlphanumeric(line[index - 1]),
        end == line.count || !isAlphanumeric(line[end])
      {
        result += label
        index = end
      } else {
        result.append(line[index])
        index += 1
      }
    }
    return result
  }
}
