internal import EventLoop

/// Reads the state of a service from the service manager over the system bus. Without a bus or an answer, the state is
/// unknown.
final class ServiceProbe {
  private static let manager = "org.freedesktop.systemd1"
  /// The minimum time between two requests.
  private static let interval = Duration.seconds(1)

  private let loop: EventLoop
  private let address: Bus.Address
  private let unit: String
  private let onAnswer: () -> Void
  private var bus: Bus?
  private var pause: TimerSource?
  private var isPausing = false
  /// The number of times that the manager has restarted the service.
  private(set) var restarts = 0
  /// True if the service has ended and the manager waits to start it again, or if the service is starting.
  private(set) var isRestarting = false
  /// The reason why the service ended, such as `watchdog`, `signal 11` or `exit status 1`. Nil if the reason is unknown
  /// or if the service ended successfully.
  private(set) var reason: String?
  /// True if the service was stopped on request, or starts after that.
  private(set) var wasStopped = false

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

  /// True while a request has no answer yet.
  var isAsking: Bool { bus != nil }

  /// Sends a request. Does nothing if a request is pending, or if the last request was sent less than a second ago.
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
      readProperties(of: path)
    }
  }

  /// Discards the last answer, because the service runs again.
  func forget() { (reason, wasStopped) = (nil, false) }

  private func readProperties(of path: String) {
    bus?.call(
      Self.manager, path, "org.freedesktop.DBus.Properties", "GetAll", [.string("")],
      timeout: .seconds(1)
    ) { [weak self] result in
      guard let self else { return }
      if case .success(var body) = result, let properties = try? body.properties() {
        update(from: properties)
      }
      close()
    }
  }

  private func update(from properties: BusValue) {
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
    // The result of a service that runs is `success` too. An automatic start resets the result, but counts a restart.
    wasStopped =
      result == "success"
      && (active == "inactive" || active == "deactivating"
        || active == "activating" && restarts == 0)
  }

  private func close() {
    bus?.close()
    bus = nil
    onAnswer()
  }
}
