internal import EventLoop

/// A name on a bus and the objects behind it, whenever the bus is there and gives the name. Nothing
/// waits for it: on many machines there is no bus, and on all of them it comes later.
final class BusPublication {
  /// Between one attempt and the next.
  private static let longestWait = Duration.seconds(30)

  private let loop: EventLoop
  private let address: Bus.Address
  private let name: String
  private let objects: ObjectTree
  private var bus: Bus?
  private var wait = Duration.milliseconds(500)
  private var timer: TimerSource?
  /// The bus has gone.
  var onLost: (() -> Void)?

  init(_ loop: EventLoop, _ address: Bus.Address, name: String, objects: ObjectTree) {
    self.loop = loop
    self.address = address
    self.name = name
    self.objects = objects
    timer = TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in
      self?.tryAgain()
    }
    // Not now: a start must not take longer because there is a bus.
    timer?.set(after: .zero)
  }

  deinit {
    timer?.cancel()
    bus?.close()
  }

  /// Tells everybody on the bus who listens of a new state. The bus throws away what nobody wants.
  func broadcast(_ interface: BusInterface, _ values: () -> [BusValue]) {
    guard let bus, bus.isReady else { return }
    try? bus.emit(ControlInterface.path, interface.name, "StateChanged", values())
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

  /// Refused (another has it, or the policy was not read yet), we are still found under our unique
  /// name, and ask again.
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
