internal import Reports
internal import SystemClock
internal import UnitState

extension UnitDaemon {
  /// The state of the last run, or the default. `loss` is the reason why the last run left none that can be used.
  static func savedState(
    _ store: StateStore, folder: String, _ log: UnitLog
  ) -> (state: UnitState, loss: String?) {
    guard let opening = store.opening(within: stateMilliseconds) else {
      let reason = "\(folder) does not answer"
      log(.stateUnavailable, "\(reason); the unit starts with defaults", at: .now())
      return (UnitState(), reason)
    }
    guard let payload = opening.payload else { return (UnitState(), nil) }
    do throws(UnitStateError) {
      var damage = StoredDamage()
      let state = try UnitState(decoding: payload, damage: &damage)
      if !damage.isEmpty {
        log(
          .stateRepaired, "parts of the saved state cannot be used: \(damage.reason)", at: .now())
      }
      return (state, nil)
    } catch {
      let reason = "the saved state cannot be used: \(error.reason)"
      log(.stateUnusable, "\(reason); the unit starts with defaults", at: .now())
      return (UnitState(), reason)
    }
  }
}
