/// The complete description of a source, as one value (P4). A source therefore cannot change one
/// part and lose the others.
public struct SessionDescription {
  /// The origin of the playback clock.
  public enum Playback: Hashable, Sendable {
    /// The source publishes snapshots itself; nil shows no clock.
    case snapshot(MediaPlaybackSnapshot?)
    /// The session derives the clock from the reports of the players (P7, E8).
    case players(SessionPlayers)
  }

  /// The content; nil if nothing plays.
  public var content: MediaContent?
  /// The playback clock.
  public var playback: Playback
  /// The commands that the source offers (C1).
  public var commands: [MediaCommand]
  /// The items that play next.
  public var upNext: [UpNextItem]
  /// True if the source's own surface shows this content too (a phone that streams). The content is
  /// then passed on unchanged, and what that surface shows is never overwritten (P11).
  public var publishesItself: Bool

  /// Memberwise initializer.
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
