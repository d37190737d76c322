package import Bluez
package import EventLoop
package import Reports

/// A `BluezClient`, and a fake BlueZ on a private bus. Both run on one event loop. Each test adds the object that it
/// tests, such as a `Pairing`.
package final class ClientBench {
  /// The event loop of the client and of the fake BlueZ.
  package let loop = EventLoop()
  private let bus: PrivateBus
  /// The address of the bus.
  package var address: String { bus.address }
  /// The fake BlueZ.
  package let bluez: FakeBluez
  /// The client. It runs after a call of ``start()``.
  package let client: BluezClient
  /// The lines that the client has logged.
  package var log: [(event: LogEvent, text: String)] = []

  /// The address of a phone that a test adds.
  package static let phone = "AA:BB:CC:DD:EE:FF"

  /// Starts the bus and the fake BlueZ with one adapter. `prepare` can add more objects.
  package init(_ prepare: (FakeBluez) -> Void = { _ in }) throws {
    bus = try PrivateBus()
    bluez = try FakeBluez(loop, address: bus.address)
    let bluez = bluez
    try loop.turn { bluez.isRunning }
    bluez.addAdapter()
    prepare(bluez)
    client = BluezClient(loop, bus: .bus(bus.address))
    client.onLog = { [unowned self] in log.append(($0, $1)) }
  }

  /// Starts the client, and waits until it has read BlueZ's objects.
  package func start() throws {
    client.start()
    try turn { client.isKnown }
  }

  /// Runs the event loop until `condition` returns true.
  package func turn(
    until condition: () -> Bool, fileID: String = #fileID, line: Int = #line
  ) throws {
    try loop.turn(until: condition, fileID: fileID, line: line)
  }
}
