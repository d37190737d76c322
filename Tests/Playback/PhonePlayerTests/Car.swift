import A2DPStream
import ALSASink
import AudioEngine
import EventLoop
import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import PhoneLink
import PhonePlayer
import SystemClock
import TestKit
import Testing

/// A head unit with a song and a simulated sound card, and two phones with a fake bluetoothd. The phones stream in real
/// time.
final class Car {
  static let phone = ClientBench.phone
  static let other = "AA:BB:CC:DD:EE:00"

  let bench: ClientBench
  let unit: HeadUnit
  let link: PhoneLink
  let phones: PhonePlayer
  let card: PacedPCM
  private let clock = Clock()
  /// The time by which the clock of ``phones`` is ahead of the real clock. A test sets it so that the test need not
  /// wait.
  var ahead: Duration {
    get { clock.ahead }
    set { clock.ahead = newValue }
  }
  /// The buttons that the configuration names. Call `phones.configureButtons()` after a change.
  let buttons = Buttons()
  private let folder: TemporaryFolder
  private var sources: [DescriptorSource] = []
  private var port: SurfacePort?
  private(set) var state: NowPlayingState
  /// The phones that stream now, by address.
  private var pumps: [String: Pump] = [:]

  init(isConnected: Bool = true) throws {
    ALSASink.prepareProcess()
    bench = try ClientBench {
      for (address, name) in [(Self.phone, "Ann's"), (Self.other, "Bob's")] {
        $0.addDevice(
          address, name: name, uuids: [FakeBluez.source, FakeBluez.target],
          isConnected: isConnected)
      }
    }
    let folder = try TemporaryFolder()
    self.folder = folder
    try GeneratedMusic(frames: 44_100 * 20).flac(folder, "song.flac", ["--tag=TITLE=Song"])
    card = try PacedPCM(.init())
    var options = HeadUnit.Options()
    options.ducking = Ducking()
    unit = HeadUnit(
      files: MusicScan(paths: [folder.path("song.flac")]).files, sink: ALSASink(name: card.name),
      options: options)
    link = PhoneLink(bench.client, clock: { .now() })
    let (clock, buttons) = (clock, buttons)
    phones = PhonePlayer(
      link, engine: unit.engine, center: unit.center,
      configure: { $0.updateNowPlayingButtons(buttons.list) },
      clock: { .now().advanced(by: clock.ahead) })
    state = unit.center.state
    port = unit.center.connect(SurfaceDescription(id: "test", showsTemplate: true), at: .now()) {
      [weak self] in self?.state = $0
    }
    for descriptor in unit.descriptors {
      sources.append(
        try DescriptorSource(bench.loop, descriptor: descriptor, events: .readable) {
          [unowned self] _ in turn()
        })
    }
    phones.onActivity = { [weak self] in self?.turn() }
    try bench.start()
    try turn { bench.bluez.endpoints.count == 3 && link.isRegistered }
  }

  deinit {
    for source in sources { source.cancel() }
    phones.shutDown()
    unit.shutDown()
  }

  private func turn() {
    _ = unit.turn()
    phones.update()
  }

  /// Runs the loop until a condition holds. During this time, the phones stream.
  func turn(
    until condition: () -> Bool, fileID: String = #fileID, line: Int = #line
  ) throws {
    let limit = MonotonicInstant.now().advanced(by: Hang.limit)
    while !condition() {
      guard MonotonicInstant.now() < limit else {
        throw LateCondition(location: "\(fileID):\(line)")
      }
      for pump in pumps.values { pump.sendDue(bench.bluez) }
      try bench.loop.step(timeout: .milliseconds(5))
      turn()
    }
  }

  func turn(for time: Duration) throws {
    let end = MonotonicInstant.now().advanced(by: time)
    try turn { MonotonicInstant.now() >= end }
  }

  // MARK: The phone

  /// Lets a phone configure a stream.
  func configure(
    _ address: String = Car.phone, _ configuration: [UInt8] = [0x21, 0x15, 2, 53],
    endpoint: Int = 0
  ) throws {
    var isAccepted: Bool?
    bench.bluez.configure(address, configuration, endpoint: endpoint) { isAccepted = $0 }
    try turn { isAccepted != nil }
    #expect(isAccepted == true)
  }

