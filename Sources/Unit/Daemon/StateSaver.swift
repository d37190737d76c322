internal import Files
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import UnitState

/// Remembers the head unit over power cuts: what it shows becomes a ``UnitState``, when it is time.
struct StateSaver {
  private let folders: [[UInt8]]
  private var schedule = SaveSchedule()
  private var starts: StartHistory
  private var phones: [String]
  private var saved: UnitState
  /// What only goes on while playing is no action of the user.
  private var lastUserAction: UnitState

  /// - Parameters:
  ///   - state: what was read, with this start in its history.
  ///   - folders: the music folders.
  init(_ state: UnitState, folders: [String]) {
    self.folders = folders.map { FileName.bytes($0) }
    starts = state.starts
    phones = state.phones
    saved = state
    lastUserAction = state
  }

  /// The run has come so far.
  mutating func reach(_ progress: StartHistory.Start.Progress, at now: MonotonicInstant) {
    starts.reach(progress)
    schedule.note(.userAction, at: now.awake)
  }

  /// Phones were used in this order, the last one first.
  mutating func notePhones(_ phones: [String], at now: MonotonicInstant) {
    self.phones = phones
    schedule.note(.userAction, at: now.awake)
  }

  /// The run is dying of this.
  mutating func noteReason(_ reason: String, at now: MonotonicInstant) {
    starts.noteReason(reason)
    schedule.note(.userAction, at: now.awake)
  }

  /// The starts that are remembered, this one last.
  var history: StartHistory { starts }

  /// Looks at the head unit; after everything that happens to it.
  ///
  /// - Parameter keeps: what was read is kept, as long as the music that it names was not found.
  mutating func look(at unit: HeadUnit, keeps: Bool, at now: MonotonicInstant) {
    let state = self.state(of: unit, keeps: keeps, at: now)
    var userAction = state
    userAction.elapsedMilliseconds = 0
    if userAction != lastUserAction {
      lastUserAction = userAction
      schedule.note(.userAction, at: now.awake)
    } else if state.elapsedMilliseconds != saved.elapsedMilliseconds {
      schedule.note(state.wasPlaying ? .progress : .userAction, at: now.awake)
    }
    saved = state
  }

  /// What to save, if it is time.
  mutating func takeDue(at now: MonotonicInstant) -> [UInt8]? {
    schedule.takeDue(at: now.awake) ? saved.encoded() : nil
  }

  /// What to save at the end, whenever it was saved last.
  func final() -> [UInt8] { saved.encoded() }

  /// When ``takeDue(at:)`` has something; on the clock that stands still in suspend.
  var nextDeadline: Duration? { schedule.nextDeadline }

  private func state(of unit: HeadUnit, keeps: Bool, at now: MonotonicInstant) -> UnitState {
    var state = saved
    state.starts = starts
    state.phones = phones
    state.volume = unit.center.volume.stored.level
    state.isMuted = unit.center.volume.isMuted
    guard !keeps, let file = unit.player.state.file else { return state }
    state.file = FilePlace(path: FileName.bytes(file.path), in: folders)
    let seconds = unit.player.state.isStopped ? 0 : unit.player.elapsedSeconds
    state.elapsedMilliseconds = Int64(min(max(seconds, 0), 1e12) * 1000)
    state.wasPlaying = isWanted(unit)
    state.repeatMode =
      switch unit.player.queue.repeatMode {
      case .off: .off
      case .one: .one
      case .all: .all
      }
    state.shuffleMode = unit.player.queue.isShuffled ? .items : .off
    return state
  }

  /// Whether people want to hear it: also while a call holds it.
  private func isWanted(_ unit: HeadUnit) -> Bool {
    switch unit.center.state.status {
    case .playing, .seekingForward, .seekingBackward, .buffering, .interrupted: true
    case .paused, .stopped: false
    }
  }
}
