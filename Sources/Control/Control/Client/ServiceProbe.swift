internal import EventLoop

/// Asks the service manager over the system's bus how a service is. Best effort: where there is no
/// bus, or it does not answer, nothing is known.
final class ServiceProbe {
  private static let manager = "org.freedesktop.systemd1"
  /// Between two questions.
  private static let interval = Duration.seconds(1)

  private let loop: EventLoop
  private let address: Bus.Address
  private let unit: String
  private let onAnswer: () -> Void
  private var bus: Bus?
  private var pause: TimerSource?
  private var isPausing = false
  /// How often the manager has started it again.
  private(set) var restarts = 0
  /// It has ended, and the manager is about to start it again.
  private(set) var isRestarting = false
  /// Why it ended, in the manager's words: `watchdog`, `signal`, `exit-code 1`.
  private(set) var reason: String?

  init(
    _ loop: EventLoop, _ address: Bus.Address, unit: String, _ onAnswer: @escaping () -> Void
  ) {
    self.loop = loop
    self.address = address
    self.unit = unit
    self.onAnswer = onAnswer
    pause = TimerSource(loop, accuracy: .milliseconds(100)) { [weak self] in
      self?.isPausing = false
    }
  }

  deinit {
    pause?.cancel()
    bus?.close()
  }

  /// It was asked, and has not answered.
  var isAsking: Bool { bus != nil }

  /// Asks, unless that was done a moment ago.
  func ask() {
    guard bus == nil, !isPausing else { return }
    isPausing = true
    pause?.set(after: Self.interval)
    guard let bus = try? Bus(loop, to: address) else { return }
    self.bus = bus
    bus.onDisconnected = { [weak self] _ in
      guard let self, self.bus != nil else { return }
      self.bus = nil
      onAnswer()
    }
    bus.call(
      Self.manager, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "GetUnit",
      [.string(unit)], timeout: .seconds(1)
    ) { [weak self] result in
      guard let self else { return }
      guard case .success(var body) = result, let path = try? body.objectPath() else {
        return close()
      }
      askFor(path)
    }
  }

  private func askFor(_ path: String) {
    bus?.call(
      Self.manager, path, "org.freedesktop.DBus.Properties", "GetAll", [.string("")],
      timeout: .seconds(1)
    ) { [weak self] result in
      guard let self else { return }
      if case .success(var body) = result, let properties = try? body.properties() {
        take(properties)
      }
      close()
    }
  }

  private func take(_ properties: BusValue) {
    restarts = max(0, properties["NRestarts"]?.integer ?? 0)
    let (active, sub) = (properties["ActiveState"]?.text, properties["SubState"]?.text)
    isRestarting = sub == "auto-restart" || sub == "auto-restart-queued" || active == "activating"
    let result = properties["Result"]?.text ?? "success"
    let status = properties["ExecMainStatus"]?.integer ?? 0
    switch result {
    case "success": reason = nil
    case "exit-code": reason = "exit status \(status)"
    case "signal", "core-dump": reason = "signal \(status)"
    default: reason = result
    }
  }

  private func close() {
    bus?.close()
    bus = nil
    onAnswer()
  }
}
