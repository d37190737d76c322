/// The head unit's inside at one moment, as a value: what the diagnosis looks at.
public struct Inspection: Sendable {
  /// A session.
  public struct Session: Hashable, Sendable {
    /// Which.
    public let id: SessionID
    /// How its sound lives with others.
    public let audio: AudioSession
    /// What was decided about it.
    public let verdict: Arbitration.Verdict
    /// Its commands, live or not.
    public let commands: [CommandOffer]
    /// Its clock as the source says it.
    public let reported: MediaPlaybackSnapshot?
    /// Its length as far as it is known.
    public let duration: MediaDuration?
    /// Its title for everybody.
    public let title: String?
    /// Whether it has a cover to ask for.
    public let hasArtwork: Bool
    /// Whether its output has been taken from it.
    public let isOutputLost: Bool
    /// Whether it has been Now Playing.
    public let wasPrimary: Bool
    /// Whether it made its audio session inactive while it was.
    public let wasDeactivatedAsPrimary: Bool
    /// When it last asked to be Now Playing; 0 is never.
    public let claim: Int
    /// How often it started without an active audio session (E2).
    public let startsWhileInactive: Int
    /// How often a placeholder would have covered what is real (P5).
    public let placeholdersRefused: Int
    /// Buttons on the template.
    public let buttons: Int
    /// Buttons beyond five (T2).
    public let surplusButtons: Int
    /// Configurations after a screen had connected (T1).
    public let lateConfigurations: Int
    /// See ``SessionDescription/publishesItself``.
    public let publishesItself: Bool
  }

  /// A surface.
  public struct Surface: Equatable, Sendable {
    /// Which.
    public let id: SurfaceID
    /// Whether it shows the template.
    public let showsTemplate: Bool
    /// Whether it only sends.
    public let isInputOnly: Bool
    /// What the loop-back has found (C7).
    public let channel: ChannelCheck
    /// What it was given and what it shows (P12).
    public let check: SurfaceGuard
  }

  /// When it was looked at.
  public let at: MonotonicInstant
  /// What surfaces are given.
  public let state: NowPlayingState
  /// In the order in which they were opened.
  public let sessions: [Session]
  /// In the order in which they connected.
  public let surfaces: [Surface]
  /// Whether a surface that shows the template ever connected.
  public let hadScreen: Bool
  /// What became of the last commands.
  public let trace: CommandTrace
  /// What became of covers.
  public let artwork: ArtworkRequests.Counts
  /// Who was Now Playing.
  public let primaryChanges: [PrimaryChange]
  /// How often sources and surfaces answered each other without end.
  public let unsettled: Int

  /// Whom somebody asks about; nil leaves the choice to ``focus``.
  public var about: SessionID?

  /// The session that the questions are about: the one that was named, else who is Now Playing,
  /// else who wanted it last, else the first.
  public var focus: Session? {
    if let about { return sessions.first { $0.id == about } }
    return sessions.first { $0.verdict.isPrimary }
      ?? sessions.reduce(nil) { best, session in
        session.claim > best?.claim ?? -1 ? session : best
      }
  }
}

extension NowPlayingCenter {
  /// Looks at everything.
  public func inspection(at now: MonotonicInstant) -> Inspection {
    Inspection(
      at: now, state: state,
      sessions: records.compactMap { record in
        arbitration[record.id].map { Inspection.Session(record, $0) }
      },
      surfaces: surfaces.map {
        Inspection.Surface(
          id: $0.description.id, showsTemplate: $0.description.showsTemplate,
          isInputOnly: $0.description.isInputOnly, channel: $0.channel, check: $0.check)
      },
      hadScreen: hadScreen, trace: trace, artwork: artworkRequests.counts,
      primaryChanges: primaryChanges,
      unsettled: unsettled)
  }
}

extension Inspection.Session {
  init(_ record: SessionRecord, _ verdict: Arbitration.Verdict) {
    self.init(
      id: record.id, audio: record.audio, verdict: verdict, commands: record.offers,
      reported: record.reported, duration: record.content?.duration,
      title: record.content?.lines().title, hasArtwork: record.content?.artwork != nil,
      isOutputLost: record.isOutputLost, wasPrimary: record.wasPrimary,
      wasDeactivatedAsPrimary: record.wasDeactivatedAsPrimary, claim: record.claim,
      startsWhileInactive: record.startsWhileInactive,
      placeholdersRefused: record.placeholdersRefused,
      buttons: record.template.nowPlayingButtons.count,
      surplusButtons: record.template.surplusButtons,
      lateConfigurations: record.lateConfigurations,
      publishesItself: record.description.publishesItself)
  }
}
