import AVRCPTarget
import Bluez
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// A Now Playing source without sound. It records the commands that it gets.
final class Source {
  private(set) var session: MediaSession!
  var content: MediaContent?
  var playback = MediaPlaybackSnapshot.PlaybackState.paused
  var position = Duration.zero
  var seeks = 0
  var repeatMode = MediaCommand.RepeatMode.off
  var shuffleMode = MediaCommand.ShuffleMode.off
  var defaultRate = 1.0
  /// Names of the commands that were carried out.
  var performed: [String] = []
  var hasNext = true

  init(in center: NowPlayingCenter) {
    session = center.openSession(
      "local", didConnect: { _, _ in }, instruct: { _ in }, at: MonotonicInstant.now())
    session.activate(at: MonotonicInstant.now())
    content = song("first")
    publish()
  }

  func publish() {
    session.publish(
      SessionDescription(
        content: content,
        playback: .snapshot(
          MediaPlaybackSnapshot(
            state: playback, defaultPlaybackRate: defaultRate, elapsedTime: position,
            timestamp: MonotonicInstant.now(), seekNumber: seeks)),
        commands: commands),
      at: MonotonicInstant.now())
  }

  func play(rate: Double = 1) {
    playback = .playing(rate: rate)
    publish()
  }

  private func handle(_ command: String, _ reply: CommandReply, _ work: () -> Void = {}) {
    performed.append(command)
    work()
    publish()
    reply(.success, at: MonotonicInstant.now())
  }

  private var commands: [MediaCommand] {
    [
      .play { [unowned self] in handle("play", $0) { playback = .playing() } },
      .pause { [unowned self] in handle("pause", $0) { playback = .paused } },
      .stop { [unowned self] in handle("stop", $0) { playback = .stopped } },
      .next { [unowned self] in handle("next", $0) }.enabled(hasNext),
      .previous { [unowned self] in handle("previous", $0) },
      .changeRepeatMode(current: repeatMode) { [unowned self] mode, reply in
        handle("repeat \(mode)", reply) { repeatMode = mode }
      },
      .changeShuffleMode(current: shuffleMode, supported: [.off, .items]) {
        [unowned self] mode, reply in
        handle("shuffle \(mode)", reply) { shuffleMode = mode }
      },
    ]
  }
}

func song(
  _ title: String, artists: [String] = ["Ann"], album: String = "Records", genre: String? = nil,
  number: Int? = nil, duration: MediaDuration? = .finite(.seconds(240)), artwork: String? = nil
) -> MediaContent {
  var items = MetadataItems([MetadataItem(.title, title)])
  for artist in artists { items.append(MetadataItem(.artist, artist)) }
  items.append(MetadataItem(.albumName, album))
  if let genre { items.append(MetadataItem(.genre, genre)) }
  if let number { items.append(MetadataItem(.trackNumber, number)) }
  return .music(
    MusicContent(
      id: title, metadata: items, duration: duration,
      artwork: artwork.map { Artwork(id: $0) { _ in .none } }))
}

/// The time by which the clock of the test is ahead of the real clock.
private final class ClockOffset {
  var value = Duration.zero
}

/// The `AVRCPTarget` of a unit, and a fake BlueZ on a private bus. Both run on one event loop.
final class Bench {
  let loop = EventLoop()
  let bus: PrivateBus
  let bluez: FakeBluez
  let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(step: 64, of: 127)))
  let source: Source
  let client: BluezClient
  let target: AVRCPTarget
  let controller = FakeController()
  private let offset = ClockOffset()
  var log: [(event: LogEvent, text: String)] = []
  var states: [PhonesState] = []
  var lastUsed: [[String]] = []
  var controllers: [[String]] = []

  static let phone = "AA:BB:CC:DD:EE:FF"
  static let other = "AA:BB:CC:DD:EE:00"

  /// - Parameter hasAdapter: if false, the bench starts without an adapter, so no player is registered.
  /// - Parameter controllers: the devices that have pressed a key in an earlier run.
  /// - Parameter unconfirmed: the devices that an earlier run was pairing with when it died.
  /// - Parameter policy: D-Bus policy of the bus; nil if everything is permitted.
  init(
    options: AVRCPTarget.Options = quiet, lastUsed: [String] = [],
    controllers: [String] = [], unconfirmed: [String] = [], hasAdapter: Bool = true,
    policy: [String]? = nil,
    _ prepare: (FakeBluez) -> Void = { _ in }
  ) throws {
    bus = try PrivateBus(policy: policy)
    bluez = try FakeBluez(loop, address: bus.address)
    let bluez = bluez
    try loop.turn { bluez.isRunning }
    if hasAdapter { bluez.addAdapter() }
    prepare(bluez)
    source = Source(in: center)
    client = BluezClient(loop, bus: .bus(bus.address))
    target = AVRCPTarget(
      client, center, options: options, lastUsed: lastUsed,
      controllers: controllers, unconfirmed: unconfirmed, seed: 1, access: controller,
      clock: { [offset] in MonotonicInstant.now().advanced(by: offset.value) })
    client.onLog = { [unowned self] in log.append(($0, $1)) }
    target.onState = { [unowned self] in states.append($0) }
    target.onLastUsed = { [unowned self] in self.lastUsed.append($0) }
    target.onControllers = { [unowned self] in self.controllers.append($0) }
    client.start()
    if hasAdapter { try turn { player != nil && isRegistered } }
  }

  /// Options without automatic connecting.
  static var quiet: AVRCPTarget.Options {
    var options = AVRCPTarget.Options()
    options.reconnects = false
    return options
  }

  /// Advances the clock of the target. The target checks its deadlines at each change, so this method also changes a
  /// property of a device.
  func advanceClock(by time: Duration) throws {
    offset.value += time
    let services = try #require(bluez.device(Self.phone, "UUIDs")?.texts)
    bluez.set(Self.phone, "UUIDs", .strings(services + ["0000180f-0000-1000-8000-00805f9b34fb"]))
  }

  var player: FakePlayer? { bluez.player() }

  var isRegistered: Bool { target.state.adapters.contains(where: \.hasPlayer) }

  func turn(
    until condition: () -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try loop.turn(until: condition, fileID: sourceLocation.fileID, line: sourceLocation.line)
  }

  /// Waits until all messages between the target and BlueZ have arrived. To do this, it calls `Ping` of BlueZ three
  /// times. After each answer, it runs the loop until no event is left.
  func settle() throws {
    for _ in 0..<3 {
      let probe = try Bus(loop, to: .bus(bus.address))
      var isDone = false
      probe.onConnected = {
        probe.call("org.bluez", "/", "org.freedesktop.DBus.Peer", "Ping") { _ in isDone = true }
      }
      try turn { isDone }
      while try loop.step() {}
    }
  }

  func answer<Value>(_ request: (@escaping (Value) -> Void) -> Void) throws -> Value {
    var result: Value?
    request { result = $0 }
    try turn { result != nil }
    return try #require(result)
  }
}

extension Result where Failure == Refusal {
  var refusal: Refusal? { if case .failure(let refusal) = self { refusal } else { nil } }

  var isSuccess: Bool { refusal == nil }
}
