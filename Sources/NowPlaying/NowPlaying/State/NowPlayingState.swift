/// Everything that a surface needs to know, as one immutable value (P4, T5).
///
/// Nothing in it changes while time passes: elapsed time is inferred from it by whoever shows it
/// (P1), with ``elapsed(at:)``.
public struct NowPlayingState: Equatable, Sendable {
  /// Grows with every published state; two states of one center with the same revision are the
  /// same.
  public let revision: Int
  /// Who is Now Playing; nil is nobody.
  public let session: SessionID?
  /// What plays.
  public let content: MediaContent?
  /// Where it was, and how it goes on.
  public let playback: MediaPlaybackSnapshot?
  /// What can be asked, in the source's order (C1).
  public let commands: [CommandOffer]
  /// What comes next, the first ones.
  public let upNext: [UpNextItem]
  /// What the source adds to the screen.
  public let template: TemplateState
  /// The head unit's volume.
  public let volume: Volume
  /// What holds playback now, in the order in which it began (E4).
  public let interruptions: [Interruption.Reason]
  /// The language that texts are chosen for (P9).
  public let language: LanguageTag
  /// The source's own surface shows this by itself (P11).
  public let isSelfPublished: Bool

  /// See the fields. Made by the center, and by whoever receives one over a wire.
  public init(
    revision: Int, session: SessionID? = nil, content: MediaContent? = nil,
    playback: MediaPlaybackSnapshot? = nil, commands: [CommandOffer] = [],
    upNext: [UpNextItem] = [], template: TemplateState = .empty, volume: Volume,
    interruptions: [Interruption.Reason] = [], language: LanguageTag = .undefined,
    isSelfPublished: Bool = false
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
    self.language = language
    self.isSelfPublished = isSelfPublished
  }

  /// More of what comes next is not carried: it is for glancing at.
  public static let upNextLimit = 20
}

// What follows from it. No surface keeps a truth of its own beside these (S4).
extension NowPlayingState {
  /// What playback is called (S1).
  public var status: PlaybackStatus { playback?.status ?? .stopped }

  /// The cover: one reference per track, never nothing (A3).
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

  /// Net (P8); nil where unknown.
  public var duration: MediaDuration? { timeline.netDuration }

  /// Net elapsed time at a moment: never negative, never past ``duration``; nil where there is
  /// none.
  public func elapsed(at now: MonotonicInstant) -> Duration? {
    playback.flatMap { timeline.elapsed(of: $0, at: now) }
  }

  /// The three large buttons.
  public var transport: TransportState { TransportState(commands: commands, status: status) }

  /// What can be asked of a command; nil where it is not offered.
  public func command(_ kind: CommandKind) -> CommandOffer? {
    commands.first { $0.kind == kind }
  }

  /// What happens at the end; off where the source does not say (S3).
  public var repeatMode: MediaCommand.RepeatMode {
    if case .repeatMode(let mode, _) = command(.changeRepeatMode)?.parameters { return mode }
    return .off
  }

  /// In which order things come; off where the source does not say (S3).
  public var shuffleMode: MediaCommand.ShuffleMode {
    if case .shuffleMode(let mode, _) = command(.changeShuffleMode)?.parameters { return mode }
    return .off
  }

  /// Whether two states say the same, whatever their revisions.
  func saysTheSame(as other: NowPlayingState) -> Bool { renumbered(0) == other.renumbered(0) }

  func renumbered(_ revision: Int) -> NowPlayingState {
    NowPlayingState(
      revision: revision, session: session, content: content, playback: playback,
      commands: commands, upNext: upNext, template: template, volume: volume,
      interruptions: interruptions, language: language, isSelfPublished: isSelfPublished)
  }
}
