internal import Files
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import UnitState

/// Converts the state of the head unit to a ``UnitState``, and decides when this state is saved for
/// the next start.
struct StateSaver {
  private let folders: [[UInt8]]
  private var schedule = SaveSchedule()
  private var starts: StartHistory
  private var phones: [String]
  private var controllers: [String]
  private var firstChoice: String?
  private var unconfirmed: [String]
  /// True until a state with the last argument of ``noteUnconfirmed(_:at:)`` was passed on to be saved.
  private(set) var hasNewUnconfirmed = false
  private var shownNotices: [UInt64]
  private var cardTests: [UnitState.CardTest]
  /// Notices that were shown before this run was steady. They are not saved yet, because the driver has
  /// perhaps not seen them: a starting engine can interrupt the power.
  private var earlyNotices: Set<UInt64> = []
  private var isSteady = false
  private var saved: UnitState
  /// The state after the last action of the user. Progress of playback alone is not such an action.
  private var lastUserAction: UnitState

  /// - Parameters:
  ///   - state: the state that was read, with this start in its history.
  ///   - folders: the music folders.
  init(_ state: UnitState, folders: [String]) {
    self.folders = folders.map { FileName.bytes($0) }
    starts = state.starts
    phones = state.phones
    controllers = state.controllers
    firstChoice = state.firstChoice
    unconfirmed = state.unconfirmed
    shownNotices = state.shownNotices
    cardTests = state.cardTests
    saved = state
    lastUserAction = state
  }

  /// Records the stage that this run has reached.
  mutating func reach(_ progress: StartHistory.Start.Progress, at now: MonotonicInstant) {
    starts.reach(progress)
    isSteady = true
    earlyNotices = []
    schedule.note(.userAction, at: now.awake)
  }

  /// Saves soon, because the power may go: the ignition is off.
  mutating func noteIgnition(at now: MonotonicInstant) {
    schedule.note(.userAction, at: now.awake)
  }

  /// Records the phones in the order of their use, the latest first.
  mutating func notePhones(_ phones: [String], at now: MonotonicInstant) {
    self.phones = phones
    schedule.note(.userAction, at: now.awake)
  }

  /// Records the devices that have pressed a key, the latest first.
  mutating func noteControllers(_ controllers: [String], at now: MonotonicInstant) {
    self.controllers = controllers
    schedule.note(.userAction, at: now.awake)
  }

  /// Records the phone that is dialled first.
  mutating func noteFirstChoice(_ address: String?, at now: MonotonicInstant) {
    firstChoice = address
    schedule.note(.userAction, at: now.awake)
  }

  /// Records the devices whose pairing no person has confirmed.
  mutating func noteUnconfirmed(_ addresses: [String], at now: MonotonicInstant) {
    unconfirmed = addresses
    hasNewUnconfirmed = true
    schedule.note(.userAction, at: now.awake)
  }

  /// Forgets a phone as the last source, because its bond was removed.
  mutating func forgetPhone(_ address: String, at now: MonotonicInstant) {
    guard saved.phoneSource?.address == address else { return }
    saved.phoneSource = nil
    schedule.note(.userAction, at: now.awake)
  }

  /// Records that a person has ended the wait for the phone that was the last source. So the next start
  /// does not wait for it.
  mutating func notePhoneStopped(_ address: String, at now: MonotonicInstant) {
    guard saved.phoneSource?.address == address else { return }
    saved.phoneSource?.wasPlaying = false
    schedule.note(.userAction, at: now.awake)
  }

  /// Records a notice about a medium that was shown. Returns false if it was shown before, also in an
  /// earlier run.
  mutating func noteShown(notice text: String, at now: MonotonicInstant) -> Bool {
    let checksum = UnitState.checksum(ofNotice: text)
    guard !shownNotices.contains(checksum) else { return false }
    shownNotices = [checksum] + shownNotices.prefix(UnitState.maximumShownNotices - 1)
    if isSteady { schedule.note(.userAction, at: now.awake) } else { earlyNotices.insert(checksum) }
    return true
  }

