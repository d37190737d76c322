internal import EventLoop

/// Stores which adapters are discovering and which adapters should be discovering. A value without
/// I/O. BlueZ carries out one discovery call at a time on an adapter and refuses a second one, so
/// the next call follows after the answer.
struct Discovery: Equatable {
  /// A D-Bus method of an adapter.
  enum Call: String, Equatable {
    case start = "StartDiscovery"
    case stop = "StopDiscovery"
  }

  private enum State: Equatable {
    case discovering
    case requested(Call)
    /// The adapter may be discovering. The answer to the last call is missing or ambiguous.
    case unknown
  }

  /// Discovery is requested. It runs only while the pairing window is open.
  var isRequested = false
  /// By adapter. An adapter that is not discovering and has no call in progress has no entry.
  private var states: [String: State] = [:]

  /// The call to make on an adapter now. Nil if its state is as requested, or if a call is in
  /// progress.
  mutating func next(_ adapter: String, discovers: Bool) -> Call? {
    let call: Call
    switch (states[adapter], discovers) {
    case (nil, true): call = .start
    case (.discovering?, false), (.unknown?, _): call = .stop
    case (.requested?, _), (nil, false), (.discovering?, true): return nil
    }
    states[adapter] = .requested(call)
    return call
  }

  /// Takes the answer to a call. BlueZ answers `InProgress` in three cases: the controller refuses
  /// a start, discovery has already been started, or a stop arrives while a start is in progress
  /// (`adapter.c`).
  mutating func answered(_ adapter: String, _ call: Call, _ error: BusError?) {
    // The answer is older than the last power-off or removal of the adapter.
    guard states[adapter] == .requested(call) else { return }
    switch (call, error) {
    case (.start, nil): states[adapter] = .discovering
    case (.start, .remote(name: BluezNames.inProgress, message: _)?),
      (.stop, .remote(name: BluezNames.inProgress, message: _)?), (_, .timedOut?):
      states[adapter] = .unknown
    // If a stop fails with another error, no discovery is running.
    case (.start, _), (.stop, _): states[adapter] = nil
    }
  }

  /// The adapter was removed or powered off. BlueZ has forgotten its discovery.
  mutating func forget(_ adapter: String) { states[adapter] = nil }

  /// bluetoothd has ended. `isRequested` remains for its next start.
  mutating func interrupt() { states = [:] }
}
