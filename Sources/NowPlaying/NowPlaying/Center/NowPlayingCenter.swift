/// Connects sources and surfaces: stores the sessions, chooses the primary session, owns the volume, routes and records
/// commands, and gives each surface one immutable state.
///
/// Used on the control thread only. The center does not lock or wait. It reads no clock: each call gets the current
/// time as an argument. Calls that sources and surfaces make during a call become part of that call. Surfaces therefore
/// get one publication with all changes, and no intermediate states.
public final class NowPlayingCenter {
  /// The state that surfaces show.
  public internal(set) var state: NowPlayingState
  /// The volume. Commands and ``setVolume(_:at:)`` change it.
  public internal(set) var volume: Volume
  /// The primary session, and why the other sessions are not primary.
  public internal(set) var arbitration = Arbitration(
    primary: nil, attenuation: .none, verdicts: [])
  /// The last commands and their results.
  public internal(set) var trace: CommandTrace
  /// The last publications, oldest first; at most ``publicationsKept``.
  public internal(set) var publications: [Publication] = []
  /// The last changes that explain why music started or stopped, oldest first; at most ``soundChangesKept``.
  public private(set) var soundChanges: [SoundChange] = []
  /// What people wanted of each source last.
  public internal(set) var wishes: PlayWishes
  /// The current interruptions, which silence what plays (E4).
  public internal(set) var interruptions = Interruptions()
  private var attenuations: [SoundAttenuation.Reason: SoundAttenuation] = [:]

  private static let publicationsKept = 64
  /// Maximum number of ``soundChanges``.
  public static let soundChangesKept = 100
  private static let artworkWaitersLimit = 64
  /// Maximum number of rounds in one call. If sources and surfaces react to each other without end, the call ends after
  /// this number of rounds.
  private static let maximumRounds = 50

  /// Defines how the volume of the music is lowered while an overlay sounds (E3).
  public let ducking: Ducking
  var language: LanguageTag
  var records: [SessionRecord] = []
  var surfaces: [SurfaceRecord] = []
  var screenHistory = Inspection.ScreenHistory.none
  /// True if a surface that shows the template is connected.
  public var hasScreen: Bool { surfaces.contains(where: \.description.showsTemplate) }
  var merger: PressMerger
  var pending: [Int: PendingCommand] = [:]
  var heldSeek: HeldSeek?
  var artworkRequests = ArtworkRequests()
  private var artworkWaiters: [Int: [(ArtworkAnswer) -> Void]] = [:]
  var observers: [WeakObserver] = []
  /// The owners of lists. The key is the prefix with which the owner was registered.
  var listOwners: [String: WeakListOwner] = [:]
  /// Called for a command that has no receiver, because no session is primary yet. Returns true if the command will be
  /// carried out later, when there is content. The command is then answered with success. The origin is the device on
  /// which a person pressed a key; nil if unknown.
  public typealias PerformsLater = (MediaRequest, PressOrigin?) -> Bool
  let performsLater: PerformsLater
  private let didPublish: () -> Void
  var lastGeneration = 0
  var lastClaim = 0
  /// The last claim before the last decision.
  private var decidedClaim = 0
  /// The latest time that was passed to a call.
  var latest = MonotonicInstant(awake: .zero)
  /// Number of calls that ended after `maximumRounds`, because sources and surfaces reacted to each other without end.
  var endlessReactionCount = 0
  private var isSettling = false
  private var isDirty = false

  /// - Parameters:
  ///   - volume: see ``Volume/init(restoring:startMaximum:)``.
  ///   - language: the language of the texts that people read (P9).
  ///   - wishes: the wishes that were saved in the last run.
  ///   - performsLater: see ``PerformsLater``. The default refuses all commands without a receiver.
  ///   - didPublish: called after each new revision of ``state``, when all surfaces have it.
  public init(
    volume: Volume, language: LanguageTag = .undefined, ducking: Ducking = Ducking(),
    merger: PressMerger = PressMerger(), traceCapacity: Int = 200,
    wishes: PlayWishes = PlayWishes(),
    performsLater: @escaping PerformsLater = { _, _ in false },
    didPublish: @escaping () -> Void = {}
  ) {
    self.didPublish = didPublish
    self.performsLater = performsLater
    self.volume = volume
    self.wishes = wishes
    self.language = language
    self.ducking = ducking
    self.merger = merger
    trace = CommandTrace(capacity: traceCapacity)
    state = NowPlayingState(revision: 1, volume: volume, language: language)
  }