  /// Forgets that a notice was shown, because what it reports is over.
  mutating func forgetShown(notice text: String, at now: MonotonicInstant) {
    let checksum = UnitState.checksum(ofNotice: text)
    guard let index = shownNotices.firstIndex(of: checksum) else { return }
    shownNotices.remove(at: index)
    schedule.note(.userAction, at: now.awake)
  }

  /// Records the test of a sound card, so that the next start need not repeat it.
  mutating func noteTest(of card: String, step: Int, at now: MonotonicInstant) {
    let test = UnitState.CardTest(card: card, step: step)
    if cardTests.first == test { return }
    cardTests.removeAll { $0.card == card }
    cardTests = [test] + cardTests.prefix(UnitState.maximumCardTests - 1)
    schedule.note(.userAction, at: now.awake)
  }

  /// Records the reason why this run is about to end with an error.
  mutating func noteReason(_ reason: String, at now: MonotonicInstant) {
    starts.noteReason(reason)
    schedule.note(.userAction, at: now.awake)
  }

  /// The recorded starts. The last element is the start of this run.
  var history: StartHistory { starts }

  /// Updates the saved state from the head unit. Must be called after each event that may change
  /// the head unit.
  ///
  /// - Parameters:
  ///   - phone: the phone that is Now Playing; nil if none is.
  ///   - queue: the place in the saved queue; nil if the file belongs to none.
  ///   - keepsPosition: true if the saved position is kept, because the file of this position was
  ///     not found yet.
  ///   - sticks: the sticks of which one may have the file.
  mutating func update(
    from unit: HeadUnit, phone: (address: String, name: String)?,
    queue: UnitState.QueuePlace?, keepsPosition: Bool, sticks: [MountedStick],
    at now: MonotonicInstant
  ) {
    let state = self.state(of: unit, phone, queue, keepsPosition: keepsPosition, sticks: sticks)
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

  /// Returns the bytes to save. Nil if no save is due.
  mutating func takeDue(at now: MonotonicInstant) -> [UInt8]? {
    guard schedule.takeDue(at: now.awake) else { return nil }
    hasNewUnconfirmed = false
    return saved.encoded()
  }

  /// Returns the bytes to save at the end of the run, even if no save is due.
  func final() -> [UInt8] { saved.encoded() }

  /// The next time at which ``takeDue(at:)`` has bytes to save; nil if there is nothing to save.
  /// The time is on the clock that stops in suspend.
  var nextDeadline: Duration? { schedule.nextDeadline }

  private func state(
    of unit: HeadUnit, _ phone: (address: String, name: String)?,
    _ queue: UnitState.QueuePlace?, keepsPosition: Bool, sticks: [MountedStick]
  ) -> UnitState {
    var state = saved
    state.starts = starts
    state.phones = phones
    state.controllers = controllers
    state.firstChoice = firstChoice
    state.unconfirmed = unconfirmed
    if let phone {
      state.phoneSource = UnitState.PhoneSource(
        address: phone.address, name: phone.name, wasPlaying: isPlaybackIntended(unit))
      state.wasPlaying = false
    } else if unit.center.state.status.isAdvancing {
      // A phone that could not be reached stays the last source until something else plays.
      state.phoneSource = nil
    }
    state.shownNotices = shownNotices.filter { !earlyNotices.contains($0) }
    state.cardTests = cardTests
    state.volume = unit.center.volume.stored.level
    state.isMuted = unit.center.volume.isMuted
    guard !keepsPosition, let file = unit.player.state.file else { return state }
    state.queue = queue
    state.file = FilePlace(path: FileName.bytes(file.path), in: folders, on: sticks)
    state.preceding = unit.player.shuffledPreceding.flatMap {
      FilePlace(path: FileName.bytes($0.path), in: folders, on: sticks)
    }
    let seconds = unit.player.state.isStopped ? 0 : unit.player.elapsedSeconds
    state.elapsed = SongTime(nearestSeconds: seconds)
    if phone == nil { state.wasPlaying = isPlaybackIntended(unit) }
    state.repeatMode =
      switch unit.player.queue.repeatMode {
      case .off: .off
      case .one: .one
      case .all: .all
      }
    state.shuffleMode = unit.player.queue.isShuffled ? .items : .off
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
