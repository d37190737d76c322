internal import UnitState

/// The result of saving the state on its medium, for the console.
struct SavingStatus {
  /// The reason why the state cannot be saved now. Nil if the state can be saved.
  private(set) var failure: String?
  /// The reason why this run began without the state of the last run. Nil if this run began with that saved state.
  private(set) var lossAtStart: String?

  mutating func startedWithDefaults(because reason: String) { lossAtStart = reason }

  mutating func apply(_ notice: StateNotice) {
    switch notice.kind {
    case .damaged: lossAtStart = notice.text
    case .notSaving: failure = notice.text
    case .savingAgain: failure = nil
    }
  }
}
