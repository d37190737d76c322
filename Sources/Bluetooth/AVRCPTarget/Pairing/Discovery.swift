internal import EventLoop

/// Which adapters look around, and which are to: a value that asks nobody. BlueZ takes one such call
/// at a time and refuses the next, so what is wanted meanwhile waits for the answer.
struct Discovery: Equatable {
  /// What is to be asked of an adapter.
  enum Call: String, Equatable {
    case start = "StartDiscovery"
    case stop = "StopDiscovery"
  }

  private enum Standing: Equatable {
    case looks
    case asked(Call)
    /// It may look, as an answer did not come or does not say.
    case unclear
  }

  /// Somebody wants devices to be looked for, as long as pairing is open.
  var isWanted = false
  /// Of adapters that do not stand still.
  private var standings: [String: Standing] = [:]

  /// What to ask an adapter now; nil where it does what is wanted, or has not answered yet.
  mutating func next(_ adapter: String, looks: Bool) -> Call? {
    let call: Call
    switch (standings[adapter], looks) {
    case (nil, true): call = .start
    case (.looks?, false), (.unclear?, _): call = .stop
    case (.asked?, _), (nil, false), (.looks?, true): return nil
    }
    standings[adapter] = .asked(call)
    return call
  }

  /// It has answered. BlueZ has one word, `InProgress`, for a start that the controller refuses, for one
  /// that is a second one, and for a stop that comes while a start is under way (`adapter.c`).
  mutating func answered(_ adapter: String, _ call: Call, _ error: BusError?) {
    // An answer from before it was switched off is no news.
    guard standings[adapter] == .asked(call) else { return }
    switch (call, error) {
    case (.start, nil): standings[adapter] = .looks
    case (.start, .remote(name: BluezNames.inProgress, message: _)?),
      (.stop, .remote(name: BluezNames.inProgress, message: _)?), (_, .timedOut?):
      standings[adapter] = .unclear
    // Where stopping fails otherwise, nothing is looked for any more.
    case (.start, _), (.stop, _): standings[adapter] = nil
    }
  }

  /// It was pulled or switched off, and BlueZ has forgotten what it was asked.
  mutating func forget(_ adapter: String) { standings[adapter] = nil }

  /// bluetoothd is gone; what is wanted of the next one stays.
  mutating func interrupt() { standings = [:] }
}
