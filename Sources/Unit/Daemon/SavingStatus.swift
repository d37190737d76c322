internal import UnitState

/// Whether the state can be saved on its medium, for the console.
struct SavingStatus {
  /// Why the state cannot be saved now; nil if it can.
  private(set) var failure: String?
  /// Why this run began without the state of the last run.
  private(set) var lossAtStart: String?

  mutating func startedWithDefaults(because reason: String) { lossAtStart = reason }

  mutating func take(_ notice: StateNotice) {
    switch notice.kind {
    case .damaged: lossAtStart = notice.text
    case .notSaving: failure = notice.text
    case .savingAgain: failure = nil
    }
  }
}
