import A2DPStream
import Bluez
import EventLoop
import Foundation
import NowPlaying
import PhoneLink
import Reports
import SystemClock
import TestKit
import Testing

@Suite struct PhoneLinkTests {
  private let phone = ClientBench.phone

  /// A phone, and the ``PhoneLink`` of a unit to this phone.
  private final class Car {
    let bench: ClientBench
    let link: PhoneLink
    var changes = 0

    /// - Parameter prepare: adds objects that exist before the unit starts.
    init(isConnected: Bool = true, _ prepare: (FakeBluez) -> Void = { _ in }) throws {
      bench = try ClientBench {
        $0.addDevice(
          ClientBench.phone, name: "Ann's", uuids: [FakeBluez.source, FakeBluez.target],
          isConnected: isConnected)
        prepare($0)
      }
      link = PhoneLink(bench.client, clock: { .now() })
      link.onChange = { [unowned self] _ in changes += 1 }
      try bench.start()
      try bench.turn { bench.bluez.endpoints.count == 3 && link.isRegistered }
    }

    /// Lets the phone configure a stream. Returns true if the unit accepts the configuration.
    func configure(_ bytes: [UInt8] = [0x21, 0x15, 2, 53], endpoint: Int = 0) throws -> Bool {
      var answer: Bool?
      bench.bluez.configure(ClientBench.phone, bytes, endpoint: endpoint) { answer = $0 }
      try bench.turn { answer != nil }
      return answer == true
    }

    var device: String? { link.connected.first }
    var stream: PhoneStream? { device.flatMap(link.stream) }
    var reading: PhoneReading? { device.flatMap(link.reading) }

    func streams() throws -> PhoneStream {
      #expect(try configure())
      bench.bluez.startStream(ClientBench.phone)
      try bench.turn { stream != nil }
      return try #require(stream)
    }
  }

  // MARK: Endpoints

  @Test func endpoints_offerSBC_withDelayReporting() throws {
    let car = try Car()
    #expect(Set(car.bench.bluez.endpoints.map(\.path)).count == 3)
    for endpoint in car.bench.bluez.endpoints {
      #expect(endpoint.properties["UUID"]?.text == "0000110b-0000-1000-8000-00805f9b34fb")
      #expect(endpoint.properties["Codec"]?.integer == 0)
      #expect(endpoint.properties["DelayReporting"]?.flag == true)
      #expect(endpoint.properties["Capabilities"] == .bytes([0x3F, 0xFF, 2, 53]))
    }
  }

  @Test func endpoints_afterACrashOfBluetoothd_areRegisteredAgain() throws {
    let car = try Car()
    _ = try car.streams()
    car.bench.bluez.crash()
    try car.bench.turn { car.stream == nil && !car.link.isRegistered }
    try car.bench.bluez.start()
    try car.bench.turn { car.bench.bluez.endpoints.count == 3 && car.link.isRegistered }
  }

  @Test func endpoint_calledByAnotherProgram_refuses() throws {
    let car = try Car()
    let endpoint = car.bench.bluez.endpoints[0]
    let other = try Bus(car.bench.loop, to: .bus(car.bench.address))
    var result: Result<BodyReader, BusError>?
    other.onConnected = {
      other.call(
        endpoint.sender, endpoint.path, "org.bluez.MediaEndpoint1", "SelectConfiguration",
        [.bytes([0xFF, 0xFF, 2, 250])]
      ) { result = $0 }
    }
    try car.bench.turn { result != nil }
    guard case .failure(.remote(BusErrorName.accessDenied, _))? = result else {
      Issue.record("the call was carried out")
      return
    }
  }

