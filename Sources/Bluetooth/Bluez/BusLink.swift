internal import EventLoop

/// Connects to a bus, and connects again after each failure and after each loss of the connection. This is needed
/// because the daemon can start before D-Bus, and D-Bus can end before the daemon. Never blocks.
final class BusLink {
  private static let firstWait = Duration.milliseconds(500)
  private static let longestWait = Duration.seconds(30)

  private let loop: EventLoop
  private let address: Bus.Address
  private(set) var bus: Bus?
  private var wait = firstWait
  private var timer: TimerSource?
  /// Objects of the unit. They are visible on the bus from the first moment of a connection.
  let objects = ObjectTree()
  /// Called when messages can be sent.
  var onUp: ((Bus) -> Void)?
  /// Called when the connection is lost.
  var onDown: (() -> Void)?

  init(_ loop: EventLoop, _ address: Bus.Address) {
    self.loop = loop
    self.address = address
  }

  deinit {
    timer?.cancel()
    bus?.close()
  }

  /// Connects when the event loop handles its next timer, so that the bus does not delay the start of the daemon.
  func start() {
    timer = TimerSource(loop, accuracy: .milliseconds(100)) { [weak self] in
      self?.connect()
    }
    timer?.set(after: .zero)
  }

  private func connect() {
    guard let bus = try? Bus(loop, to: address) else { return retry() }
    self.bus = bus
    bus.objects = objects
    bus.onConnected = { [weak self, unowned bus] in
      self?.wait = Self.firstWait
      self?.onUp?(bus)
    }
    bus.onDisconnected = { [weak self] _ in
      self?.bus = nil
      self?.onDown?()
      self?.retry()
    }
  }

  private func retry() {
    timer?.set(after: wait)
    wait = min(wait * 2, Self.longestWait)
  }
}
