internal import UnitState

/// How it goes with the state on its medium, for the console.
struct SavingStatus {
  /// Why it cannot be saved now.
  private(set) var trouble: String?
  /// Why this run began without what the last one had left.
  private(set) var lossAtStart: String?

  mutating func beganAnew(_ reason: String) { lossAtStart = reason }

  mutating func take(_ notice: StateNotice) {
    switch notice.kind {
    case .damaged: lossAtStart = notice.text
    case .notSaving: trouble = notice.text
    case .savingAgain: trouble = nil
    }
  }
}
