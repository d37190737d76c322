/// A custom button of the Now Playing screen (T3).
public struct NowPlayingButton {
  /// The purpose of the button.
  public enum Kind: Hashable, Sendable {
    /// The name of a picture that the source has set. The surface draws the picture in one of the surface's own
    /// colours.
    case image(String)
    case shuffle, `repeat`, addToLibrary, more, playbackRate, stars
  }

  /// The purpose of the button.
  public let kind: Kind
  /// If false, the button is grey and has no effect.
  public var isEnabled: Bool
  /// If true, the button is drawn as switched on. For a button with a command, the state of the command is used
  /// instead.
  public var isSelected: Bool
  /// The handler of the source. If it is nil, the head unit performs ``request``. If ``request`` is nil too, the head
  /// unit sets the next value that the command supports.
  package let handler: MediaCommand.Handler?
  /// The request that the head unit performs on a tap, if there is no handler.
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

  /// A button that sends a command. The button is grey if the command is disabled (C1). A button for like, dislike or
  /// bookmark is drawn as switched on while the content has this mark. A tap then removes the mark.
  public static func performing(_ request: CommandRequest, as kind: Kind) -> NowPlayingButton {
    NowPlayingButton(kind, request: request)
  }

  /// A button with a picture that the source has set by ``NowPlayingTemplate/setPicture(_:named:)``.
  public static func image(
    _ name: String, isSelected: Bool = false, _ handler: @escaping MediaCommand.Handler
  ) -> NowPlayingButton {
    NowPlayingButton(.image(name), isSelected: isSelected, handler)
  }

  /// A shuffle button. Without a handler, a tap sets the next mode that the command supports.
  public static func shuffle(_ handler: MediaCommand.Handler? = nil) -> NowPlayingButton {
    NowPlayingButton(.shuffle, handler)
  }

  /// A repeat button. Without a handler, a tap sets the next mode that the command supports.
  public static func `repeat`(_ handler: MediaCommand.Handler? = nil) -> NowPlayingButton {
    NowPlayingButton(.repeat, handler)
  }

  /// A button for the playback rate. Without a handler, a tap sets the next rate that the command supports.
  public static func playbackRate(_ handler: MediaCommand.Handler? = nil) -> NowPlayingButton {
    NowPlayingButton(.playbackRate, handler)
  }

  /// A button for the rating. A tap adds a star. If all stars are set, a tap removes all stars.
  public static func stars() -> NowPlayingButton { NowPlayingButton(.stars) }

  /// A button that adds the current content to the library.
  public static func addToLibrary(_ handler: @escaping MediaCommand.Handler) -> NowPlayingButton {
    NowPlayingButton(.addToLibrary, handler)
  }

  /// A button that opens a list of more choices.
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
  /// The command whose value the button shows. If the button has no handler, a tap sends this command.
  var command: CommandKind? {
    switch self {
    case .shuffle: .changeShuffleMode
    case .repeat: .changeRepeatMode
    case .playbackRate: .changePlaybackRate
    case .stars: .stars
    case .image, .addToLibrary, .more: nil
    }
  }
}
