/// A custom button of the Now Playing screen (T3).
public struct NowPlayingButton {
  /// What it is for.
  public enum Kind: Hashable, Sendable {
    /// A picture of the source's, of one colour, which the surface paints; by its name.
    case image(String)
    case shuffle, `repeat`, addToLibrary, more, playbackRate
  }

  /// What it is for.
  public let kind: Kind
  /// Greyed and inert where false.
  public var isEnabled: Bool
  /// Drawn as switched on; shuffle, repeat and rate know that by themselves.
  public var isSelected: Bool
  /// Nil: the head unit performs ``request``, or steps through what the command supports.
  let handler: MediaCommand.Handler?
  /// What the head unit does for a tap.
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

  /// A button that is a command with another face. It is greyed where the command is (C1), on where
  /// that is on (like, dislike, bookmark), and a tap on one that is on takes it back.
  public static func performing(_ request: CommandRequest, as kind: Kind) -> NowPlayingButton {
    NowPlayingButton(kind, request: request)
  }

  /// A picture of the source's.
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

  /// Opens more.
  public static func more(_ handler: @escaping MediaCommand.Handler) -> NowPlayingButton {
    NowPlayingButton(.more, handler)
  }

  /// The same, enabled or not.
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
  /// The command that draws it, and that it sets without a handler.
  var command: CommandKind? {
    switch self {
    case .shuffle: .changeShuffleMode
    case .repeat: .changeRepeatMode
    case .playbackRate: .changePlaybackRate
    case .image, .addToLibrary, .more: nil
    }
  }
}
