internal import AppPlayer
internal import EventLoop
internal import Files
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

/// Saves the data that the next start needs. The parts of the daemon record their data in this object. In each turn
/// (see ``Turns``), the daemon passes the state of the head unit to this object. Decides when the data is saved. Only
/// this object writes the state file.
///
/// Created before all other parts. Reads the state of the last run once (``opened``). After that, this object only
/// saves: no part uses it to get the data of another part.
///
/// Used on the control thread. ``init(_:_:_:log:)`` blocks until the state was read, and ``shutDown()`` blocks too.
final class UnitMemory {
  /// Maximum time to wait for the saved state. After this time the unit begins without the state.
  static let readMilliseconds = 1500
  /// A run that has lasted for this time is *steady*: its start does not count as failed.
  private static let steadyAfter = Duration.seconds(20)
  /// While the state waits for the queue to be saved: the pause before the next check.
  private static let queuePause = Duration.milliseconds(50)

  /// The state of the last run. The start of this run is already in its history of starts.
  let opened: UnitState
  /// The result of the latest save.
  private(set) var status = SavingStatus()
  private let folders: [[UInt8]]
  private let loop: EventLoop
  private let store: StateStore
  private let turns: Turns
  private let log: UnitLog
  private var timer: TimerSource?
  private var steady: TimerSource?
  private var notices: DescriptorSource?
  private var schedule = SaveSchedule()
  /// The recorded starts. The last element is the start of this run.
  var starts: StartHistory { saved.starts }
  /// The addresses of the phones in the order of their last use.
  var phones: [String] { saved.phones }
  /// True until a state with the latest addresses of ``noteUnconfirmed(_:)`` was passed to the store.
  private var hasNewUnconfirmed = false
  private var shownNotices: [UInt64]
  /// Notices that were shown before this run was steady. They are not saved yet, because the driver has perhaps not
  /// seen them: when the engine of the car starts, the power can be interrupted.
  private var earlyNotices: Set<UInt64> = []
  private var isSteady = false
  private var saved: UnitState
  /// The state after the last action of the user, without the elapsed time. If the state differs from this value, it is
  /// saved soon.
  private var lastUserAction: UnitState

  /// Reads the state of the last run.
  ///
  /// - Parameter lastEnd: the reason why the last process of the daemon ended, if the service manager has reported it.
  init(
    _ loop: EventLoop, _ settings: Settings, _ turns: Turns, lastEnd: ProcessEnd? = nil,
    log: UnitLog
  ) {
    self.loop = loop
    self.turns = turns
    self.log = log
    store = StateStore(folder: settings.stateFolder)
    folders = settings.musicFolders.map { FileName.bytes($0) }
    var state = Self.saved(in: store, folder: settings.stateFolder, log)
    let boot = MachineReadings.boot ?? ""
    // A driver who switches the car on expects sound, and may not know who has muted it.
    if !state.starts.isOf(boot: boot) { state.isMuted = false }
    state.starts.begin(reasonOfLast: lastEnd?.text ?? "crashed or killed", boot: boot)
    opened = state
    shownNotices = state.shownNotices
    saved = state
    lastUserAction = state
    timer = TimerSource(loop, clock: .monotonic) { [turns] in turns.request() }
    steady = TimerSource(loop, clock: .monotonic) { [weak self] in self?.reach(.steady) }
  }

  /// The state of the last run, or the default if nothing was saved or the saved state cannot be used.
  private static func saved(
    in store: StateStore, folder: String, _ log: UnitLog
  ) -> UnitState {
    guard let opening = store.opening(within: readMilliseconds) else {
      log(
        .stateUnavailable, "\(folder) does not answer; the unit starts with defaults", at: .now())
      return UnitState()
    }
    guard let payload = opening.payload else { return UnitState() }
    do throws(UnitStateError) {
      var damage = StoredDamage()
      let state = try UnitState(decoding: payload, damage: &damage)
      if !damage.isEmpty {
        log(
          .stateRepaired, "parts of the saved state cannot be used: \(damage.reason)", at: .now())
      }
      return state
    } catch {
      log(
        .stateUnusable,
        "the saved state cannot be used: \(error.reason); the unit starts with defaults", at: .now()
      )
      return UnitState()
    }
  }

  // MARK: The run

