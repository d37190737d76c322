/// A custom button of the Now Playing screen (T3).
public struct NowPlayingButton {
  /// The purpose of the button.
  public enum Kind: Hashable, Sendable {
    /// A picture of the source, by name. It has one colour, which the surface chooses.
    case image(String)
    case shuffle, `repeat`, addToLibrary, more, playbackRate
  }

  /// The purpose of the button.
  public let kind: Kind
  /// If false, the button is grey and has no effect.
  public var isEnabled: Bool
  /// If true, the button is drawn as switched on. A button with a command takes this from the
  /// command instead.
  public var isSelected: Bool
  /// If nil, the head unit performs ``request``, or sets the next value that the command supports.
  let handler: MediaCommand.Handler?
  /// The request that the head unit performs on a tap.
  let request: CommandRequest?

  private init(
    _ kind: Kind, isSelected: Bool = false, request: CommandRequest? = nil,
    _ handler: MediaCommand.Handler? = nil
  ) {
    self.kind = kind
    self.isSelected = isSelected
    self.request = request
    isEnabled = true
    self.handler = handler
  }

  /// A button that sends a command. It is grey if the command is disabled (C1), and switched on if
  /// the command's mark is set (like, dislike, bookmark). A tap on a set mark clears it.
  public static func performing(_ request: CommandRequest, as kind: Kind) -> NowPlayingButton {
    NowPlayingButton(kind, request: request)
  }

  /// A button with a picture of the source.
  public static func image(
    _ name: String, isSelected: Bool = false, _ handler: @escaping MediaCommand.Handler
  ) -> NowPlayingButton {
    NowPlayingButton(.image(name), isSelected: isSelected, handler)
  }

  /// Shuffle. Without a handler the head unit sets the next mode that the command supports.
  public static func shuffle(_ handler: MediaCommand.Handler? = nil) -> NowPlayingButton {
    NowPlayingButton(.shuffle, handler)
  }

  /// Repeat. Without a handler the head unit sets the next mode that the command supports.
  public static func `repeat`(_ handler: MediaCommand.Handler? = nil) -> NowPlayingButton {
    NowPlayingButton(.repeat, handler)
  }

  /// Playback rate. Without a handler the head unit sets the next rate that the command supports.
  public static func playbackRate(_ handler: MediaCommand.Handler? = nil) -> NowPlayingButton {
    NowPlayingButton(.playbackRate, handler)
  }

  /// Adds what plays to the library.
  public static func addToLibrary(_ handler: @escaping MediaCommand.Handler) -> NowPlayingButton {
    NowPlayingButton(.addToLibrary, handler)
  }

  /// Opens more choices.
  public static func more(_ handler: @escaping MediaCommand.Handler) -> NowPlayingButton {
    NowPlayingButton(.more, handler)
  }

  /// The same button, enabled or disabled.
  public func enabled(_ isEnabled: Bool) -> NowPlayingButton {
    var copy = self
    copy.isEnabled = isEnabled
    return copy
  }

  var command: CommandKind? {
    if case .media(let request)? = request { return request.kind }
    return kind.command
  }
}

extension NowPlayingButton.Kind {
  /// The command whose value the button shows, and which a tap sets if the button has no handler.
  var command: CommandKind? {
    switch self {
    case .shuffle: .changeShuffleMode
    case .repeat: .changeRepeatMode
    case .playbackRate: .changePlaybackRate
    case .image, .addToLibrary, .more: nil
    }
  }
}
