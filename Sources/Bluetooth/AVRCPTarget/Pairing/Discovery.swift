internal import EventLoop

/// Which adapters are discovering, and which should be. A value without I/O. BlueZ carries out one
/// discovery call at a time on an adapter and refuses a second one, so the next call follows after
/// the answer.
struct Discovery: Equatable {
  /// A D-Bus method of an adapter.
  enum Call: String, Equatable {
    case start = "StartDiscovery"
    case stop = "StopDiscovery"
  }

  private enum Standing: Equatable {
    case looks
    case asked(Call)
    /// The adapter may be discovering: the answer did not come or is ambiguous.
    case unclear
  }

  /// Discovery is requested. It runs only while the pairing window is open.
  var isWanted = false
  /// By adapter. An adapter that is not discovering and has no call in progress has no entry.
  private var standings: [String: Standing] = [:]

  /// The call to make on an adapter now. Nil if its state is as requested, or if a call is in
  /// progress.
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

  /// Takes the answer to a call. BlueZ answers `InProgress` in three cases: the controller refuses
  /// a start, a start is a second one, or a stop comes while a start is in progress (`adapter.c`).
  mutating func answered(_ adapter: String, _ call: Call, _ error: BusError?) {
    // The answer is older than the last power-off or removal of the adapter.
    guard standings[adapter] == .asked(call) else { return }
    switch (call, error) {
    case (.start, nil): standings[adapter] = .looks
    case (.start, .remote(name: BluezNames.inProgress, message: _)?),
      (.stop, .remote(name: BluezNames.inProgress, message: _)?), (_, .timedOut?):
      standings[adapter] = .unclear
    // If a stop fails with another error, no discovery is running.
    case (.start, _), (.stop, _): standings[adapter] = nil
    }
  }

  /// The adapter was removed or powered off. BlueZ has forgotten its discovery.
  mutating func forget(_ adapter: String) { standings[adapter] = nil }

  /// bluetoothd is gone. `isWanted` remains for its next start.
  mutating func interrupt() { standings = [:] }
}