  /// Runs a change, then decides and publishes until nothing changes any more. If another change is running, `body`
  /// becomes part of that change.
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
      // If sources have reacted to their instructions, the center decides again before it publishes.
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

  /// Answers commands in place of sources that did not answer in time (C2). Ends loop-back tests whose token did not
  /// return in time (C7). Call this method at ``nextDeadline``. Calls at other times do no harm.
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

  // MARK: Deciding

  /// Chooses the primary session, decides what the sound of each session may do, and instructs the sources.
  private func decide() {
    let outcome = arbitrate(
      records.map(\.candidate), interruptions: interruptions.current,
      attenuations: attenuations.values)
    if outcome.primary != arbitration.primary {
      note(.primary(outcome.primary, from: arbitration.primary, reason(for: outcome.primary)))
    }
    arbitration = outcome
    decidedClaim = lastClaim
    var orders: [(instruct: (SessionInstruction) -> Void, what: SessionInstruction)] = []
    for index in records.indices {
      let verdict = outcome.verdicts[index]
      if verdict.isPrimary { records[index].wasPrimary = true }
      for instruction in records[index].follow(verdict.sound, ducking: ducking, at: latest) {
        orders.append((records[index].instruct, instruction))
      }
    }
    if let seek = heldSeek, seek.session != outcome.primary { endHeldSeek() }
    for order in orders { order.instruct(order.what) }
  }

  /// Why this session becomes Now Playing.
  private func reason(for id: SessionID?) -> SoundChange.PrimaryReason {
    guard let record = records.first(where: { $0.id == id }), record.claim > decidedClaim else {
      return .remaining
    }
    return record.claimReason
  }

  /// Adds a change to ``soundChanges``.
  func note(_ event: SoundChange.Event) {
    let number = (soundChanges.last?.number ?? 0) + 1
    if soundChanges.count == Self.soundChangesKept { soundChanges.removeFirst() }
    soundChanges.append(SoundChange(number: number, event: event, at: latest))
  }

  /// Makes a new revision if the state has changed. Gives the state to each surface that does not have this revision
  /// yet (P1, P4).
  func publish() {
    let next = currentState
    let hasChanged = !next.equalsIgnoringRevision(state)
    if hasChanged {
      let reasons = PublicationReason.between(state, next)
      state = next.renumbered(state.revision + 1)
      publications.append(Publication(revision: state.revision, at: latest, reasons: reasons))
      if publications.count > Self.publicationsKept { publications.removeFirst() }
      refuseLateArtwork()
    }
    let state = state
    for id in surfaces.map(\.description.id) {
      // A surface can disconnect while another surface gets the state, so the index is looked up each time.
      guard let index = surfaces.firstIndex(where: { $0.description.id == id }),
        surfaces[index].given != state.revision
      else { continue }
      give(state, to: index)
    }
    // The daemon then requests a *turn* (one update of all its parts), which sends the state to the clients of the
    // control socket.
    if hasChanged { didPublish() }
  }

  func give(_ state: NowPlayingState, to index: Int) {
    surfaces[index].given = state.revision
    surfaces[index].check.sent(state, at: latest)
    let show = surfaces[index].show
    show(state)
  }

  private var currentState: NowPlayingState {
    let primary = arbitration.primary.flatMap { id in records.first { $0.id == id } }
    let offers = primary?.shownOffers ?? []
    let playback = primary?.shown
    return NowPlayingState(
      revision: 0, session: primary?.id, content: primary?.content, playback: playback,
      commands: offers,
      upNext: Array((primary?.description.upNext ?? []).prefix(NowPlayingState.upNextLimit)),
      template: TemplateState(
        primary?.template ?? NowPlayingTemplate(), commands: offers,
        rate: playback?.defaultPlaybackRate ?? 1),
      volume: volume, interruptions: interruptions.current.map(\.reason),
      hold: primary?.shownHold(interruptions), language: language,
      isSelfPublished: primary?.description.publishesItself ?? false,
      obstacle: primary?.description.obstacle)
  }

  // MARK: Surfaces, through their ``SurfacePort``