  /// BlueZ passes these configurations to the unit, and the unit must refuse them.
  @Test(
    arguments: [
      [], [0x21, 0x15, 2], [0x21, 0x15, 2, 53, 0], [0x31, 0x15, 2, 53], [0x23, 0x15, 2, 53],
      [0x01, 0x15, 2, 53], [0x21, 0x05, 2, 53], [0x21, 0x1D, 2, 53], [0x21, 0x17, 2, 53],
      [0x81, 0x15, 2, 53], [0x21, 0x15, 1, 53], [0x21, 0x15, 53, 2], [0x21, 0x15, 2, 54],
    ] as [[UInt8]])
  func configuration_notOffered_isRefused(_ bytes: [UInt8]) throws {
    let car = try Car()
    #expect(try !car.configure(bytes))
    #expect(car.bench.log.contains { $0.event == .streamRefused })
    #expect(try car.configure())
  }

  // MARK: Streams

  @Test func stream_begins_isTakenAtOnce() throws {
    let car = try Car()
    let stream = try car.streams()
    #expect(stream.configuration == (try SBCConfiguration([0x21, 0x15, 2, 53])))
    #expect(stream.packetBytes == 895)
    #expect(car.bench.bluez.acquired == [phone])
    #expect(car.bench.bluez.sendPacket(phone, [1, 2, 3]))
    var bytes = [UInt8](repeating: 0, count: 895)
    #expect(recv(stream.socket.number, &bytes, bytes.count, 0) == 3)
  }

  @Test func stream_suspended_ends_andTheNextOneIsAnother() throws {
    let car = try Car()
    let first = try car.streams()
    car.bench.bluez.suspendStream(phone)
    try car.bench.turn { car.stream == nil }
    car.bench.bluez.startStream(phone)
    try car.bench.turn { car.stream != nil }
    #expect(car.stream?.id != first.id)
    car.bench.bluez.closeStream(phone)
    try car.bench.turn { car.stream == nil }
  }

  @Test func stream_phoneStopsBeforeItIsTaken_theNextOneIsTaken() throws {
    let car = try Car()
    #expect(try car.configure())
    car.bench.bluez.startStream(phone)
    car.bench.bluez.suspendStream(phone)
    car.bench.bluez.startStream(phone)
    car.bench.bluez.suspendStream(phone)
    car.bench.bluez.startStream(phone)
    try car.bench.turn { car.stream != nil }
    // The stream has the socket of the last call of `TryAcquire`, so the packet of the phone arrives.
    #expect(car.bench.bluez.sendPacket(phone, [7]))
    var byte: UInt8 = 0
    #expect(recv(try #require(car.stream).socket.number, &byte, 1, 0) == 1 && byte == 7)
  }

  // MARK: Players

