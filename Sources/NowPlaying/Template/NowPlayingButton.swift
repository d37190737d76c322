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
  /// Nil: the head unit steps through what the command supports.
  let handler: MediaCommand.Handler?

  private init(_ kind: Kind, isSelected: Bool = false, _ handler: MediaCommand.Handler?) {
    self.kind = kind
    self.isSelected = isSelected
    isEnabled = true
    self.handler = handler
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

  var command: CommandKind? { kind.command }
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
