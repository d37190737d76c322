/// The internal state of the head unit at one moment, as a value for the diagnosis.
public struct Inspection: Sendable {
  /// A session.
  public struct Session: Hashable, Sendable {
    /// The identity.
    public let id: SessionID
    /// Defines how the sound of the session combines with the sound of other sessions.
    public let audio: AudioSession
    /// The verdict of arbitration.
    public let verdict: Arbitration.Verdict
    /// The commands of the session, including the commands that surfaces do not get while the content is live.
    public let commands: [CommandOffer]
    /// The commands that the content makes impossible now. An impossible command is not a fault.
    public let impossible: Set<CommandKind>
    /// The playback snapshot as the source reports it.
    public let reported: MediaPlaybackSnapshot?
    /// The duration; nil if unknown.
    public let duration: MediaDuration?
    /// The title for the language of the head unit; nil if there is no title for this language.
    public let title: String?
    /// True if the content has artwork.
    public let hasArtwork: Bool
    /// True if the session has lost its output.
    public let isOutputLost: Bool
    /// True if the session has been Now Playing.
    public let wasPrimary: Bool
    /// See ``Candidate/hasEnded``.
    public let hasEnded: Bool
    /// The number of the last claim of the session, see ``Candidate/claim``. 0 if there was no claim.
    public let claim: Int
    /// Number of starts without an active audio session (E2).
    public let startsWhileInactive: Int
    /// Number of buttons on the template.
    public let buttons: Int
    /// Number of buttons after the fifth, which were dropped (T2).
    public let surplusButtons: Int
    /// Number of times that the source configured its template after a screen had connected (T1).
    public let lateConfigurations: Int
    /// See ``SessionDescription/publishesItself``.
    public let publishesItself: Bool
  }

  /// A surface.
  public struct Surface: Equatable, Sendable {
    /// The identity.
    public let id: SurfaceID
    /// True if the surface shows the template.
    public let showsTemplate: Bool
    /// True if the surface only sends commands.
    public let isInputOnly: Bool
    /// The results of the loop-back test (C7).
    public let channel: ChannelCheck
    /// The comparison of the state that the surface was given with the state that it shows (P12).
    public let check: SurfaceGuard
  }

  /// The screens that have connected in this run.
  public enum ScreenHistory: Sendable {
    /// No screen has connected.
    case none
    /// A screen has connected, and has not itself ended its connection.
    case expected
    /// The last screen has itself ended its connection, for example because its display was unplugged.
    case ended
  }

  /// The time of the inspection.
  public let at: MonotonicInstant
  /// The state that surfaces get.
  public let state: NowPlayingState
  /// The sessions, in the order in which they were opened.
  public let sessions: [Session]
  /// The surfaces, in the order in which they connected.
  public let surfaces: [Surface]
  /// The screens of this run, which are the surfaces that show the template.
  public let screenHistory: ScreenHistory
  /// True if a screen should be connected.
  public var hadScreen: Bool { screenHistory == .expected }
  /// The last commands and their results.
  public let trace: CommandTrace
  /// The counters of artwork.
  public let artwork: ArtworkRequests.Counts
  /// The picture of the current content that surfaces got last; nil if surfaces got no picture.
  public let picture: ArtworkRepresentation?
  /// The last changes that explain why music started or stopped.
  public let soundChanges: [SoundChange]
  /// Number of calls of ``NowPlayingCenter`` in which sources and surfaces reacted to each other without end. The
  /// center ends such a call after a fixed number of rounds of changes.
  public let endlessReactionCount: Int

  /// The session that the user of the diagnosis named. If it is nil, ``focus`` chooses a session.
  public var about: SessionID?

  /// The session that the questions of ``DecisionTree`` are about. If ``about`` is set, the result is the session with
  /// this identity, or nil if this session does not exist. If ``about`` is nil, the result is the primary session. If
  /// no session is primary, the result is the session with the newest claim. If no session has made a claim, the result
  /// is the first session.
  public var focus: Session? {
    if let about { return sessions.first { $0.id == about } }
    return sessions.first { $0.verdict.isPrimary }
      ?? sessions.reduce(nil) { best, session in
        session.claim > best?.claim ?? -1 ? session : best
      }
  }
}

extension NowPlayingCenter {
  /// Collects the internal state.
  public func inspection(at now: MonotonicInstant) -> Inspection {
    Inspection(
      at: now, state: state,
      sessions: records.compactMap { record in
        arbitration[record.id].map { Inspection.Session(record, $0, language) }
      },
      surfaces: surfaces.map {
        Inspection.Surface(
          id: $0.description.id, showsTemplate: $0.description.showsTemplate,
          isInputOnly: $0.description.isInputOnly, channel: $0.channel, check: $0.check)
      },
      screenHistory: screenHistory, trace: trace, artwork: artworkRequests.counts,
      picture: artworkRequests.delivered,
      soundChanges: soundChanges,
      endlessReactionCount: endlessReactionCount)
  }
}

extension Inspection.Session {
  init(_ record: SessionRecord, _ verdict: Arbitration.Verdict, _ language: LanguageTag) {
    self.init(
      id: record.id, audio: record.audio, verdict: verdict, commands: record.offers,
      impossible: Set(record.description.commands.filter { !$0.isPossible }.map(\.offer.kind)),
      reported: record.reported, duration: record.content?.duration,
      title: record.content?.lines(for: language).title, hasArtwork: record.content?.artwork != nil,
      isOutputLost: record.isOutputLost, wasPrimary: record.wasPrimary,
      hasEnded: record.hasEnded, claim: record.claim,
      startsWhileInactive: record.startsWhileInactive,
      buttons: record.template.nowPlayingButtons.count,
      surplusButtons: record.template.surplusButtons,
      lateConfigurations: record.lateConfigurations,
      publishesItself: record.description.publishesItself)
  }
}
