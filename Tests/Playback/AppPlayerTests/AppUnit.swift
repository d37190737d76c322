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

  /// Called with each turn, and before each turn.
  var extraTurn: () -> Void = {}, extraPump: () -> Void = {}

  /// - Parameters:
  ///   - speed: the speed of the sound card.
  ///   - music: the music of the unit as a WAV file. Nil for a FLAC file.
  init(speed: Double = 1, music: [UInt8]? = nil) throws {
    ALSASink.prepareProcess()
    folder = try TemporaryFolder()
    if let music {
      try folder.write("Song.wav", music)
    } else {
      try GeneratedMusic(frames: 44_100 * 20).flac(folder, "song.flac", ["--tag=TITLE=Song"])
    }
    var options = PacedPCM.Options()
    options.speed = speed
    card = try PacedPCM(options)
    unit = HeadUnit(
      files: MusicScan(paths: [folder.path(music == nil ? "song.flac" : "Song.wav")]).files,
      sink: ALSASink(name: card.name),
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
    extraTurn()
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
      for stream in apps.flatMap(\.streams) { stream.pump() }
      extraPump()
      try loop.step(timeout: .milliseconds(5))
      step()
    }
  }

  func turn(for time: Duration) throws {
    let end = MonotonicInstant.now().advanced(by: time)
    try turn { MonotonicInstant.now() >= end }
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

/// A program that is a source: it answers commands, obeys instructions and sends ``TaggedFrames``.
final class TestApp {
  let unit: AppUnit
  let session: AppSession
  let plays: Bool
  private(set) var events: [AppEvent] = []
  private(set) var streams: [TestStream] = []
  private let tag: Int16
  /// The number of the first stream.
  var stream: Int { streams[0].number }
  /// See ``TestStream/wanted``.
  var wanted: Int64 {
    get { streams[0].wanted }
    set { streams[0].wanted = newValue }
  }
  /// False for an app that hangs.
  var answers = true
  var refusal: CommandAnswer?
  var content = song("First")
  var commands: [CommandKind] = [.play, .pause, .stop, .next]
  /// Changes what the app publishes.
  var describe: (inout AppDescription) -> Void = { _ in }
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

  /// - Parameter tag: nil for the tag of the app.
  @discardableResult
  func openStream(tag: Int16? = nil, rate: Int = 44_100, isLive: Bool = false) throws -> TestStream
  {
    let stream = try TestStream(unit, session, TaggedFrames(tag: tag ?? self.tag), rate, isLive)
    streams.append(stream)
    return stream
  }

  /// The app is killed.
  func die() {
    unit.apps.removeAll { $0 === self }
    for stream in streams { stream.close() }
    unit.player.lost(session)
  }

  func publish(_ state: MediaPlaybackSnapshot.PlaybackState) {
    playing = state
    var description = AppDescription()
    description.content = content
    description.playback = .streams(state, players: [stream], leader: stream)
    description.commands = commands.map { CommandOffer($0) }
    describe(&description)
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

  /// The frame of a stream that was heard, as the unit has told it last.
  func heard(_ stream: TestStream) -> Int64? {
    events.compactMap {
      if case .heard(stream.number, let frame, _) = $0 { frame } else { nil }
    }.last
  }

  // MARK: Frames

  func flush(next frame: Int64) throws { try streams[0].flush(next: frame) }

  /// The numbers of the frames of this app in captured samples, in their order, with one range for consecutive ones.
  func runs(in samples: [Int32]) -> [Range<Int64>] {
    TaggedFrames(tag: tag).found(in: samples).map(\.numbers)
  }
}

/// A stream of an app.
final class TestStream {
  let number: Int
  let frames: TaggedFrames
  private let unit: AppUnit
  private let session: AppSession
  private var socket: Int32
  private(set) var next: Int64 = 0
  /// The app sends the frames below this number.
  var wanted = Int64.max

  init(
    _ unit: AppUnit, _ session: AppSession, _ frames: TaggedFrames, _ rate: Int, _ isLive: Bool
  ) throws {
    self.unit = unit
    self.session = session
    self.frames = frames
    let (own, app) = try BusDescriptor.packetPair()
    socket = fcntl(app.number, F_DUPFD_CLOEXEC, 0)
    unit.lastStream += 1
    number = unit.lastStream
    unit.player.openStream(
      number, try AppStreamFormat(rate: rate, channels: 2, samples: "s16"), isLive: isLive, own,
      in: session)
  }

  deinit { close() }

  func close() {
    if socket >= 0 { Glibc.close(socket) }
    socket = -1
  }

  func pump() {
    while next < wanted, socket >= 0 {
      let end = min(next + 480, wanted)
      let packet = frames.packet(next..<end)
      guard
        Glibc.send(socket, packet, packet.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
          == packet.count
      else { return }
      next = end
    }
  }

  func flush(next frame: Int64) throws {
    next = frame
    try unit.player.flush(number, next: UInt64(frame), of: session)
  }
}
