internal import BluetoothRadio
internal import EventLoop
internal import Reports

/// What controllers say of themselves and of their links, which bluetoothd does not pass on: asked
/// when a controller comes, when a phone does, and now and then while one is there.
final class AdapterMonitor {
  /// A phone that walks away is seen to within so much; a controller is asked three short questions.
  static let interval = Duration.seconds(10)
  /// The signal of a link that has just begun is not measured yet.
  static let settling = Duration.seconds(1)

  /// By adapter, as `hci0`.
  private(set) var readings: [String: RadioReading] = [:]
  /// Why an adapter cannot be asked, in words.
  private(set) var failures: [String: String] = [:]
  /// Called where something differs from before.
  var onChange: (() -> Void)?

  private let access: any RadioAccess
  private let interval: Duration
  private var adapters: Set<String> = []
  private var connected: Set<String> = []
  /// One at a time of each adapter.
  private var requests: [String: any RadioRequest] = [:]
  private var timer: TimerSource?

  init(_ loop: EventLoop, _ access: any RadioAccess, interval: Duration = interval) {
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

  /// Those that are there now.
  /// - Parameters:
  ///   - adapters: that are switched on.
  ///   - connected: the addresses of phones.
  func update(adapters: Set<String>, connected: Set<String>) {
    for gone in self.adapters.subtracting(adapters) {
      requests.removeValue(forKey: gone)?.cancel()
      readings[gone] = nil
      failures[gone] = nil
    }
    let newAdapters = adapters.subtracting(self.adapters)
    let hasCome = !connected.isSubset(of: self.connected)
    self.adapters = adapters
    self.connected = connected
    for adapter in newAdapters { ask(adapter) }
    if !isMeasuring {
      timer?.stop()
    } else if hasCome {
      timer?.set(after: Self.settling)
    }
  }

  /// How well a phone is heard that is connected; nil where it was not measured yet.
  func signal(of address: String, on adapter: String) -> PhonesState.Signal? {
    guard connected.contains(address), let link = readings[adapter]?.links[address] else {
      return nil
    }
    return PhonesState.Signal(
      decibels: link.signal, isAbsolute: link.isLowEnergy, quality: link.quality)
  }

  /// Without a phone only those are asked again that could not be read.
  var isMeasuring: Bool {
    !adapters.isEmpty && (!connected.isEmpty || !failures.isEmpty)
  }

  private func measure() {
    for adapter in adapters where !connected.isEmpty || failures[adapter] != nil { ask(adapter) }
    timer?.set(after: interval)
  }

  private func ask(_ adapter: String) {
    guard requests[adapter] == nil, let number = Int(adapter.dropFirst(3)) else { return }
    requests[adapter] = access.read(number) { [weak self] in self?.take($0, of: adapter) }
  }

  private func take(_ result: Result<RadioReading, RadioFailure>, of adapter: String) {
    requests[adapter] = nil
    let (oldReading, oldFailure) = (readings[adapter], failures[adapter])
    switch result {
    case .success(var reading):
      // Who it is does not change; one that was too busy to say so once has said it before.
      reading.details = reading.details ?? oldReading?.details
      readings[adapter] = reading
      failures[adapter] = nil
    case .failure(let failure):
      readings[adapter] = nil
      failures[adapter] = failure.words
      timer?.set(after: interval)
    }
    if !isMeasuring { timer?.stop() }
    if readings[adapter] != oldReading || failures[adapter] != oldFailure { onChange?() }
  }
}
