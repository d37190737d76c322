import ALSASink
import AppPlayer
import AppStream
import EventLoop
import Glibc
import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import SystemClock
import TestKit

/// A head unit with a song and a simulated sound card, for tests of apps.
final class AppUnit {
  let loop = EventLoop()
  let unit: HeadUnit
  let player: AppPlayer
  let card: PacedPCM
  private let folder: TemporaryFolder
  private let clock = Clock()
  private var sources: [DescriptorSource] = []
  private var port: SurfacePort?
  private(set) var state: NowPlayingState
  fileprivate var apps: [TestApp] = []
  fileprivate var lastStream = 0
  /// The time by which the clock of the apps is ahead of the real clock. A test sets it so that it need not wait.
  var ahead: Duration {
    get { clock.ahead }
    set { clock.ahead = newValue }
  }

  private final class Clock {
    var ahead = Duration.zero
  }

  init() throws {
    ALSASink.prepareProcess()
    folder = try TemporaryFolder()
    try GeneratedMusic(frames: 44_100 * 20).flac(folder, "song.flac", ["--tag=TITLE=Song"])
    card = try PacedPCM(.init())
    unit = HeadUnit(
      files: MusicScan(paths: [folder.path("song.flac")]).files, sink: ALSASink(name: card.name),
      options: HeadUnit.Options())
    let clock = clock
    player = AppPlayer(
      engine: unit.engine, center: unit.center,
      unitTemplate: { $0.unitButtons = [.performing(.volume(.toggleMuted), as: .image("mute"))] },
      clock: { .now().advanced(by: clock.ahead) })
    state = unit.center.state
    port = unit.center.connect(SurfaceDescription(id: "test", showsTemplate: true), at: .now()) {
      [weak self] in self?.state = $0
    }
    for descriptor in unit.descriptors {
      sources.append(
        try DescriptorSource(loop, descriptor: descriptor, events: .readable) {
          [unowned self] _ in step()
        })
    }
  }

  deinit {
    for source in sources { source.cancel() }
    player.shutDown()
    unit.shutDown()
  }

  private func step() {
    _ = unit.turn()
    player.update()
  }

  /// Runs the loop until a condition holds. During this time, the apps send frames.
  func turn(
    until condition: () -> Bool, fileID: String = #fileID, line: Int = #line
  ) throws {
    let limit = MonotonicInstant.now().advanced(by: Hang.limit)
    while !condition() {
      guard MonotonicInstant.now() < limit else {
        throw LateCondition(location: "\(fileID):\(line)")
      }
      for app in apps { app.pump() }
      try loop.step(timeout: .milliseconds(5))
      step()
    }
  }

  struct LateCondition: Error {
    let location: String
  }

  func send(_ request: CommandRequest) { port?.send(request, on: .text, at: .now()) }
  func send(_ request: MediaRequest) { send(.media(request)) }

  /// The samples that the sound card has played, as 32 bits.
  func heard() throws -> [Int32] {
    try card.captured().withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
  }
}

/// A program that is a source: it answers commands, obeys instructions and sends numbered frames. Each frame tells its
/// number: the left sample has the lower 15 bits, the right sample the rest and the number of the app.
final class TestApp {
  let unit: AppUnit
  let session: AppSession
  let plays: Bool
  private(set) var events: [AppEvent] = []
  private(set) var stream = 0
  private var socket: Int32 = -1
  private let format: AppStreamFormat
  private let tag: Int16
  private(set) var next: Int64 = 0
  /// The app sends the frames below this number.
  var wanted = Int64.max
  /// False for an app that hangs.
  var answers = true
  var refusal: CommandAnswer?
  var content = song("First")
  var commands: [CommandKind] = [.play, .pause, .stop, .next]
  private(set) var playing = MediaPlaybackSnapshot.PlaybackState.paused

  static func song(_ title: String, seconds: Int = 600) -> MediaContent {
    .music(
      MusicContent(
        id: title, metadata: [MetadataItem(.title, title)],
        duration: .finite(.seconds(seconds))))
  }

