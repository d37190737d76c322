internal import EventLoop

/// Publishes a name and objects on a bus while the bus is available. The daemon does not depend on
/// the bus: many machines have no bus, and on the other machines the bus starts later than the
/// daemon.
final class BusPublication {
  /// The maximum time between two attempts.
  private static let longestWait = Duration.seconds(30)

  private let loop: EventLoop
  private let address: Bus.Address
  private let name: String
  private let objects: ObjectTree
  private var bus: Bus?
  private var wait = Duration.milliseconds(500)
  private var timer: TimerSource?
  /// Called when the connection to the bus has ended.
  var onLost: (() -> Void)?

  init(_ loop: EventLoop, _ address: Bus.Address, name: String, objects: ObjectTree) {
    self.loop = loop
    self.address = address
    self.name = name
    self.objects = objects
    timer = TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in
      self?.tryAgain()
    }
    // The connection is made in a later turn of the loop, so that the bus does not delay the start
    // of the daemon.
    timer?.set(after: .zero)
  }

  deinit {
    timer?.cancel()
    bus?.close()
  }

  /// Sends a new state to all listeners on the bus. If there are no listeners, the bus discards the
  /// state.
  func broadcast(
    _ interface: BusInterface, _ member: String = "StateChanged", _ values: () -> [BusValue]
  ) {
    guard let bus, bus.isReady else { return }
    try? bus.emit(ControlInterface.path, interface.name, member, values())
  }

  private func connect() {
    guard let bus = try? Bus(loop, to: address) else { return retry() }
    self.bus = bus
    bus.objects = objects
    bus.onDisconnected = { [weak self] _ in self?.lost() }
    bus.onConnected = { [weak self, unowned bus] in
      guard let self else { return }
      wait = .milliseconds(500)
      claim(on: bus)
    }
  }

  private func tryAgain() {
    guard let bus else { return connect() }
    claim(on: bus)
  }

  /// Requests the name. The bus refuses if another process owns the name, or if the bus has not
  /// read the policy yet. In both cases the request is repeated later. Until the bus grants the
  /// name, the objects are available under the unique name.
  private func claim(on bus: Bus) {
    bus.requestName(name) { [weak self, weak bus] result in
      guard let self, let bus, bus === self.bus else { return }
      if case .success(true) = result { return }
      retry()
    }
  }

  private func lost() {
    bus = nil
    onLost?()
    retry()
  }

  private func retry() {
    timer?.set(after: wait)
    wait = min(wait * 2, Self.longestWait)
  }
}
