@testable import AVRCPTarget
import EventLoop
import Reports
import TestKit
import Testing

/// `BluezClient` without the other parts.
@Suite struct BluezClientTests {
  private let phone = Bench.phone

  /// The name of an event and its subject.
  private func words(_ event: BluezClient.Event) -> String {
    switch event {
    case .adapterCame(let adapter): "adapterCame \(adapter.id)"
    case .adapterWent(let id): "adapterWent \(id)"
    case .adapterChanged(let adapter, let changed):
      "adapterChanged \(adapter.id) \(changed.map(\.rawValue).sorted())"
    case .mediaCame(let adapter): "mediaCame \(adapter)"
    case .mediaWent(let adapter): "mediaWent \(adapter)"
    case .deviceCame(let device): "deviceCame \(device.name)"
    case .deviceWent(_, let address): "deviceWent \(address ?? "")"
    case .deviceChanged(let device, let changed):
      "deviceChanged \(device.isConnected) \(changed.map { "\($0)" }.sorted())"
    case .linkEnded(let device, let reason): "linkEnded \(device.name) \(reason)"
    case .transportCame(let transport): "transportCame \(transport.devicePath)"
    case .transportWent: "transportWent"
    case .transportChanged(let transport): "transportChanged \(transport.volume ?? -1)"
    default: "\(event)"
    }
  }

  @Test func whatBluezHas_isTold_playersFirst() throws {
    let bench = try ClientBench { $0.addDevice(Bench.phone, name: "Ann's") }
    var events: [String] = []
    bench.client.observe { events.append(words($0)) }
    try bench.start()
    #expect(
      events == [
        "busCame", "serviceCame", "mediaCame hci0", "adapterCame hci0", "deviceCame Ann's",
      ])
    #expect(bench.client.adapters.map(\.id) == ["hci0"])
    #expect(bench.client.devices.map(\.address) == [phone])
  }

  @Test func changes_areTold_withWhatTheyAreAbout() throws {
    let bench = try ClientBench { $0.addDevice(Bench.phone, name: "Ann's") }
    try bench.start()
    var events: [String] = []
    bench.client.observe { events.append(words($0)) }
    bench.bluez.set(phone, "Connected", .boolean(true))
    bench.bluez.set(phone, "RSSI", .int16(-40))
    bench.bluez.set(adapter: "hci0", "Pairable", .boolean(true))
    bench.bluez.removeDevice(phone)
    bench.bluez.removeAdapter("hci0")
    try bench.turn { bench.client.adapters.isEmpty }
    #expect(
      events.filter { $0 != "controlChanged" } == [
        "deviceChanged true [\"link\"]", "deviceChanged true []",
        "adapterChanged hci0 [\"Pairable\"]", "deviceWent \(phone)", "adapterWent hci0",
        "mediaWent hci0",
      ])
  }

  @Test func observers_areCalledInTheirOrder() throws {
    let bench = try ClientBench()
    var order: [Int] = []
    for number in 0..<3 {
      bench.client.observe { if case .serviceCame = $0 { order.append(number) } }
    }
    try bench.start()
    #expect(order == [0, 1, 2])
  }

  @Test func bluetoothdThatGoes_takesItsObjectsAlong() throws {
    let bench = try ClientBench { $0.addDevice(Bench.phone) }
    try bench.start()
    var events: [String] = []
    bench.client.observe { events.append(words($0)) }
    bench.bluez.crash()
    try bench.turn { !bench.client.isKnown }
    #expect(events == ["serviceWent"])
    #expect(bench.client.service == .noService && bench.client.devices.isEmpty)
    try bench.bluez.come()
    try bench.turn { bench.client.isKnown }
    #expect(events.dropFirst().first == "serviceCame")
  }

  @Test func aPropertyIsWritten_onlyWhereItDiffers() throws {
    let bench = try ClientBench()
    try bench.start()
    bench.bluez.calls = []
    bench.client.set(.isPowered(true), of: "hci0")
    bench.client.set(.isPairable(true), of: "hci0")
    try bench.turn { bench.client.adapter("hci0").isPairable }
    #expect(bench.bluez.calls == ["Set hci0 Pairable true"])
  }

  @Test func bluetoothdThatIsBusy_isAskedAgain_afterAMoment() throws {
    let bench = try ClientBench()
    try bench.start()
    var count = 0
    bench.client.observe { if case .canAskAgain = $0 { count += 1 } }
    bench.bluez.busyWrites = 1
    bench.client.set(.isPairable(true), of: "hci0")
    try bench.turn { count == 1 }
    #expect(
      !bench.client.adapter("hci0").isPairable && !bench.log.contains { $0.event == .adapterNotSet }
    )
  }

  @Test func aName_isThatOfOneDevice_orOfThePreferredOne() throws {
    let bench = try ClientBench {
      $0.addDevice(Bench.phone, name: "Ann's", isBonded: true)
      $0.addDevice(Bench.other, name: "Ann's", isBonded: false)
    }
    try bench.start()
    func address(_ name: String, _ preferred: (BluezDevice) -> Bool) -> String? {
      try? bench.client.device(called: name, preferring: preferred).get().address
    }
    #expect(address("Ann's", \.isBonded) == Bench.phone)
    #expect(address("Ann's", { !$0.isBonded }) == Bench.other)
    #expect(address("Ann's", { _ in true }) == nil)
    #expect(address(Bench.other.lowercased(), \.isBonded) == Bench.other)
    #expect(address("Bob's", \.isBonded) == nil)
  }
}
