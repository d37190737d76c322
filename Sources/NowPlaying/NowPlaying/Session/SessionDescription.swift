/// Everything that a source says about itself, as one whole value (P4): there is no way to change a
/// part of it and lose the rest.
public struct SessionDescription {
  /// Where the clock comes from.
  public enum Playback: Hashable, Sendable {
    /// The source keeps it by hand; nil is nothing to show.
    case snapshot(MediaPlaybackSnapshot?)
    /// The session derives it from what the players know (P7, E8).
    case players(SessionPlayers)
  }

  /// What plays; nil is nothing.
  public var content: MediaContent?
  /// Where it is.
  public var playback: Playback
  /// What can be asked of it (C1).
  public var commands: [MediaCommand]
  /// What comes next.
  public var upNext: [UpNextItem]
  /// The source's own surface shows this too (a phone that streams): the content passes as it is,
  /// and what that surface shows is never overwritten (P11).
  public var publishesItself: Bool

  /// See the fields.
  public init(
    content: MediaContent? = nil, playback: Playback = .snapshot(nil),
    commands: [MediaCommand] = [], upNext: [UpNextItem] = [], publishesItself: Bool = false
  ) {
    self.content = content
    self.playback = playback
    self.commands = commands
    self.upNext = upNext
    self.publishesItself = publishesItself
  }
}