  @Test func player_isRead_withItsPosition() throws {
    let car = try Car()
    car.bench.bluez.addPlayer(
      phone, name: "Radio app",
      with: [
        "Status": .string("playing"), "Position": .uint32(61_000), "Shuffle": .string("off"),
        "Track": FakeBluez.track("One", artist: "Ann", album: "A", milliseconds: 180_000),
      ])
    try car.bench.turn { car.reading?.position != nil }
    let reading = try #require(car.reading)
    #expect(reading.name == "Ann's" && reading.address == phone)
    #expect(reading.player?.name == "Radio app")
    #expect(reading.player?.status == .playing)
    #expect(reading.player?.shuffle == .off && reading.player?.repeats == nil)
    #expect(
      reading.player?.track
        == .init(title: "One", artist: "Ann", album: "A", duration: 180_000))
    #expect(reading.position?.time == .seconds(61))
  }

  @Test func player_ofAPhoneThatWasConnectedBeforeTheUnitStarted_isReported() throws {
    let car = try Car { $0.addPlayer(ClientBench.phone, with: ["Position": .uint32(61_000)]) }
    try car.bench.turn { car.changes > 0 && car.reading?.position != nil }
    #expect(car.reading?.position?.time == .seconds(61))
  }

  @Test(arguments: [BusValue.int64(-1), .uint32(.max), .string("1")])
  func position_thatIsNoTime_isUnknown(_ value: BusValue) throws {
    let car = try Car()
    car.bench.bluez.addPlayer(phone, with: ["Status": .string("playing"), "Position": value])
    try car.bench.turn { car.changes > 0 && car.reading?.player?.status == .playing }
    #expect(car.reading?.position == nil)
  }

  @Test func player_unknownNumbers_areNil() throws {
    let car = try Car()
    car.bench.bluez.addPlayer(
      phone,
      with: [
        "Status": .string("nonsense"), "Position": .uint32(.max),
        "Track": .properties(["Title": .string(" \n "), "Duration": .uint32(0)]),
      ])
    try car.bench.turn { car.reading?.player != nil }
    #expect(car.reading?.player?.status == nil && car.reading?.player?.position == nil)
    #expect(car.reading?.player?.track == .init())
  }

  @Test func player_phoneAddressesAnother_isFollowed() throws {
    let car = try Car()
    car.bench.bluez.addPlayer(phone, 0, name: "One", with: ["Status": .string("playing")])
    try car.bench.turn { car.reading?.player?.name == "One" }
    car.bench.bluez.addPlayer(phone, 1, name: "Two", isAddressed: false)
    car.bench.bluez.addressPlayer(phone, 1)
    try car.bench.turn { car.reading?.player?.name == "Two" }
    var refusal: Refusal??
    car.link.send(.next, to: try #require(car.device)) { refusal = $0 }
    try car.bench.turn { refusal != nil }
    #expect(car.bench.bluez.calls.last == "Next player1" && refusal == .some(nil))
    car.bench.bluez.removePlayer(phone, 1)
    try car.bench.turn { car.reading?.player == nil }
  }

  /// Each argument is a command, and the D-Bus call that BlueZ receives for it.
  @Test(
    arguments: [
      (.play, "Play player0"), (.pause, "Pause player0"),
      (.previous, "Previous player0"), (.seekForward, "FastForward player0"),
      (.seekBackward, "Rewind player0"), (.endSeek, "Release player0"),
      (.setRepeat(.alltracks), "Set player0 Repeat alltracks"),
      (.setShuffle(.group), "Set player0 Shuffle group"),
    ] as [(PhoneCommand, String)])
  func command_reachesThePlayer(_ command: PhoneCommand, _ call: String) throws {
    let car = try Car()
    car.bench.bluez.addPlayer(
      phone, with: ["Repeat": .string("off"), "Shuffle": .string("off")])
    try car.bench.turn { car.reading?.player != nil }
    car.link.send(command, to: try #require(car.device))
    try car.bench.turn { car.bench.bluez.calls.last == call }
  }

  @Test func command_phoneWithoutPlayer_isRefused() throws {
    let car = try Car()
    #expect(try car.configure())
    try car.bench.turn { car.device != nil }
    var refusal: Refusal?
    car.link.send(.play, to: try #require(car.device)) { refusal = $0 }
    #expect(refusal?.code == .failed)
  }

  @Test func titles_changeAllTheTime_areReportedTenTimesASecond() throws {
    let car = try Car()
    car.bench.bluez.addPlayer(phone, with: ["Status": .string("playing")])
    try car.bench.turn { car.reading?.player != nil }
    let before = car.changes
    let began = MonotonicInstant.now()
    for number in 0..<200 {
      car.bench.bluez.setPlayer(phone, 0, "Track", FakeBluez.track("Title \(number)"))
      try car.bench.turn { car.reading?.player?.track.title == "Title \(number)" }
    }
    let tenths = Int(MonotonicInstant.now().wholeTime(since: began) / .milliseconds(100))
    // After a change of the track, the unit reads the position from BlueZ. If no report is waiting, the answer causes a
    // report at once. So two reports are possible in each tenth of a second.
    #expect(car.changes - before <= 2 * (tenths + 2))
  }

  @Test func phone_disconnects_isForgotten() throws {
    let car = try Car()
    _ = try car.streams()
    car.bench.bluez.addPlayer(phone)
    try car.bench.turn { car.reading?.player != nil }
    car.bench.bluez.closeStream(phone)
    car.bench.bluez.disconnect(phone, reason: "Timeout")
    try car.bench.turn { car.link.connected.isEmpty }
  }
}