  /// Connects a surface. Must be called after the channel of the surface is connected (C8). The surface gets the state
  /// at once, and then each new state. If a surface with the same identity is connected, the center disconnects it
  /// first.
  ///
  /// - Parameter show: called on the control thread. The surface can send commands during the call. The effect of these
  ///   commands arrives with the next state.
  public func connect(
    _ description: SurfaceDescription, at now: MonotonicInstant,
    show: @escaping (NowPlayingState) -> Void
  ) -> SurfacePort {
    lastGeneration += 1
    let generation = lastGeneration
    change(at: now) {
      if let old = surfaces.first(where: { $0.description.id == description.id }) {
        disconnect(description.id, old.generation, at: now)
      }
      surfaces.append(SurfaceRecord(description: description, generation: generation, show: show))
      if description.showsTemplate {
        screenHistory = .expected
        for (id, generation) in records.map({ ($0.id, $0.generation) }) {
          configure(id, generation, for: description)
        }
      }
    }
    return SurfacePort(description.id, generation: generation, center: self)
  }

  /// - Parameter isMissed: false if the surface itself ended its connection. In this case no check reports that a
  ///   screen is missing.
  func disconnect(
    _ id: SurfaceID, _ generation: Int, isMissed: Bool = true, at now: MonotonicInstant?
  ) {
    guard surface(id, generation) != nil else { return }
    change(at: now) {
      if heldSeek?.surface == id { endHeldSeek() }
      guard let index = surfaceIndex(id, generation) else { return }
      // The record is released after the change of `surfaces`, because this release can call the center.
      let removed = surfaces.remove(at: index)
      if !isMissed, removed.description.showsTemplate {
        screenHistory = hasScreen ? .expected : .ended
      }
      withExtendedLifetime(removed) {}
    }
  }

  func surface(_ id: SurfaceID, _ generation: Int) -> SurfaceRecord? {
    surfaceIndex(id, generation).map { surfaces[$0] }
  }

  private func surfaceIndex(_ id: SurfaceID, _ generation: Int) -> Int? {
    surfaces.firstIndex { $0.description.id == id && $0.generation == generation }
  }

  func observed(
    _ facts: DisplayedState, on id: SurfaceID, _ generation: Int, at now: MonotonicInstant
  ) -> SurfaceGuard.Verdict {
    change(at: now) {
      guard let index = surfaceIndex(id, generation) else { return .nothingExpected }
      let verdict = surfaces[index].check.observed(facts, at: now)
      if case .repair = verdict {
        let show = surfaces[index].show
        show(state)
      }
      return verdict
    }
  }

  /// Gives the present state again to each screen that has shown it correctly. A screen that works reports it again, so
  /// the diagnosis finds a screen that hangs while nothing changes. Returns the screens.
  public func probeScreens(at now: MonotonicInstant) -> Set<SurfaceID> {
    change(at: now) {
      let probed = surfaces.indices.filter {
        surfaces[$0].description.showsTemplate && surfaces[$0].check.verdict == .same
      }
      for index in probed { give(state, to: index) }
      return Set(probed.map { surfaces[$0].description.id })
    }
  }

  /// True while a screen has not reported the last state, and can still do so in time.
  public func awaitsScreens(at now: MonotonicInstant) -> Bool {
    surfaces.contains {
      $0.description.showsTemplate && $0.check.isAwaited && !$0.check.isOverdue(at: now)
    }
  }

  func checkChannel(
    _ id: SurfaceID, _ generation: Int, at now: MonotonicInstant,
    _ step: (inout ChannelCheck) -> Void
  ) {
    change(at: now) {
      if let index = surfaceIndex(id, generation) { step(&surfaces[index].channel) }
    }
  }

  // MARK: Template observers

  /// Adds an observer of the two optional buttons of the template (T4). The center has only a weak reference to the
  /// observer.
  public func add(_ observer: any NowPlayingTemplateObserver) {
    remove(observer)
    observers.append(WeakObserver(observer))
  }

  /// Removes an observer.
  public func remove(_ observer: any NowPlayingTemplateObserver) {
    observers.removeAll { $0.observer == nil || $0.observer === observer }
  }

  // MARK: Covers at a requested size