  /// - Parameter isChosen: true if a person chooses the app, so that it is Now Playing and paused.
  init(
    _ unit: AppUnit, _ id: String, tag: Int16 = 1, isChosen: Bool = false,
    template: AppTemplate = AppTemplate()
  ) throws {
    self.unit = unit
    self.tag = tag
    format = try AppStreamFormat(rate: 44_100, channels: 2, samples: "s16")
    let box = Box()
    (session, plays) = unit.player.open(
      SessionID("app-\(id)"), name: id, audio: AudioSession(), template: template,
      send: { event in box.receive(event) })
    box.app = self
    unit.apps.append(self)
    _ = session.setActive(true)
    try openStream()
    publish(.paused)
    if isChosen { _ = session.claim(isPerson: true) }
  }

  private final class Box {
    weak var app: TestApp?
    private var early: [AppEvent] = []

    func receive(_ event: AppEvent) {
      guard let app else { return early.append(event) }
      for event in early + [event] { app.receive(event) }
      early = []
    }
  }

  deinit { if socket >= 0 { close(socket) } }

  func openStream() throws {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC, 0, &pair) == 0,
      let end = BusDescriptor(duplicating: pair[0])
    else { throw SystemError("socketpair", errno) }
    close(pair[0])
    socket = pair[1]
    unit.lastStream += 1
    stream = unit.lastStream
    unit.player.openStream(stream, format, isLive: false, end, in: session)
    next = 0
  }

  /// The app is killed.
  func die() {
    unit.apps.removeAll { $0 === self }
    close(socket)
    socket = -1
    unit.player.lost(session)
  }

  func publish(_ state: MediaPlaybackSnapshot.PlaybackState) {
    playing = state
    var description = AppDescription()
    description.content = content
    description.playback = .streams(state, players: [stream], leader: stream)
    description.commands = commands.map { CommandOffer($0) }
    session.publish(description)
  }

  private func receive(_ event: AppEvent) {
    events.append(event)
    switch event {
    case .command(let number, .media(let request)):
      guard answers else { return }
      if let refusal {
        _ = session.answer(number, refusal)
        return
      }
      switch request {
      case .play: publish(.playing())
      case .pause: publish(.paused)
      case .stop: publish(.stopped)
      default: break
      }
      _ = session.answer(number, .success)
    case .command(let number, _): if answers { _ = session.answer(number, .success) }
    case .instruction(.pause): if answers { publish(.paused) }
    case .instruction(.resume): if answers { publish(.playing()) }
    default: break
    }
  }

  func count(_ kind: MediaRequest) -> Int {
    events.count { if case .command(_, .media(kind)) = $0 { true } else { false } }
  }

  /// The frame that was heard, as the unit has told it last.
  var heard: Int64? {
    events.compactMap { if case .heard(_, let frame, _) = $0 { frame } else { nil } }.last
  }

  // MARK: Frames

  func sample(_ frame: Int64, _ channel: Int) -> Int16 {
    channel == 0 ? Int16(frame & 0x7FFF) : Int16(frame >> 15 & 0xFF) | tag << 8
  }

  func pump() {
    while next < wanted, socket >= 0 {
      let end = min(next + 480, wanted)
      var packet = [UInt8](repeating: 0, count: 8)
      withUnsafeBytes(of: UInt64(next).littleEndian) { packet += $0 }
      for frame in next..<end {
        for channel in 0..<2 {
          withUnsafeBytes(of: sample(frame, channel).littleEndian) { packet += $0 }
        }
      }
      guard
        Glibc.send(socket, packet, packet.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
          == packet.count
      else { return }
      next = end
    }
  }

  func flush(next frame: Int64) throws {
    next = frame
    try unit.player.flush(stream, next: UInt64(frame), of: session)
  }

  /// The numbers of the frames of this app in captured samples, in their order, with one range for consecutive ones.
  /// Frames that are faded or mixed are left out.
  func runs(in samples: [Int32]) -> [Range<Int64>] {
    var runs: [Range<Int64>] = []
    for index in stride(from: 0, to: samples.count - 1, by: 2) {
      let (left, right) = (samples[index], samples[index + 1])
      guard left & 0xFFFF == 0, right & 0xFFFF == 0, right >> 24 == Int32(tag) else { continue }
      let frame = Int64(left >> 16) | Int64(right >> 16 & 0xFF) << 15
      if let last = runs.last, last.upperBound == frame {
        runs[runs.count - 1] = last.lowerBound..<frame + 1
      } else {
        runs.append(frame..<frame + 1)
      }
    }
    // A faded frame can look like another frame. It never looks like a long run.
    return runs.filter { $0.count > 200 }
  }
}
