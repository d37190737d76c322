internal import BluetoothController
internal import EventLoop
internal import Reports

/// Reads details and signal strengths from controllers, because bluetoothd does not report them. A controller is read
/// when it is added, after a phone has connected, and repeatedly while a phone is connected.
final class AdapterMonitor {
  /// The time between two readings. A reading sends one short command to the controller, and one or two commands for
  /// each link. A change of a signal is shown after the next reading.
  static let interval = Duration.seconds(10)
  /// The time from the beginning of a new link to the first measurement of its signal.
  static let settling = Duration.seconds(1)

  /// The last reading of each adapter, keyed by the name of the adapter, such as `hci0`.
  private(set) var readings: [String: ControllerReading] = [:]
  /// The reasons why adapters cannot be read, keyed by the name of the adapter.
  private(set) var failures: [String: ControllerFailure] = [:]
  /// Called after each change of `readings` or `failures`.
  var onChange: (() -> Void)?

  private let access: any ControllerReader
  private let interval: Duration
  private var adapters: Set<String> = []
  private var connected: Set<String> = []
  /// The requests in progress; at most one for each adapter.
  private var requests: [String: any ControllerQuery] = [:]
  private var timer: TimerSource?

  init(_ loop: EventLoop, _ access: any ControllerReader, interval: Duration = interval) {
    self.access = access
    self.interval = interval
    timer = TimerSource(loop, accuracy: .milliseconds(500)) { [weak self] in self?.measure() }
  }

  deinit { cancel() }

  func cancel() {
    timer?.cancel()
    for request in requests.values { request.cancel() }
    requests = [:]
  }

  /// Sets the current adapters and links.
  /// - Parameters:
  ///   - adapters: adapters that are powered.
  ///   - connected: addresses of connected phones.
  func update(adapters: Set<String>, connected: Set<String>) {
    for removed in self.adapters.subtracting(adapters) {
      requests.removeValue(forKey: removed)?.cancel()
      readings[removed] = nil
      failures[removed] = nil
    }
    let newAdapters = adapters.subtracting(self.adapters)
    let hasNewLink = !connected.isSubset(of: self.connected)
    self.adapters = adapters
    self.connected = connected
    for adapter in newAdapters { query(adapter) }
    if !isMeasuring {
      timer?.stop()
    } else if hasNewLink {
      timer?.set(after: Self.settling)
    }
  }

  /// The signal of a connected phone. Nil until the signal is measured.
  func signal(of address: String, on adapter: String) -> PhonesState.Signal? {
    guard connected.contains(address), let link = readings[adapter]?.links[address] else {
      return nil
    }
    return PhonesState.Signal(
      decibels: link.signal, isAbsolute: link.isLowEnergy, quality: link.quality)
  }

  /// True if readings are repeated. If no phone is connected, only the adapters that could not be read are read again.
  var isMeasuring: Bool {
    !adapters.isEmpty && (!connected.isEmpty || !failures.isEmpty)
  }

  private func measure() {
    for adapter in adapters where !connected.isEmpty || failures[adapter] != nil { query(adapter) }
    timer?.set(after: interval)
  }

  private func query(_ adapter: String) {
    guard requests[adapter] == nil, let number = Int(adapter.dropFirst(3)) else { return }
    requests[adapter] = access.read(number) { [weak self] in self?.handle($0, of: adapter) }
  }

  private func handle(_ result: Result<ControllerReading, ControllerFailure>, of adapter: String) {
    requests[adapter] = nil
    let (oldReading, oldFailure) = (readings[adapter], failures[adapter])
    switch result {
    case .success(var reading):
      // If the controller was busy, this reading has no details. The details of an earlier reading are then used,
      // because the details of a controller do not change.
      reading.details = reading.details ?? oldReading?.details
      readings[adapter] = reading
      failures[adapter] = nil
    case .failure(let failure):
      readings[adapter] = nil
      failures[adapter] = failure
      timer?.set(after: interval)
    }
    if !isMeasuring { timer?.stop() }
    if readings[adapter] != oldReading || failures[adapter] != oldFailure { onChange?() }
  }
}
