/// A button of the screen from the configuration.
public struct ScreenButton: Hashable, Sendable, CustomStringConvertible {
  /// The purpose of the button.
  public enum Kind: Hashable, Sendable {
    /// Buttons that show their state. A tap selects the next value that the source supports.
    case shuffle, `repeat`, rate, stars
    /// Buttons that need a command.
    case add, more
    /// A button with the picture of this name.
    case image(String)
  }

  /// The action of a tap on a button.
  public enum Command: Hashable, Sendable {
    case play, pause, toggle, stop, next, previous
    /// Seeks forward by this time, in whole milliseconds, above 0.
    case forward(Duration)
    /// Seeks back by this time, in whole milliseconds, above 0.
    case back(Duration)
    /// Plays the next or previous album, folder or playlist, like the key with the same name.
    case nextAlbum, previousAlbum, nextFolder, previousFolder, nextPlaylist, previousPlaylist
    /// Sets the mark for the content that plays, or clears the mark if it is already set.
    case like, dislike, bookmark
    /// Changes the volume by this percentage, −100 … 100 but not 0.
    case volume(Int)
    case mute
    case chime
  }

  /// The purpose of the button.
  public let kind: Kind
  /// The command of a tap. Nil for kinds that need no command.
  public let command: Command?

  public init(kind: Kind, command: Command? = nil) {
    self.kind = kind
    self.command = command
  }

  /// The text as written in the configuration.
  public var description: String { command.map { "\(kind.word): \($0.text)" } ?? kind.word }
}

extension ScreenButton {
  private static let plain: [Command] = [
    .play, .pause, .toggle, .stop, .next, .previous, .nextAlbum, .previousAlbum, .nextFolder,
    .previousFolder, .nextPlaylist, .previousPlaylist, .like, .dislike, .bookmark, .mute, .chime,
  ]

  static func read(_ text: String) throws(ValueRefusal) -> ScreenButton {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = trimmed(parts.first ?? "")
    let kind = try Kind(name)
    guard parts.count == 2 else {
      guard kind.needsNoCommand else {
        throw ValueRefusal(
          "'\(name)' needs a command, such as '\(name): \(plain[4].text)'", .missingCommand)
      }
      return ScreenButton(kind: kind)
    }
    guard !kind.needsNoCommand else {
      throw ValueRefusal("'\(name)' accepts no command", .unexpectedCommand)
    }
    return ScreenButton(kind: kind, command: try command(trimmed(parts[1])))
  }

  private static func command(_ text: String) throws(ValueRefusal) -> Command {
    if let command = plain.first(where: { $0.text == text }) { return command }
    let words = text.split(separator: " ", maxSplits: 1).map { trimmed($0) }
    guard words.count == 2 else { throw ValueRefusal(hint, .unknownCommand) }
    switch words[0] {
    case "forward", "back":
      let time = try ValueFormat<Duration>.duration(.seconds(1) ... .seconds(600)).read(words[1])
      return words[0] == "forward" ? .forward(time) : .back(time)
    case "volume":
      guard let steps = Decimal(withoutUnit(words[1], "%"))?.times(1), (-100...100).contains(steps),
        steps != 0
      else { throw ValueRefusal("expected -100 to 100 %, such as 'volume +5 %'") }
      return .volume(Int(steps))  // in range: the condition above
    default: throw ValueRefusal(hint, .unknownCommand)
    }
  }

  private static let hint =
    "expected a command: \(listed(plain.map { "'\($0.text)'" } + ["'forward 30 s'", "'back 30 s'", "'volume +5 %'"]))"
}

extension ScreenButton.Kind {
  init(_ name: String) throws(ValueRefusal) {
    switch name {
    case "shuffle": self = .shuffle
    case "repeat": self = .repeat
    case "rate": self = .rate
    case "stars": self = .stars
    case "add": self = .add
    case "more": self = .more
    default:
      guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isLetterDigitOrDash) else {
        throw ValueRefusal("expected a name of 1 to 64 letters, digits and '-'", .invalidName)
      }
      self = .image(name)
    }
  }

  var word: String {
    switch self {
    case .shuffle: "shuffle"
    case .repeat: "repeat"
    case .rate: "rate"
    case .stars: "stars"
    case .add: "add"
    case .more: "more"
    case .image(let name): name
    }
  }

  /// True if the kind of the button determines the command.
  var needsNoCommand: Bool { [.shuffle, .repeat, .rate, .stars].contains(self) }
}

extension ScreenButton.Command {
  var text: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .toggle: "toggle"
    case .stop: "stop"
    case .next: "next"
    case .previous: "previous"
    case .forward(let time): "forward \(durationText(time))"
    case .back(let time): "back \(durationText(time))"
    case .nextAlbum: "next-album"
    case .previousAlbum: "previous-album"
    case .nextFolder: "next-folder"
    case .previousFolder: "previous-folder"
    case .nextPlaylist: "next-playlist"
    case .previousPlaylist: "previous-playlist"
    case .like: "like"
    case .dislike: "dislike"
    case .bookmark: "bookmark"
    case .volume(let steps): "volume \(steps > 0 ? "+" : "")\(steps) %"
    case .mute: "mute"
    case .chime: "chime"
    }
  }
}

/// The picture of a button from the configuration.
public struct ScreenButtonPicture: Hashable, Sendable, CustomStringConvertible {
  /// The origin of the shape.
  public enum Source: Hashable, Sendable {
    /// The attribute `d` of an SVG path, in a view box of 24 by 24 units. Only the code that draws the path validates
    /// the attribute completely.
    case svgPath(String)
    /// A PNG file.
    case file(String)
  }

  /// The name of the picture, to which buttons refer.
  public let name: String
  /// The origin of the shape.
  public let source: Source

  /// The text as written in the configuration.
  public var description: String {
    switch source {
    case .svgPath(let path), .file(let path): "\(name): \(path)"
    }
  }

  static func read(_ text: String) throws(ValueRefusal) -> ScreenButtonPicture {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, case .image(let name) = try ScreenButton.Kind(trimmed(parts[0])) else {
      throw ValueRefusal("expected the name of your own button, ':' and its picture")
    }
    let picture = trimmed(parts[1])
    if picture.hasPrefix("/") {
      return ScreenButtonPicture(name: name, source: .file(picture))
    }
    guard let first = picture.utf8.first, [UInt8(ascii: "M"), UInt8(ascii: "m")].contains(first)
    else { throw ValueRefusal("expected an SVG path, which begins with M, or the path of a file") }
    guard picture.utf8.allSatisfy(isPathByte) else {
      throw ValueRefusal("the SVG path contains an invalid character")
    }
    return ScreenButtonPicture(name: name, source: .svgPath(picture))
  }
}

private func isLetterDigitOrDash(_ byte: UInt8) -> Bool {
  isLetterOrDigit(byte) || byte == UInt8(ascii: "-")
}

private func isPathByte(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte) || " ,.+-eE".utf8.contains(byte)
    || "MmLlHhVvCcSsQqTtAaZz".utf8.contains(byte)
}

private func trimmed(_ text: some StringProtocol) -> String {
  var bytes = Array(text.utf8)[...]
  while bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
  while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
  return String(decoding: bytes, as: UTF8.self)
}
