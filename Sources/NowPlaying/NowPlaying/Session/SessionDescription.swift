/// The complete description of a source, as one value (P4). So the parts of a description always fit together.
public struct SessionDescription {
  /// Where the playback snapshot comes from.
  public enum Playback: Hashable, Sendable {
    /// The source publishes snapshots itself. If the snapshot is nil, surfaces show no elapsed time.
    case snapshot(MediaPlaybackSnapshot?)
    /// The session derives the snapshot from the reports of the players (P7, E8).
    case players(SessionPlayers)
  }

  /// The content; nil if nothing plays.
  public var content: MediaContent?
  /// The origin of the playback snapshot.
  public var playback: Playback
  /// The commands that the source offers (C1).
  public var commands: [MediaCommand]
  /// The items that play next.
  public var upNext: [UpNextItem]
  /// True if the source has a surface of its own that shows this content too, such as the display of a phone that
  /// streams its music. In this case the center passes the content on unchanged, and never repairs what a surface shows
  /// (P11).
  public var publishesItself: Bool
  /// True while the source waits for content that a person has chosen. The source will play this content by itself when
  /// the content arrives. While the source waits, *pause* and *stop* always reach it.
  public var awaitsContent = false
  /// Why the source cannot play now, in its own words. Nil if it can. Surfaces show the reason, and commands that the
  /// source does not offer are refused with it.
  public var obstacle: Refusal?

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
