/// Identifies a GPIO line of the machine.
public struct GPIOAddress: Equatable, Hashable, Sendable {
  /// The property by which a line is found.
  public enum Line: Equatable, Hashable, Sendable {
    /// The number of the line on its chip, from 0.
    case offset(UInt32)
    /// The name of the line, as the board defines it.
    case name(String)
  }

  /// The chip, such as `gpiochip0`. If it is nil, ``line`` must be a name, and the chip is the one that has a line with
  /// this name.
  public var chip: String?
  /// The line on the chip.
  public var line: Line

  /// Creates an address of a line, with or without its chip.
  public init(chip: String? = nil, line: Line) {
    self.chip = chip
    self.line = line
  }

  /// Text for people, such as `line 17 of gpiochip0`.
  public var text: String {
    switch (line, chip) {
    case (.offset(let offset), let chip?): "line \(offset) of \(chip)"
    case (.name(let name), let chip?): "line \(name) of \(chip)"
    case (.name(let name), nil): "GPIO line \(name)"
    case (.offset(let offset), nil): "line \(offset)"
    }
  }
}

/// A line, the level that counts as active, and the resistor that the chip connects to the line.
public struct GPIOLineChoice: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// A resistor inside the chip. It gives a defined level to an input that nothing drives.
  public enum Pull: String, Equatable, Hashable, Sendable {
    case up = "pull-up"
    case down = "pull-down"
  }

  /// The line.
  public var address: GPIOAddress
  /// True if the low level counts as active.
  public var isActiveLow: Bool
  /// The resistor of the line. If nil, the resistors of the chip stay as they are.
  public var pull: Pull?

  /// Creates a choice. If `isActiveLow` is false, the high level counts as active.
  public init(_ address: GPIOAddress, isActiveLow: Bool = false, pull: Pull? = nil) {
    self.address = address
    self.isActiveLow = isActiveLow
    self.pull = pull
  }

  /// The text form that ``init(_:prefix:)`` reads.
  public var description: String {
    let line =
      switch address.line {
      case .offset(let offset): "\(offset)"
      case .name(let name): name
      }
    return (address.chip.map { "\($0)," } ?? "") + line + (isActiveLow ? ",active-low" : "")
      + (pull.map { ",\($0.rawValue)" } ?? "")
  }

  /// The error for a text that does not name a line correctly. No device was opened.
  public struct Invalid: Error, Equatable, Sendable {
    /// What is wrong with the text, for people.
    public let reason: String

    public init(reason: String) { self.reason = reason }
  }

  /// Parses `CHIP,LINE` or `NAME`, optionally followed by `,active-low` and by `,pull-up` or `,pull-down`. The
  /// initialiser does not check whether the line exists. If the line does not exist, a later request for it fails.
  /// - Parameter prefix: the text that precedes the line in the configuration. The examples in error messages begin
  ///   with this text.
  public init(_ text: some StringProtocol, prefix: String = "") throws(Invalid) {
    var parts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    let pull = parts.count > 1 ? parts.last.flatMap { Pull(rawValue: $0) } : nil
    if pull != nil { parts.removeLast() }
    let isActiveLow = parts.count > 1 && parts.last == "active-low"
    if isActiveLow { parts.removeLast() }
    guard !parts.contains(where: { $0.isEmpty }) else {
      let what = prefix.isEmpty ? "it" : "'\(prefix)'"
      throw Invalid(reason: "\(what) needs a line, as in '\(prefix)gpiochip0,17', not '\(text)'")
    }
    switch parts.count {
    case 1:
      let name = parts[0]
      if Self.isNumber(name) {
        throw Invalid(reason: "line \(name) needs a chip, as in '\(prefix)gpiochip0,\(name)'")
      }
      if Self.chip(name) != nil {
        throw Invalid(reason: "\(name) needs a line, as in '\(prefix)\(name),17'")
      }
      self.init(GPIOAddress(line: .name(name)), isActiveLow: isActiveLow, pull: pull)
    case 2:
      guard let chip = Self.chip(parts[0]) else {
        throw Invalid(reason: "a GPIO chip has a name such as 'gpiochip0', not '\(parts[0])'")
      }
      self.init(
        GPIOAddress(chip: chip, line: try Self.line(parts[1])), isActiveLow: isActiveLow,
        pull: pull)
    default:
      throw Invalid(
        reason: "only 'active-low', then 'pull-up' or 'pull-down', can follow a GPIO line, not "
          + "'\(parts[2...].joined(separator: ","))'")
    }
  }

  private static func line(_ text: String) throws(Invalid) -> GPIOAddress.Line {
    guard isNumber(text) else { return .name(text) }
    guard let offset = UInt32(text) else {
      throw Invalid(reason: "the line number \(text) is too large")
    }
    return .offset(offset)
  }

  /// The name of the chip, without `/dev/`. Nil if `text` is not the name of a chip.
  private static func chip(_ text: String) -> String? {
    let name = text.hasPrefix("/dev/") ? text.dropFirst(5) : text[...]
    guard name.hasPrefix("gpiochip"), isNumber(name.dropFirst(8)) else { return nil }
    return String(name)
  }

  private static func isNumber(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
