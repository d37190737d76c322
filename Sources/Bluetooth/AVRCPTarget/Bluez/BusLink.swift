internal import EventLoop

/// A connection to a bus, whenever there is one: the daemon starts before D-Bus does, and outlives
/// it. Nothing waits for it.
final class BusLink {
  private static let firstWait = Duration.milliseconds(500)
  private static let longestWait = Duration.seconds(30)

  private let loop: EventLoop
  private let address: Bus.Address
  private(set) var bus: Bus?
  private var wait = firstWait
  private var timer: TimerSource?
  /// Objects that are shown from the first moment on.
  let objects = ObjectTree()
  /// Messages go.
  var onUp: ((Bus) -> Void)?
  /// They do not any more.
  var onDown: (() -> Void)?

  init(_ loop: EventLoop, _ address: Bus.Address) {
    self.loop = loop
    self.address = address
  }

  deinit {
    timer?.cancel()
    bus?.close()
  }

  /// Begins to connect, in a later turn: a start must not take longer because there is a bus.
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
