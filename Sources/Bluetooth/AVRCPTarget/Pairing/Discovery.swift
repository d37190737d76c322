internal import Bluez
internal import EventLoop

/// Stores whether discovery is requested, and which adapters are discovering. A value without I/O. On each adapter,
/// BlueZ carries out one discovery call at a time and refuses a second call. So the next call is made only after the
/// answer to the previous call.
struct Discovery: Equatable {
  typealias Call = BluezClient.DiscoveryCall

  private enum State: Equatable {
    case discovering
    case requested(Call)
    /// The answer to the last call is missing or ambiguous, so the adapter may be discovering.
    case unknown
  }

  /// True if discovery is requested. Discovery runs only while the pairing window is open.
  var isRequested = false
  /// The states, keyed by the name of the adapter. An adapter that is not discovering and has no call in progress has
  /// no entry.
  private var states: [String: State] = [:]

  /// The call to make on an adapter now. Nil if the state of the adapter is as requested, or if a call is in progress.
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

  /// Handles the answer to a call. BlueZ answers `InProgress` in three cases (`adapter.c`): the controller refuses to
  /// start discovery, discovery has already been started, or `StopDiscovery` arrives while `StartDiscovery` is in
  /// progress.
  mutating func answered(_ adapter: String, _ call: Call, _ error: BusError?) {
    // If the adapter was powered off or removed after the call, the answer is ignored.
    guard states[adapter] == .requested(call) else { return }
    switch (call, error) {
    case (.start, nil): states[adapter] = .discovering
    case (.start, .remote(name: BluezNames.inProgress, message: _)?),
      (.stop, .remote(name: BluezNames.inProgress, message: _)?), (_, .timedOut?):
      states[adapter] = .unknown
    // After a stop, or after a call that failed with an error other than `InProgress` or a time-out, no discovery is
    // running.
    case (.start, _), (.stop, _): states[adapter] = nil
    }
  }

  /// Must be called when the adapter was removed or powered off. BlueZ has then ended the discovery.
  mutating func forget(_ adapter: String) { states[adapter] = nil }

  /// Must be called when bluetoothd has ended. `isRequested` keeps its value for the next start of bluetoothd.
  mutating func interrupt() { states = [:] }
}