  /// Requests the cover of content that a surface shows, in the size that the surface needs (A4).
  ///
  /// If `artworkWaitersLimit` callers already wait for one request, further callers get the placeholder.
  ///
  /// - Parameter answer: called exactly once. If the source has the picture, the call is immediate. Otherwise the call
  ///   follows when the picture arrives. If the content changes before the picture arrives, `answer` gets
  ///   ``ArtworkAnswer/superseded`` (A2).
  public func artwork(
    for contentID: String, size: ArtworkSize, at now: MonotonicInstant,
    answer: @escaping (ArtworkAnswer) -> Void
  ) {
    change(at: now) {
      switch artworkRequests.ask(for: contentID, size: size) {
      case .placeholder: answer(.placeholder)
      case .superseded: answer(.superseded)
      case .joins(let ticket) where artworkWaiters[ticket]?.count == Self.artworkWaitersLimit:
        answer(.placeholder)
      case .joins(let ticket): artworkWaiters[ticket, default: []].append(answer)
      case .ask(let request):
        artworkWaiters[request.ticket] = [answer]
        guard let provider = state.content?.artwork?.provider else { return }
        switch provider(request) {
        case .later: break
        case .ready(let picture): artworkArrived(request.ticket, picture, at: now)
        case .none: artworkArrived(request.ticket, nil, at: now)
        }
      }
    }
  }

  /// The size of the cover that was requested with this ticket. Nil if the request is not pending any more.
  public func wantedSize(ofArtwork ticket: Int) -> ArtworkSize? {
    artworkRequests.size(of: ticket)
  }

  /// Called by a source to deliver a requested cover. If `picture` is nil, the source has no cover. A late or second
  /// answer is ignored (A1, A2).
  public func artworkArrived(
    _ ticket: Int, _ picture: ArtworkRepresentation?, at now: MonotonicInstant
  ) {
    change(at: now) {
      guard case .deliver(let answer) = artworkRequests.arrived(ticket, picture) else { return }
      for waiter in artworkWaiters.removeValue(forKey: ticket) ?? [] { waiter(answer) }
    }
  }

  private func refuseLateArtwork() {
    let superseded = artworkRequests.contentChanged(
      to: state.content?.id, artworkID: state.content?.artwork?.id)
    for ticket in superseded {
      for waiter in artworkWaiters.removeValue(forKey: ticket) ?? [] { waiter(.superseded) }
    }
  }

  // MARK: The car and the people in it

  /// Begins an interruption, which silences what plays (E4). Interruptions can overlap.
  /// - Returns: the number for ``endInterruption(_:shouldResume:at:)``.
  public func beginInterruption(_ reason: Interruption.Reason, at now: MonotonicInstant) -> Int {
    change(at: now) {
      note(.interruptionBegan(reason))
      return interruptions.begin(reason, at: now)
    }
  }

  /// Ends an interruption. When no interruption is left, playback resumes by itself (E4). There are two exceptions: a
  /// person has paused during the interruption, or one of the interruptions ended with `shouldResume` false. If a
  /// person pressed play during the interruption, `shouldResume` has no effect. Returns false if no current
  /// interruption has this number.
  @discardableResult
  public func endInterruption(_ id: Int, shouldResume: Bool, at now: MonotonicInstant) -> Bool {
    change(at: now) {
      guard let ended = interruptions.end(id) else { return false }
      note(.interruptionEnded(ended.reason, shouldResume: shouldResume))
      if !shouldResume { forgetIntents(except: nil) }
      return true
    }
  }

  /// Lowers the sound of the whole unit, or raises it again. ``Arbitration/attenuation`` is the result.
  public func setAttenuation(
    _ attenuation: SoundAttenuation, for reason: SoundAttenuation.Reason, at now: MonotonicInstant
  ) {
    guard attenuation != attenuations[reason] ?? .none else { return }
    change(at: now) { attenuations[reason] = attenuation }
  }

  /// Replaces the whole ``Volume``, for example with the volume that was saved.
  public func setVolume(_ volume: Volume, at now: MonotonicInstant) {
    change(at: now) { self.volume = volume }
  }

  /// Sets the language for which texts are chosen (P9).
  public func setLanguage(_ language: LanguageTag, at now: MonotonicInstant) {
    change(at: now) { self.language = language }
  }
}

/// A weak reference to an observer.
struct WeakObserver {
  weak var observer: (any NowPlayingTemplateObserver)?

  init(_ observer: any NowPlayingTemplateObserver) { self.observer = observer }
}
