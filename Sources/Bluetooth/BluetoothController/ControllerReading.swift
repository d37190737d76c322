/// Strength and quality of a link.
package struct LinkReading: Hashable, Sendable {
  /// Signal strength. For a low energy link: in dBm. For a classic link: the distance in dB above or below the range in
  /// which the controller receives best; 0 is within that range (Core, Vol 4, Part E, 7.5.4). Nil if the controller
  /// does not report the strength.
  package var signal: Int?
  /// True if the link is a low energy link.
  package var isLowEnergy: Bool
  /// The quality of the link, 0 to 255. A higher value is better. The manufacturer of the controller defines the scale.
  /// Nil if the controller does not report the quality.
  package var quality: Int?

  package init(signal: Int? = nil, isLowEnergy: Bool = false, quality: Int? = nil) {
    self.signal = signal
    self.isLowEnergy = isLowEnergy
    self.quality = quality
  }
}

/// The data that were read from one controller.
package struct ControllerReading: Hashable, Sendable {
  /// The details of the controller; nil if the controller did not answer.
  package var details: ControllerDetails?
  /// The links, keyed by the address of the other device, such as `AA:BB:CC:DD:EE:FF`.
  package var links: [String: LinkReading]

  package init(details: ControllerDetails? = nil, links: [String: LinkReading] = [:]) {
    self.details = details
    self.links = links
  }
}

// The output of `autoharp-controller controller N`, which the daemon reads:
//
//     maker Realtek Semiconductor Corporation
//     version 5.1
//     features 2 25 38 51
//     link AA:BB:CC:DD:EE:FF classic signal -7 quality 251
//     link AA:BB:CC:DD:EE:01 low-energy signal -61
//     end
//
// If the controller does not report its details, the first three lines are all missing. An unknown `signal` or
// `quality` is missing. `end` proves that the text is complete.

extension ControllerReading {
  /// Maximum number of links in one reading.
  package static let mostLinks = 16
  /// Limit for the name of a maker or version, in bytes.
  static let longestName = 128

  /// The reading as lines. Each line ends with a line feed, including the last one.
  package var text: String {
    var lines: [String] = []
    if let details {
      let features = details.features.map(\.rawValue).sorted().map { " \($0)" }.joined()
      lines += [
        "maker \(details.manufacturer)", "version \(details.version)", "features\(features)",
      ]
    }
    for (address, link) in links.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "link \(address) \(link.isLowEnergy ? "low-energy" : "classic")"
          + (link.signal.map { " signal \($0)" } ?? "")
          + (link.quality.map { " quality \($0)" } ?? ""))
    }
    return (lines + ["end", ""]).joined(separator: "\n")
  }

  /// Reads a text in the form that is described above. The bytes may be hostile.
  package init(text bytes: [UInt8]) throws(MalformedReading) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
    // The text is split as bytes, not as characters, because in Swift a carriage return and a line feed together are
    // one character.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Substring.init)
    var parser = LineParser()
    for (index, line) in lines.enumerated() {
      // The part after the last line feed is not a complete line.
      guard index + 1 < lines.count else { break }
      if line == "end" {
        guard index + 2 == lines.count, lines[index + 1].isEmpty else { throw .line(index + 2) }
        guard let reading = parser.reading else { throw .line(index + 1) }
        self = reading
        return
      }
      guard parser.parse(line) else { throw .line(index + 1) }
    }
    throw .incomplete
  }
}

/// The reason why the text of a reading is malformed.
package enum MalformedReading: Error, Hashable, CustomStringConvertible {
  /// The bytes are not UTF-8.
  case notText
  /// The line `end` is missing.
  case incomplete
  /// The line with this number is unknown, malformed or a duplicate. The first line is 1.
  case line(Int)

  /// The reason in words.
  package var description: String {
    switch self {
    case .notText: "the reading is not UTF-8"
    case .incomplete: "the reading is incomplete"
    case .line(let number): "line \(number) of the reading is malformed"
    }
  }
}

/// True if a text has no control character. A terminal would execute control characters.
package func isPrintable(_ text: some StringProtocol) -> Bool {
  text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
}

private struct LineParser {
  private var maker: String?
  private var version: String?
  private var features: Set<ControllerDetails.Feature>?
  private var links: [String: LinkReading] = [:]

  /// The result of the lines so far. Nil if only some of the lines `maker`, `version` and `features` were read.
  var reading: ControllerReading? {
    if let maker, let version, let features {
      let details = ControllerDetails(manufacturer: maker, version: version, features: features)
      return ControllerReading(details: details, links: links)
    }
    guard maker == nil, version == nil, features == nil else { return nil }
    return ControllerReading(links: links)
  }

  /// Parses a line. Returns false if the line is malformed.
  mutating func parse(_ line: Substring) -> Bool {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? parts[1] : nil
    switch (parts[0], rest) {
    case ("maker", let name?): return set(&maker, name)
    case ("version", let name?): return set(&version, name)
    case ("features", _): return setFeatures(rest)
    case ("link", let link?): return addLink(link)
    default: return false
    }
  }

  private func set(_ field: inout String?, _ name: Substring) -> Bool {
    guard field == nil, !name.isEmpty, name.utf8.count <= ControllerReading.longestName,
      isPrintable(name)
    else { return false }
    field = String(name)
    return true
  }

  private mutating func setFeatures(_ numbers: Substring?) -> Bool {
    guard features == nil else { return false }
    let words = numbers?.split(separator: " ", omittingEmptySubsequences: false) ?? []
    let found = words.compactMap { Int($0).flatMap(ControllerDetails.Feature.init) }
    guard found.count == words.count, Set(found).count == found.count else { return false }
    features = Set(found)
    return true
  }

  private mutating func addLink(_ text: Substring) -> Bool {
    var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
    guard links.count < ControllerReading.mostLinks, let address = words.popFirst(),
      Self.isAddress(address), links[String(address)] == nil, let kind = words.popFirst(),
      ["classic", "low-energy"].contains(kind)
    else { return false }
    var link = LinkReading(isLowEnergy: kind == "low-energy")
    link.signal = Self.number("signal", Int(Int8.min)...Int(Int8.max), &words)
    link.quality = Self.number("quality", 0...255, &words)
    links[String(address)] = link
    return words.isEmpty
  }

  /// If the words begin with this name and a number, removes both and returns the number.
  private static func number(
    _ name: String, _ range: ClosedRange<Int>, _ words: inout ArraySlice<Substring>
  ) -> Int? {
    guard words.count >= 2, words[words.startIndex] == name,
      let value = Int(words[words.startIndex + 1]), range.contains(value)
    else { return nil }
    words = words.dropFirst(2)
    return value
  }

  /// Checks for the form `AA:BB:CC:DD:EE:FF`.
  private static func isAddress(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 17
      && bytes.indices.allSatisfy { index in
        let byte = bytes[index]
        if index % 3 == 2 { return byte == UInt8(ascii: ":") }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
      }
  }
}
