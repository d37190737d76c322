/// Where sources and surfaces meet: holds the sessions, decides who is Now Playing, owns the volume,
/// routes commands and keeps their trace, and gives every surface one immutable state.
///
/// Control thread only: nothing in it locks, waits, or reads a clock; every call is handed the
/// moment it happens at. Whatever sources and surfaces do in return to a call joins that call: they
/// see one publication with all that changed, not a row of half-way states.
public final class NowPlayingCenter {
  /// What surfaces show.
  public internal(set) var state: NowPlayingState
  /// The one volume; changed by commands and ``setVolume(_:at:)``.
  public internal(set) var volume: Volume
  /// Who is Now Playing, and why the others are not.
  public internal(set) var arbitration = Arbitration(primary: nil, verdicts: [])
  /// What became of the last commands.
  public internal(set) var trace: CommandTrace
  /// The last publications, oldest first; at most ``publicationsKept``.
  public internal(set) var publications: [Publication] = []
  /// Who was Now Playing, oldest first; the last few changes.
  public internal(set) var primaryChanges: [PrimaryChange] = []
  /// What holds playback now (E4).
  public internal(set) var interruptions = Interruptions()

  static let publicationsKept = 64
  static let primaryChangesKept = 16
  static let artworkWaitersLimit = 64
  /// Sources and surfaces that answer each other without end are cut off here.
  private static let maximumRounds = 50

  /// How the music is turned down under what sounds over it (E3).
  public let ducking: Ducking
  var language: LanguageTag
  var records: [SessionRecord] = []
  var surfaces: [SurfaceRecord] = []
  /// Whether one that shows the template ever connected.
  var hadScreen = false
  var merger: PressMerger
  var pending: [Int: PendingCommand] = [:]
  var heldSeek: HeldSeek?
  var artworkRequests = ArtworkRequests()
  var artworkWaiters: [Int: [(ArtworkAnswer) -> Void]] = [:]
  var observers: [WeakObserver] = []
  var stateObservers: [WeakStateObserver] = []
  var lastGeneration = 0
  var lastClaim = 0
  /// The latest moment that anybody handed in.
  var latest = MonotonicInstant(awake: .zero)
  /// How often a call did not come to rest.
  var unsettled = 0
  private var isSettling = false
  private var isDirty = false

  /// - Parameters:
  ///   - volume: see ``Volume/init(restoring:startMaximum:)``.
  ///   - language: what people read (P9).
  public init(
    volume: Volume, language: LanguageTag = .undefined, ducking: Ducking = Ducking(),
    merger: PressMerger = PressMerger(), traceCapacity: Int = 200
  ) {
    self.volume = volume
    self.language = language
    self.ducking = ducking
    self.merger = merger
    trace = CommandTrace(capacity: traceCapacity)
    state = NowPlayingState(revision: 1, volume: volume, language: language)
  }

  /// Runs a change, and then whatever follows from it.
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
      // Sources that were told something have said something: decide again first.
      if !isDirty { publish() }
    }
    guard isDirty else { return }
    unsettled += 1
    publish()
  }

  /// The moment at which ``expire(at:)`` has something to do; nil while nothing waits.
  public var nextDeadline: MonotonicInstant? {
    (pending.values.map(\.deadline) + surfaces.compactMap(\.channel.deadline)).min()
  }

  /// Answers for sources that did not (C2), and ends loop-backs that did not come back (C7). Called
  /// at ``nextDeadline``, or whenever.
  public func expire(at now: MonotonicInstant) {
    let overdue = pending.filter { $0.value.deadline <= now }.keys.sorted()
    let isWaiting = surfaces.contains { $0.channel.deadline.map { $0 <= now } ?? false }
    guard !overdue.isEmpty || isWaiting else { return }
    change(at: now) {
      for number in overdue {
        finish(number, .tooLate, at: now)
      }
      for index in surfaces.indices { _ = surfaces[index].channel.expire(at: now) }
    }
  }
}

/// Another session became Now Playing.
public struct PrimaryChange: Hashable, Sendable {
  /// Who was; nil is nobody.
  public let from: SessionID?
  /// Who is; nil is nobody.
  public let to: SessionID?
  /// When.
  public let at: MonotonicInstant
}
