import Bluez
import EventLoop
import Reports
import TestKit
import Testing

/// Tests `BluezClient` alone, without the player, pairing and connections.
@Suite struct BluezClientTests {
  private let phone = ClientBench.phone
  private static let other = "AA:BB:CC:DD:EE:00"

  /// The event as text: its name, and the object or the values that it is about.
  private func text(_ event: BluezClient.Event) -> String {
    switch event {
    case .adapterAdded(let adapter): "adapterAdded \(adapter.id)"
    case .adapterRemoved(let id): "adapterRemoved \(id)"
    case .adapterChanged(let adapter, let changed):
      "adapterChanged \(adapter.id) \(changed.map(\.rawValue).sorted())"
    case .mediaAdded(let adapter): "mediaAdded \(adapter)"
    case .mediaRemoved(let adapter): "mediaRemoved \(adapter)"
    case .deviceAdded(let device): "deviceAdded \(device.name)"
    case .deviceRemoved(_, let address): "deviceRemoved \(address ?? "")"
    case .deviceChanged(let device, let changed):
      "deviceChanged \(device.isConnected) \(changed.map { "\($0)" }.sorted())"
    case .linkEnded(let device, let reason): "linkEnded \(device.name) \(reason)"
    case .transportAdded(let transport): "transportAdded \(transport.devicePath)"
    case .transportRemoved: "transportRemoved"
    case .transportChanged(let transport, _): "transportChanged \(transport.volume ?? -1)"
    default: "\(event)"
    }
  }

  @Test func observe_atStart_reportsExistingObjects_mediaBeforeAdapters() throws {
    let bench = try ClientBench { $0.addDevice(ClientBench.phone, name: "Ann's") }
    var events: [String] = []
    bench.client.observe { events.append(text($0)) }
    try bench.start()
    #expect(
      events == [
        "busConnected", "serviceStarted", "mediaAdded hci0", "adapterAdded hci0",
        "deviceAdded Ann's",
      ])
    #expect(bench.client.adapters.map(\.id) == ["hci0"])
    #expect(bench.client.devices.map(\.address) == [phone])
  }

  @Test func observe_change_reportsTheObjectAndItsProperties() throws {
    let bench = try ClientBench { $0.addDevice(ClientBench.phone, name: "Ann's") }
    try bench.start()
    var events: [String] = []
    bench.client.observe { events.append(text($0)) }
    bench.bluez.set(phone, "Connected", .boolean(true))
    bench.bluez.set(phone, "RSSI", .int16(-40))
    bench.bluez.set(adapter: "hci0", "Pairable", .boolean(true))
    bench.bluez.removeDevice(phone)
    bench.bluez.removeAdapter("hci0")
    try bench.turn { bench.client.adapters.isEmpty }
    #expect(
      events.filter { $0 != "controlChanged" } == [
        "deviceChanged true [\"link\"]", "deviceChanged true []",
        "adapterChanged hci0 [\"Pairable\"]", "deviceRemoved \(phone)", "adapterRemoved hci0",
        "mediaRemoved hci0",
      ])
  }

  @Test func observe_severalObservers_areCalledInOrder() throws {
    let bench = try ClientBench()
    var order: [Int] = []
    for number in 0..<3 {
      bench.client.observe { if case .serviceStarted = $0 { order.append(number) } }
    }
    try bench.start()
    #expect(order == [0, 1, 2])
  }

  @Test func bluetoothdCrash_removesItsObjects() throws {
    let bench = try ClientBench { $0.addDevice(ClientBench.phone) }
    try bench.start()
    var events: [String] = []
    bench.client.observe { events.append(text($0)) }
    bench.bluez.crash()
    try bench.turn { !bench.client.isKnown }
    #expect(events == ["serviceEnded"])
    #expect(bench.client.service == .noService && bench.client.devices.isEmpty)
    try bench.bluez.start()
    try bench.turn { bench.client.isKnown }
    #expect(events.dropFirst().first == "serviceStarted")
  }

  @Test func set_equalValue_isNotWritten() throws {
    let bench = try ClientBench()
    try bench.start()
    bench.bluez.calls = []
    bench.client.set(.isPowered(true), of: "hci0")
    bench.client.set(.isPairable(true), of: "hci0")
    try bench.turn { bench.client.adapter("hci0").isPairable }
    #expect(bench.bluez.calls == ["Set hci0 Pairable true"])
  }

  @Test func set_bluetoothdIsBusy_reportsWhenARetryIsPossible() throws {
    let bench = try ClientBench()
    try bench.start()
    var count = 0
    bench.client.observe { if case .canRetry = $0 { count += 1 } }
    bench.bluez.busyWrites = 1
    bench.client.set(.isPairable(true), of: "hci0")
    try bench.turn { count == 1 }
    #expect(
      !bench.client.adapter("hci0").isPairable && !bench.log.contains { $0.event == .adapterNotSet }
    )
  }

  @Test func deviceByName_severalMatches_returnsThePreferredOne() throws {
    let bench = try ClientBench {
      $0.addDevice(ClientBench.phone, name: "Ann's", isBonded: true)
      $0.addDevice(Self.other, name: "Ann's", isBonded: false)
    }
    try bench.start()
    func address(_ name: String, _ preferred: (BluezDevice) -> Bool) -> String? {
      try? bench.client.device(called: name, preferring: preferred).get().address
    }
    #expect(address("Ann's", \.isBonded) == ClientBench.phone)
    #expect(address("Ann's", { !$0.isBonded }) == Self.other)
    #expect(address("Ann's", { _ in true }) == nil)
    #expect(address(Self.other.lowercased(), \.isBonded) == Self.other)
    #expect(address("Bob's", \.isBonded) == nil)
  }
}