  func start() throws(SystemError) {
    notices = try DescriptorSource(loop, descriptor: store.noticeDescriptor) { [weak self] _ in
      self?.handleNotices()
    }
    steady?.set(after: Self.steadyAfter)
  }

  private func handleNotices() {
    for notice in store.takeNotices() {
      status.apply(notice)
      log(LogEvent(notice.kind), notice.text, at: .now())
    }
    turns.request()
  }

  /// Records the stage that this run has reached.
  func reach(_ progress: StartHistory.Start.Progress) {
    saved.starts.reach(progress)
    isSteady = true
    earlyNotices = []
    saveSoon()
  }

  /// Saves soon. ``CarWires`` calls this when the ignition was switched off: the power can then fail at any moment.
  func saveSoon() {
    schedule.note(.userAction, at: MonotonicInstant.now().awake)
    turns.request()
  }

  // MARK: What the parts note

  /// Records the phones in the order of their last use. The phone that was used last comes first.
  func notePhones(_ phones: [String]) {
    saved.phones = phones
    saveSoon()
  }

  /// Records the devices that have sent a key. The device that has sent a key last comes first.
  func noteControllers(_ controllers: [String]) {
    saved.controllers = controllers
    saveSoon()
  }

  /// Records the phone to which the unit connects first.
  func noteFirstChoice(_ address: String?) {
    saved.firstChoice = address
    saveSoon()
  }

  /// Records the devices whose pairing the user has not confirmed.
  func noteUnconfirmed(_ addresses: [String]) {
    saved.unconfirmed = addresses
    hasNewUnconfirmed = true
    saveSoon()
  }

  /// Forgets a phone as the last source, because its bond was removed.
  func forgetPhone(_ address: String) {
    guard saved.phoneSource?.address == address else { return }
    saved.phoneSource = nil
    saveSoon()
  }

  /// Records that the user has ended the wait for the last source, a phone. So the next start does not wait for this
  /// phone.
  func notePhoneStopped(_ address: String) {
    guard saved.phoneSource?.address == address else { return }
    saved.phoneSource?.wasPlaying = false
    saveSoon()
  }

  /// Records that a notice about a medium was shown. Returns false if it was shown before, also in an earlier run.
  func noteShown(notice text: String) -> Bool {
    let checksum = UnitState.checksum(ofNotice: text)
    guard !shownNotices.contains(checksum) else { return false }
    shownNotices = [checksum] + shownNotices.prefix(UnitState.maximumShownNotices - 1)
    if isSteady { saveSoon() } else { earlyNotices.insert(checksum) }
    return true
  }

  /// Forgets that a notice was shown, because the reported condition has ended.
  func forgetShown(notice text: String) {
    let checksum = UnitState.checksum(ofNotice: text)
    guard let index = shownNotices.firstIndex(of: checksum) else { return }
    shownNotices.remove(at: index)
    saveSoon()
  }

  /// Records the result of the rewind test of a sound card, so that the next start need not repeat the test.
  func noteTest(of card: String, step: Int) {
    let test = UnitState.CardTest(card: card, step: step)
    if saved.cardTests.first == test { return }
    saved.cardTests.removeAll { $0.card == card }
    saved.cardTests = [test] + saved.cardTests.prefix(UnitState.maximumCardTests - 1)
    saveSoon()
  }

  /// Records the reason why this run is about to end with an error.
  func noteReason(_ reason: String) {
    saved.starts.noteReason(reason)
    saveSoon()
  }

  /// Updates the saved state from the head unit. Must be called after each event that can change the head unit.
  ///
  /// - Parameters:
  ///   - phone: the phone that is Now Playing; nil if no phone is Now Playing.
  ///   - app: the app that is to play, also if it is not connected; nil if another source is to play.
  ///   - queue: the current entry of the saved queue; nil if the current file does not belong to a saved queue.
  ///   - heard: the entries of the saved queue that were current before, the latest last.
  ///   - keepsPosition: true if the saved position is kept, because the file of this position was not found yet.
  ///   - sticks: the sticks on which the current file can be.
  func update(
    from unit: HeadUnit, phone: (address: String, name: String)?, app: UnitState.WantedApp? = nil,
    queue: UnitState.CurrentEntry?, heard: [EntryID], keepsPosition: Bool,
    sticks: [MountedStick], at now: MonotonicInstant
  ) {
    let state = self.state(
      of: unit, phone, app, queue, heard, keepsPosition: keepsPosition, sticks: sticks)
    var userAction = state
    userAction.elapsed = .zero
    if userAction != lastUserAction {
      lastUserAction = userAction
      schedule.note(.userAction, at: now.awake)
    } else if state.elapsed != saved.elapsed {
      schedule.note(state.wasPlaying ? .progress : .userAction, at: now.awake)
    }
    saved = state
  }