  /// Lets a phone stream from now on. Before this, the phone configures the stream, if it has not done so.
  func stream(
    _ address: String = Car.phone, _ configuration: [UInt8] = [0x21, 0x15, 2, 53],
    endpoint: Int = 0
  ) throws {
    if bench.bluez.transport(address, "State") == nil {
      try configure(address, configuration, endpoint: endpoint)
    }
    let acquired = bench.bluez.acquired.count
    bench.bluez.startStream(address)
    try turn { bench.bluez.acquired.count > acquired }
    pumps[address] = try Pump(address, configuration)
  }

  /// The sound that a phone has sent so far, as libsbc decodes it.
  func sent(_ address: String = Car.phone) -> [Int16] { pumps[address]?.sound ?? [] }

  func suspend(_ address: String = Car.phone) {
    pumps[address] = nil
    bench.bluez.suspendStream(address)
  }

  /// Adds a media player to a phone.
  func addPlayer(
    _ address: String = Car.phone, status: String = "paused", title: String = "Phone song",
    milliseconds: UInt32 = 180_000
  ) {
    bench.bluez.addPlayer(
      address, name: "Tunes",
      with: [
        "Status": .string(status), "Position": .uint32(5_000), "Shuffle": .string("off"),
        "Track": FakeBluez.track(title, artist: "Ann", album: "A", milliseconds: milliseconds),
      ])
  }

  func setStatus(_ status: String, _ address: String = Car.phone) {
    bench.bluez.setPlayer(address, 0, "Status", .string(status))
  }

  /// Lets a phone pause, and waits until the unit has received the new status. The unit would not notice a pause that
  /// ends at once.
  func pause(_ address: String = Car.phone) throws {
    setStatus("paused", address)
    try turn { phones.statuses.first { $0.address == address }?.status == "paused" }
  }

  // MARK: The unit

  /// True if the phone is connected and is a source of the unit.
  func knows(_ address: String) -> Bool {
    link.connected.contains { link.reading($0)?.address == address && phones.playing($0) != nil }
  }

  func send(_ request: MediaRequest) { port?.send(.media(request), on: .text, at: .now()) }

  /// The calls without arguments to players of phones, such as `Pause player0`.
  var commands: [String] { bench.bluez.calls.filter { $0.hasSuffix("player0") } }

  /// All calls to players of phones.
  var playerCalls: [String] { bench.bluez.calls.filter { $0.contains("player0") } }

  /// The samples that the sound card has played. The 16 bits of a phone's sample are in the upper half of each sample.
  func heard() throws -> [Int32] {
    try card.captured().withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
  }
}

private final class Clock {
  var ahead = Duration.zero
}

/// The custom buttons that the configuration of a ``Car`` names.
final class Buttons {
  var list: [NowPlayingButton] = [
    .shuffle(), .repeat(), .performing(.volume(.toggleMuted), as: .more),
  ]
}

/// Streams noise in real time, with seven SBC frames in a packet.
private final class Pump {
  private let address: String
  private let encoder: SBCEncoder
  private let begin = MonotonicInstant.now()
  private var sequence = 65_500
  private var samples = 0
  private(set) var sound: [Int16] = []
  private var random: SeededRandom

  init(_ address: String, _ configuration: [UInt8]) throws {
    self.address = address
    encoder = try SBCEncoder(configuration)
    random = SeededRandom(UInt64(address.utf8.reduce(0) { $0 + Int($1) }))
  }

  func sendDue(_ bluez: FakeBluez) {
    let frames = encoder.configuration.framesPerSBCFrame * 7
    let rate = Double(encoder.configuration.rate)
    while Double(samples) / rate < MonotonicInstant.now().wholeTime(since: begin) / .seconds(1) {
      var parts: [[UInt8]] = []
      for _ in 0..<7 {
        let (bytes, decoded) = encoder.frame { _, _ in
          Int16.random(in: -8000...8000, using: &random)
        }
        parts.append(bytes)
        sound += decoded
      }
      guard bluez.sendPacket(address, mediaPacket(sequence, parts)) else { return }
      sequence += 1
      samples += frames
    }
  }
}

/// A condition did not hold in time.
struct LateCondition: Error {
  let location: String
}
