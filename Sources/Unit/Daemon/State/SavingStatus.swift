internal import UnitState

/// The result of saving the state on its medium, for the console.
struct SavingStatus {
  /// The reason why the state cannot be saved now. Nil if the state can be saved.
  private(set) var failure: String?
  mutating func apply(_ notice: StateNotice) {
    switch notice.kind {
    case .damaged: break
    case .notSaving: failure = notice.text
    case .savingAgain: failure = nil
    }
  }
}