  /// Saves the state if due, and sets the time of the next save. Call this in each turn, after the queue was saved.
  /// - Parameters:
  ///   - waitsForQueue: true while the state must wait, because it refers to a queue that is not on the storage yet.
  ///   - isAdvancing: true while the elapsed time advances without an event.
  func save(waitsForQueue: Bool, isAdvancing: Bool, at now: MonotonicInstant) {
    if !waitsForQueue, schedule.takeDue(at: now.awake) {
      hasNewUnconfirmed = false
      store.save(saved.encoded())
    }
    let progress = isAdvancing ? now.awake + SaveSchedule.interval : nil
    let due = [schedule.nextDeadline, progress].compactMap { $0 }.min()
    timer?.set(at: due.map { waitsForQueue ? max($0, now.awake + Self.queuePause) : $0 })
  }

  /// True when the latest addresses of ``noteUnconfirmed(_:)`` are on the storage.
  var hasStoredUnconfirmed: Bool { !hasNewUnconfirmed && !store.isSaving }

  // MARK: The end

  /// Saves the last state. Call this before the sound fades out; otherwise the fade-out would be saved as a pause.
  func saveLast() { store.save(saved.encoded()) }

  /// Waits for at most two seconds until the last state is saved.
  func shutDown() {
    if !store.shutDown(within: 2000) { log(.stateLost, "the last state was not saved", at: .now()) }
  }

  private func state(
    of unit: HeadUnit, _ phone: (address: String, name: String)?, _ app: UnitState.WantedApp?,
    _ queue: UnitState.CurrentEntry?, _ heard: [EntryID], keepsPosition: Bool,
    sticks: [MountedStick]
  ) -> UnitState {
    var state = saved
    if let phone {
      state.phoneSource = UnitState.PhoneSource(
        address: phone.address, name: phone.name, wasPlaying: isPlaybackIntended(unit))
      state.wasPlaying = false
    } else if unit.center.state.status.isAdvancing {
      // Something other than a phone plays now, so a phone is not the last source any more. A phone that could not be
      // reached stays the last source until then.
      state.phoneSource = nil
    }
    state.wantedApp = app
    state.shownNotices = shownNotices.filter { !earlyNotices.contains($0) }
    state.volume = unit.center.volume.stored.level
    state.isMuted = unit.center.volume.isMuted
    // A person can stop the music while its song waits for its medium.
    if keepsPosition, unit.source.isPlayWantedOnReturn == false { state.wasPlaying = false }
    guard !keepsPosition, let file = unit.player.state.file else { return state }
    state.queue = queue
    state.file = FileLocation(path: FileName.bytes(file.path), in: folders, on: sticks)
    state.heard = heard
    // The entries of the queue of all files get other numbers in each run.
    let preceding = unit.player.hasChosenQueue ? nil : unit.player.shuffledPreceding
    state.preceding = preceding.flatMap {
      FileLocation(path: FileName.bytes($0.path), in: folders, on: sticks)
    }
    state.elapsed = SongTime(nearestSeconds: unit.player.resumeSeconds)
    if phone == nil { state.wasPlaying = isPlaybackIntended(unit) }
    state.repeatMode =
      switch unit.player.queue.repeatMode {
      case .off: .off
      case .one: .one
      case .all: .all
      }
    state.shuffleMode =
      switch unit.player.queue.shuffleMode {
      case .off: .off
      case .items: .items
      case .collections: .collections
      }
    return state
  }

  /// True if playback is intended, even while a call interrupts playback.
  private func isPlaybackIntended(_ unit: HeadUnit) -> Bool {
    switch unit.center.state.status {
    case .playing, .seekingForward, .seekingBackward, .buffering, .interrupted: true
    case .paused, .stopped: false
    }
  }
}
