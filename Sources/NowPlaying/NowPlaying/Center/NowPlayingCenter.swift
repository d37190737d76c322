/// Connects sources and surfaces: holds the sessions, chooses the primary session, owns the volume,
/// routes commands, keeps their trace, and gives each surface one immutable state.
///
/// Used on the control thread only. The center does not lock or wait. It reads no clock: each call
/// gets the current time as an argument. Calls that sources and surfaces make during a call become
/// part of that call. Surfaces therefore get one publication with all changes, and no intermediate
/// states.
public final class NowPlayingCenter {
  /// The state that surfaces show.
  public internal(set) var state: NowPlayingState
  /// The volume. Commands and ``setVolume(_:at:)`` change it.
  public internal(set) var volume: Volume
  /// The primary session, and why the other sessions are not primary.
  public internal(set) var arbitration = Arbitration(primary: nil, verdicts: [])
  /// The last commands and their results.
  public internal(set) var trace: CommandTrace
  /// The last publications, oldest first; at most ``publicationsKept``.
  public internal(set) var publications: [Publication] = []
  /// The last changes of the primary session, oldest first; at most `primaryChangesKept`.
  public internal(set) var primaryChanges: [PrimaryChange] = []
  /// The current interruptions. They hold playback (E4).
  public internal(set) var interruptions = Interruptions()

  static let publicationsKept = 64
  static let primaryChangesKept = 16
  static let artworkWaitersLimit = 64
  /// Maximum number of rounds in one call. If sources and surfaces react to each other without end,
  /// the call ends after this number of rounds.
  private static let maximumRounds = 50

  /// Defines how the volume of the music is lowered while an overlay sounds (E3).
  public let ducking: Ducking
  var language: LanguageTag
  var records: [SessionRecord] = []
  var surfaces: [SurfaceRecord] = []
  /// True after a surface that shows the template has connected.
  var hadScreen = false
  var merger: PressMerger
  var pending: [Int: PendingCommand] = [:]
  var heldSeek: HeldSeek?
  var artworkRequests = ArtworkRequests()
  var artworkWaiters: [Int: [(ArtworkAnswer) -> Void]] = [:]
  var observers: [WeakObserver] = []
  /// The owners of lists, by the prefix of their identities.
  var listOwners: [String: WeakListOwner] = [:]
  /// Returns true if a command that has no receiver, because no session has content yet, is carried out when there is
  /// content. Its answer is then success. The origin is the device on which a person pressed a key, if it is known.
  public typealias PerformsLater = (MediaRequest, PressOrigin?) -> Bool
  let performsLater: PerformsLater
  let didPublish: () -> Void
  var lastGeneration = 0
  var lastClaim = 0
  /// The latest time that a call had as its argument.
  var latest = MonotonicInstant(awake: .zero)
  /// Number of calls that ended after `maximumRounds`, because sources and surfaces reacted to each
  /// other without end.
  var endlessReactionCount = 0
  private var isSettling = false
  private var isDirty = false

  /// - Parameters:
  ///   - volume: see ``Volume/init(restoring:startMaximum:)``.
  ///   - language: the language of the texts that people read (P9).
  ///   - performsLater: see ``PerformsLater``. The default refuses such commands.
  ///   - didPublish: called after each new revision of ``state``, when all surfaces have it.
  public init(
    volume: Volume, language: LanguageTag = .undefined, ducking: Ducking = Ducking(),
    merger: PressMerger = PressMerger(), traceCapacity: Int = 200,
    performsLater: @escaping PerformsLater = { _, _ in false },
    didPublish: @escaping () -> Void = {}
  ) {
    self.didPublish = didPublish
    self.performsLater = performsLater
    self.volume = volume
    self.language = language
    self.ducking = ducking
    self.merger = merger
    trace = CommandTrace(capacity: traceCapacity)
    state = NowPlayingState(revision: 1, volume: volume, language: language)
  }

  /// Runs a change, then decides and publishes until nothing changes any more. If another change is
  /// running, `body` becomes part of that change.
  func change<Result>(at now: MonotonicInstant?, _ body: () -> Result) -> Result {
    if let now { latest = max(latest, now) }
    isDirty = true
    guard !isSettling else { return body() }
    isSettling = true
    defer { isSettling = false }
    let result = body()
    settle()
    return result
  }

  private func settle() {
    for _ in 0..<Self.maximumRounds {
      guard isDirty else { return }
      isDirty = false
      decide()
      // If sources have reacted to their instructions, the center decides again before it
      // publishes.
      if !isDirty { publish() }
    }
    guard isDirty else { return }
    endlessReactionCount += 1
    publish()
  }

  /// The time at which ``expire(at:)`` has work to do next; nil if nothing is pending.
  public var nextDeadline: MonotonicInstant? {
    (pending.values.map(\.deadline) + surfaces.compactMap(\.channel.deadline)).min()
  }

  /// Answers commands in place of sources that did not answer in time (C2). Ends loop-back tests
  /// whose token did not return in time (C7). Call this method at ``nextDeadline``. Calls at other
  /// times do no harm.
  public func expire(at now: MonotonicInstant) {
    let expired = pending.filter { $0.value.deadline <= now }.keys.sorted()
    let isWaiting = surfaces.contains { $0.channel.deadline.map { $0 <= now } ?? false }
    guard !expired.isEmpty || isWaiting else { return }
    change(at: now) {
      for number in expired {
        finish(number, .tooLate, at: now)
      }
      for index in surfaces.indices { _ = surfaces[index].channel.expire(at: now) }
    }
  }
}

/// A change of the primary session.
public struct PrimaryChange: Hashable, Sendable {
  /// The former primary session; nil if there was none.
  public let from: SessionID?
  /// The new primary session; nil if there is none.
  public let to: SessionID?
  /// The time at which the change happened.
  public let at: MonotonicInstant
}
