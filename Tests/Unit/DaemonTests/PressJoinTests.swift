import AVRCPTarget
import Bluez
import CInput
import Control
import EventLoop
import Foundation
import Glibc
import Input
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Daemon
@testable import Settings

/// One press on a phone arrives twice: as a call of bluetoothd, and as a key of the input device of the phone.
@Suite struct PressJoinTests {
  /// The input device that bluetoothd creates for a phone; here it is a pipe.
  private struct PassThrough: NodeSource {
    let name: String
    let phys: String

    func open(_ path: String) -> NodeAnswer {
      var description = DeviceDescription(name: name)
      description.bus = UInt16(BUS_BLUETOOTH)
      description.phys = phys
      description.keys = [163, 165, 200, 201]
      let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      return descriptor >= 0 ? .opened(descriptor, description) : .removed
    }

    func down(_ descriptor: Int32) -> Set<UInt16>? { [] }
  }

  private final class Car {
    static let phone = "AA:BB:CC:DD:EE:FF"
    static let next: UInt16 = 163

    let loop = EventLoop()
    let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(thousandths: 400)))
    let folder: TemporaryFolder
    let daemon: PrivateBus
    let bluez: FakeBluez
    let client: BluezClient
    let target: AVRCPTarget
    let keys: UnitKeys
    let writer: Int32
    let session: MediaSession
    var performed = 0

    /// - Parameter name: the phone's own name.
    /// - Parameter node: the name of the phone's input device.
    /// - Parameter phys: the physical path of the phone's input device, as bluetoothd writes it.
    init(
      name: String = "Phone", node: String = "Phone (AVRCP)", phys: String = "00:11:22:33:44:55"
    ) throws {
      folder = try TemporaryFolder()
      try #require(mkfifo(folder.path("event0"), 0o600) == 0)
      writer = open(folder.path("event0"), O_RDWR | O_CLOEXEC)
      daemon = try PrivateBus()
      bluez = try FakeBluez(loop, address: daemon.address)
      bluez.addAdapter()
      bluez.addDevice(Self.phone, name: name, isConnected: true)
      session = center.openSession(
        "local", didConnect: { _, _ in }, instruct: { _ in }, at: MonotonicInstant.now())
      var options = AVRCPTarget.Options()
      options.reconnects = false
      client = BluezClient(loop, bus: .bus(daemon.address))
      target = AVRCPTarget(
        client, center, options: options, seed: 1, access: FakeController(),
        clock: MonotonicInstant.now)
      let turns = Turns(loop)
      keys = UnitKeys(
        loop, center, target, folder: folder.url.path,
        source: PassThrough(name: node, phys: phys), UnitOutbox(turns), turns,
        log: UnitLog(level: .info) { _ in })
      keys.open(Settings(), at: .now())
      session.activate(at: .now())
      session.publish(
        SessionDescription(
          content: .music(
            MusicContent(
              id: "a", metadata: MetadataItems([MetadataItem(.title, "a")]),
              duration: .finite(.seconds(60)))),
          playback: .snapshot(
            MediaPlaybackSnapshot(
              state: .paused, elapsedTime: .zero, timestamp: MonotonicInstant.now())),
          commands: [
            .next { [unowned self] reply in
              performed += 1
              reply(.success, at: MonotonicInstant.now())
            }
          ]), at: .now())
      client.start()
      try turn { target.state.connected.count == 1 && keys.report?.devices.count == 1 }
      try turn { bluez.player()?.flags.contains("CanGoNext") == true }
    }

    deinit {
      keys.shutDown()
      close(writer)
    }

    func turn(
      until condition: () -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let deadline = EventClock.monotonic.now + 30_000_000_000
      while !condition() {
        try #require(EventClock.monotonic.now < deadline, sourceLocation: sourceLocation)
        try loop.step(timeout: .milliseconds(50))
      }
    }

    /// Runs the loop until the center has decided about this number of arrivals.
    func turn(arrivals count: Int) throws { try turn { center.trace.count == count } }

    func pressNode() {
      let bytes = KeyEvents.stroke(Self.next)
      #expect(write(writer, bytes, bytes.count) == bytes.count)
    }

    var verdicts: [String] {
      center.trace.records.map { record in
        switch record.verdict {
        case .accepted?: "\(record.inputPath) acts"
        case .merged?: "\(record.inputPath) is the same"
        default: "\(record.inputPath) \(record)"
        }
      }
    }
  }

  @Test func pressOnBothInputPaths_actsOnce_inAnyOrder() throws {
    let car = try Car()
    car.bluez.press(.forward)
    try car.turn(arrivals: 1)
    car.pressNode()
    try car.turn(arrivals: 2)
    #expect(car.verdicts == ["dbus acts", "keys is the same"])
    #expect(car.performed == 1)

    // Wait for longer than the time within which arrivals on two paths count as the same press.
    let pressed = EventClock.monotonic.now
    try car.turn { EventClock.monotonic.now - pressed > 200_000_000 }
    car.pressNode()
    try car.turn(arrivals: 3)
    car.bluez.press(.forward)
    try car.turn(arrivals: 4)
    #expect(car.verdicts.suffix(2) == ["keys acts", "dbus is the same"])
    #expect(car.performed == 2)
    #expect(Set(car.center.trace.records.compactMap(\.origin?.name)) == ["Phone"])
  }

  /// bluetoothd names the input device after the phone's own name, and shortens a long name. bluetoothd does not use an
  /// alias that the user has set on the unit.
  @Test func renamedOrLongNamedPhone_isOneOrigin() throws {
    let long = String(repeating: "ö", count: 60)
    for (name, node) in [
      ("Phone", "Phone (AVRCP)"),
      (long, String(decoding: Array(long.utf8.prefix(71)), as: UTF8.self) + " (AVRCP)"),
    ] {
      let car = try Car(name: name, node: node)
      car.bluez.set(Car.phone, "Alias", .string("Ann's"))
      try car.turn { car.target.state.connected.first?.name == "Ann's" }
      car.bluez.press(.forward)
      try car.turn(arrivals: 1)
      car.pressNode()
      try car.turn(arrivals: 2)
      #expect(car.verdicts == ["dbus acts", "keys is the same"])
    }
  }

  /// The bluetoothd of the image writes the address of the phone into `phys`.
  @Test(arguments: [(Car.phone, "keys is the same"), ("AA:BB:CC:DD:EE:00", "keys acts")])
  func pressesOfTwoPhonesOfOneName_areComparedByAddress(_ address: String, _ key: String) throws {
    let car = try Car(phys: "00:11:22:33:44:55/\(address.lowercased())")
    car.bluez.press(.forward)
    try car.turn(arrivals: 1)
    car.pressNode()
    try car.turn(arrivals: 2)
    #expect(car.verdicts == ["dbus acts", key])
  }

  @Test func keyOfANode_provesItsDevice() throws {
    let car = try Car()
    #expect(car.target.state.phones[0].hasPressedKey == false)
    car.pressNode()
    try car.turn(arrivals: 1)
    #expect(car.target.state.phones[0].hasPressedKey)
  }

  @Test func pressesOfTwoDevices_actTwice() throws {
    let car = try Car(name: "Phone", node: "Other (AVRCP)")
    car.bluez.press(.forward)
    try car.turn(arrivals: 1)
    car.pressNode()
    try car.turn(arrivals: 2)
    #expect(car.verdicts == ["dbus acts", "keys acts"])
  }
}
