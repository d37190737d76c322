@testable import AVRCPTarget
import EventLoop
import SystemClock
import Reports
import TestKit
import Testing

/// A `BluezClient`, and a fake BlueZ on a private bus. Both run on one event loop. Each test adds
/// the object that it tests, such as `Pairing`.
final class ClientBench {
  let loop = EventLoop()
  let bus: PrivateBus
  let bluez: FakeBluez
  let client: BluezClient
  var log: [(event: LogEvent, text: String)] = []

  init(_ prepare: (FakeBluez) -> Void = { _ in }) throws {
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
  func start() throws {
    client.start()
    try turn { client.isKnown }
  }

  func turn(
    until condition: () -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try loop.turn(until: condition, fileID: sourceLocation.fileID, line: sourceLocation.line)
  }
}
