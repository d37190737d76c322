/// Everything that a surface needs, as one immutable value (P4, T5).
///
/// The value does not change while time passes: the surface computes the elapsed time with ``elapsed(at:)`` (P1).
public struct NowPlayingState: Equatable, Sendable {
  /// The number of the state, which increases by one with each publication. Two states of one center with the same
  /// revision are identical.
  public let revision: Int
  /// The primary session; nil if there is none.
  public let session: SessionID?
  /// The content that plays.
  public let content: MediaContent?
  /// The snapshot from which surfaces compute the elapsed time.
  public let playback: MediaPlaybackSnapshot?
  /// The offered commands, in the order of the source (C1).
  public let commands: [CommandOffer]
  /// The first items that play next; at most ``upNextLimit``.
  public let upNext: [UpNextItem]
  /// The template of the source.
  public let template: TemplateState
  /// The head unit's volume.
  public let volume: Volume
  /// The current interruptions, in the order in which they began (E4).
  public let interruptions: [Interruption.Reason]
  /// Why playback is interrupted. Nil if ``status`` is not *interrupted*.
  public let hold: PlaybackHold?
  /// The language for which texts are chosen (P9).
  public let language: LanguageTag
  /// See ``SessionDescription/publishesItself`` (P11).
  public let isSelfPublished: Bool
  /// See ``SessionDescription/obstacle``.
  public let obstacle: Refusal?

  /// Memberwise initializer. Used by the center, and by programs that receive a state over a socket.
  public init(
    revision: Int, session: SessionID? = nil, content: MediaContent? = nil,
    playback: MediaPlaybackSnapshot? = nil, commands: [CommandOffer] = [],
    upNext: [UpNextItem] = [], template: TemplateState = .empty, volume: Volume,
    interruptions: [Interruption.Reason] = [], hold: PlaybackHold? = nil,
    language: LanguageTag = .undefined, isSelfPublished: Bool = false, obstacle: Refusal? = nil
  ) {
    self.revision = revision
    self.session = session
    self.content = content
    self.playback = playback
    self.commands = commands
    self.upNext = upNext
    self.template = template
    self.volume = volume
    self.interruptions = interruptions
    self.hold = hold
    self.language = language
    self.isSelfPublished = isSelfPublished
    self.obstacle = obstacle
  }

  /// Maximum number of items in ``upNext``. A driver looks at the list only for a short time, so few items are enough.
  public static let upNextLimit = 20
}

// Derived values. Surfaces use these values and store no state of their own (S4).
extension NowPlayingState {
  /// The status of playback (S1).
  public var status: PlaybackStatus { playback?.status ?? .stopped }

  /// The cover: exactly one reference per track (A3).
  public var artwork: ArtworkReference {
    content?.artwork.map { .artwork(id: $0.id) } ?? .placeholder
  }

  /// The texts in the state's language (P9).
  public var lines: ContentLines { content?.lines(for: language) ?? ContentLines() }

  /// Length and advertisements (P8).
  public var timeline: PlaybackTimeline {
    PlaybackTimeline(
      duration: content?.duration, adTimeRanges: content?.adTimeRanges ?? [])
  }

  /// The net length, without advertisements (P8); nil if unknown.
  public var duration: MediaDuration? { timeline.netDuration }

  /// The net elapsed time at a moment. The time is never negative and never after ``duration``. Nil if the content has
  /// no elapsed time.
  public func elapsed(at now: MonotonicInstant) -> Duration? {
    playback.flatMap { timeline.elapsed(of: $0, at: now) }
  }

  /// The three large buttons of the screen.
  public var transport: TransportState { TransportState(commands: commands, status: status) }

  /// The offer of a command; nil if the command is not offered.
  public func command(_ kind: CommandKind) -> CommandOffer? {
    commands.first { $0.kind == kind }
  }

  /// The repeat mode (S3); off if the source does not offer the command.
  public var repeatMode: MediaCommand.RepeatMode {
    if case .repeatMode(let mode, _) = command(.changeRepeatMode)?.parameters { return mode }
    return .off
  }

  /// The shuffle mode (S3); off if the source does not offer the command.
  public var shuffleMode: MediaCommand.ShuffleMode {
    if case .shuffleMode(let mode, _) = command(.changeShuffleMode)?.parameters { return mode }
    return .off
  }

  /// True if two states are equal apart from their revisions.
  func equalsIgnoringRevision(_ other: NowPlayingState) -> Bool {
    renumbered(0) == other.renumbered(0)
  }

  func renumbered(_ revision: Int) -> NowPlayingState {
    NowPlayingState(
      revision: revision, session: session, content: content, playback: playback,
      commands: commands, upNext: upNext, template: template, volume: volume,
      interruptions: interruptions, hold: hold, language: language,
      isSelfPublished: isSelfPublished, obstacle: obstacle)
  }
}
