import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// A daemon with a simulated sound card, a screen, and programs that are sources.
final class AppBench: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()
  let card: PacedPCM
  private(set) var daemon: ServeProcess
  private let environment: [String: String]
  private(set) var screen: ControlClient!
  /// The states that the screen got, in their order, each once.
  private(set) var states: [NowPlayingState] = []
  var apps: [SocketApp] = []
  /// The music of the unit.
  let own = TaggedFrames(tag: 100)

  /// - Parameter plays: true to play a minute of music of the unit.
  init(_ configuration: [String] = [], plays: Bool = false) throws {
    card = try PacedPCM(.init())
    home = try ServeProcess.Home(
      ["output = car", "start-volume-maximum = 100 %", "start = \(plays ? "play" : "pause")"]
        + configuration)
    if plays { try home.folder.write("music/own.wav", own.wave(frames: 44_100 * 60)) }
    environment = try home.plugIn(card)
    daemon = try ServeProcess(home, environment: environment)
    screen = try client()
    screen.onNowPlaying = { [unowned self] state in
      if states.last?.revision != state.revision { states.append(state) }
    }
    screen.register(as: "screen", showsTemplate: true) { _ in }
    try turn { states.last != nil }
    try send(.volume(.set(VolumeLevel(thousandths: 1000))))
    if plays { try turn { state.session == "local" && state.status == .playing } }
  }

  /// The last state that the screen got.
  var state: NowPlayingState { states.last! }

  /// Ends the daemon with a signal, and starts it again.
  func restart(_ signal: Int32 = SIGKILL) throws {
    daemon.end(signal)
    states = []
    daemon = try ServeProcess(home, environment: environment)
    try turn { states.last != nil }
  }

  /// Runs the loop until a condition holds. During this time, the apps send frames.
  func turn(
    until condition: () -> Bool, fileID: String = #fileID, line: Int = #line
  ) throws {
    try loop.turn(
      until: {
        for app in apps { app.pump() }
        if condition() { return true }
        _ = try? loop.step(timeout: .milliseconds(5))
        return condition()
      }, fileID: fileID, line: line)
  }

  /// Sends a command from the screen, and waits for its answer.
  @discardableResult
  func send(_ request: CommandRequest) throws -> CommandAnswer {
    var outcome: Result<CommandOutcome, ControlError>?
    screen.call(Commands1.send, SentCommand(request)) { outcome = $0 }
    try turn { outcome != nil }
    return try outcome!.get().answer
  }

  @discardableResult
  func send(_ request: MediaRequest) throws -> CommandAnswer { try send(.media(request)) }

  /// Makes the music of the unit play, when an app has ended.
  func playOwn() throws {
    while state.session != "local" {
      // The unit can wait for the app.
      try send(.pause)
      try loop.step(timeout: .milliseconds(10))
    }
    try send(.play)
    try turn { state.session == "local" && state.status == .playing }
  }

  /// Chooses an app, after the daemon has carried out the calls of the app so far.
  func choose(_ app: String) throws {
    if let app = apps.first(where: { $0.id == app }) {
      _ = try answer { app.client.call(NowPlaying1.state.get, $0) }.get()
    }
    try done { screen.call(Sources1.choose, "app:\(app)", $0) }
  }

  /// The samples that the sound card has played, as 32 bits.
  func heard() throws -> [Int32] {
    try card.captured().withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
  }

  /// The memory of the daemon that is resident, in KiB, without files.
  func residentKiB() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssAnon") })
    return try #require(Int(line.filter(\.isNumber)))
  }
}

/// A program that is a source, on the control socket of a daemon. It answers commands, obeys instructions and sends
/// ``TaggedFrames``.
final class SocketApp {
  /// A stream of the app.
  final class Sound {
    let number: Int
    let frames: TaggedFrames
    let rate: Int
    fileprivate(set) var socket: BusDescriptor?
    var next: Int64 = 0
    /// The app sends the frames below this number.
    var wanted = Int64.max
    /// The frame that was heard, as the unit has told it last, and when.
    fileprivate(set) var heard: HeardFrame?

    fileprivate init(_ number: Int, _ frames: TaggedFrames, _ rate: Int, _ socket: BusDescriptor?) {
      (self.number, self.frames, self.rate, self.socket) = (number, frames, rate, socket)
    }

    /// Closes the socket.
    func close() { socket = nil }

    /// Sends bytes as one packet. False if there is no room.
    @discardableResult
    func send(_ packet: [UInt8]) -> Bool {
      guard let socket else { return false }
      return Glibc.send(socket.number, packet, packet.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        == packet.count
    }

    fileprivate func pump() {
      while next < wanted, send(frames.packet(next..<min(next + 480, wanted))) {
        next = min(next + 480, wanted)
      }
    }
  }

  let id: String
  let bench: AppBench
  let client: ControlClient
  private(set) var session = 0
  private(set) var welcome = SessionWelcome()
  private(set) var sounds: [Sound] = []
  /// The commands that arrived.
  private(set) var commands: [Numbered<CommandRequest?>] = []
  private(set) var instructions: [AppInstruction] = []
  private(set) var status = SessionStatus()
  private(set) var screens: [ConnectedScreen] = []
  private(set) var wanted: [WantedArtwork] = []
  private(set) var events: [SoundEvent] = []
  /// False for an app that hangs.
  var answers = true
  /// Called with a command. Returns the answer, or nil to carry it out as usual.
  var perform: (MediaRequest) -> CommandAnswer? = { _ in nil }
  /// Called when a frame was heard.
  var onHeard: (HeardFrame) -> Void = { _ in }
  var publication = SessionPublication()
  private(set) var playing = MediaPlaybackSnapshot.PlaybackState.paused

  static func song(_ title: String, seconds: Int = 600) -> MediaContent {
    .music(
      MusicContent(
        id: title, metadata: [MetadataItem(.title, title)],
        duration: .finite(.seconds(seconds))))
  }

  /// Opens the session, and a stream if there is a tag.
  init(
    _ bench: AppBench, _ id: String, tag: Int16? = 1, rate: Int = 44_100,
    kind: SoundFormat.Kind = .track, isActive: Bool = true,
    _ options: (inout SessionOpening) -> Void = { _ in }
  ) throws {
    self.bench = bench
    self.id = id
    var policy = ClientPolicy()
    policy.serviceName = nil
    policy.pingInterval = nil
    client = ControlClient(bench.loop, path: bench.home.socket, policy: policy)
    listen()
    client.start()
    try bench.turn { client.state == .connected }
    var opening = SessionOpening(id)
    options(&opening)
    let opened = try bench.answer { client.call(Session1.open, opening, $0) }.get()
    (session, welcome) = (opened.number, opened.value)
    if isActive {
      _ = try bench.answer { client.call(Session1.setActive, Numbered(session, true), $0) }.get()
    }
    publication.content = Self.song(id)
    publication.commands = [CommandKind.play, .pause, .stop, .next].map { CommandOffer($0) }
    if let tag { try openSound(tag, rate: rate, kind) }
    bench.apps.append(self)
  }

  private func listen() {
    client.onSignal(Session1.command) { [unowned self] in receive($0.value) }
    client.onSignal(Session1.instruction) { [unowned self] in
      guard let instruction = $0.value else { return }
      instructions.append(instruction)
      guard answers else { return }
      switch instruction {
      case .pause: publish(.paused)
      case .resume: publish(.playing())
      case .duck, .unduck: break
      }
    }
    client.onSignal(Session1.status) { [unowned self] in status = $0.value }
    client.onSignal(Session1.screenConnected) { [unowned self] in screens.append($0.value) }
    client.onSignal(Session1.artworkWanted) { [unowned self] in wanted.append($0.value) }
    client.onSignal(Sound1.heard) { [unowned self] heard in
      sounds.first { $0.number == heard.stream }?.heard = heard
      onHeard(heard)
    }
    client.onSignal(Sound1.ran) { [unowned self] in
      if let event = $0.value { events.append(event) }
    }
  }

  private func receive(_ command: Numbered<CommandRequest?>) {
    commands.append(command)
    guard answers else { return }
    var answer = CommandAnswer.success
    if case .media(let request)? = command.value {
      if let own = perform(request) {
        answer = own
      } else {
        switch request {
        case .play: publish(.playing())
        case .pause: publish(.paused)
        case .stop: publish(.stopped)
        default: break
        }
      }
    }
    client.call(Session1.answer, Numbered(session, Numbered(command.number, answer))) { _ in }
  }

  @discardableResult
  func openSound(
    _ tag: Int16, rate: Int = 44_100, _ kind: SoundFormat.Kind = .track,
    samples: SoundFormat.Samples = .s16
  ) throws -> Sound {
    let format = SoundFormat(kind, rate: rate, channels: 2, samples: samples)
    let opened = try bench.answer {
      client.call(Sound1.openSound, Numbered(session, format), $0)
    }.get()
    let sound = Sound(opened.stream, TaggedFrames(tag: tag), rate, opened.socket)
    sounds.append(sound)
    return sound
  }

  var sound: Sound { sounds[0] }

  func pump() { for sound in sounds { sound.pump() } }

  // MARK: Calls

  /// Publishes ``publication`` with this state. Does not wait.
  func publish(_ state: MediaPlaybackSnapshot.PlaybackState) {
    playing = state
    if case .snapshot(nil) = publication.playback, let sound = sounds.first {
      publication.playback = .streams(state, players: [sound.number], leader: sound.number)
    }
    if case .streams(_, let players, let leader) = publication.playback {
      publication.playback = .streams(state, players: players, leader: leader)
    }
    client.call(Session1.publish, Numbered(session, publication)) { [weak self] result in
      if case .failure(let error) = result { self?.refusals.append(error.refusal) }
    }
  }

  /// The refusals of calls that did not wait.
  private(set) var refusals: [Refusal] = []

  func mark(_ mark: SoundMark, _ sound: Sound? = nil) {
    client.call(Sound1.mark, Numbered((sound ?? self.sound).number, mark)) { [weak self] result in
      if case .failure(let error) = result { self?.refusals.append(error.refusal) }
    }
  }

  /// The next frame is `frame`, with this mark.
  func flush(next frame: Int64, time: Duration, _ sound: Sound? = nil) {
    let sound = sound ?? self.sound
    mark(SoundMark(frame: Int(frame), time: time), sound)
    sound.next = frame
    client.call(Sound1.flush, Numbered(sound.number, Int(frame))) { [weak self] result in
      if case .failure(let error) = result { self?.refusals.append(error.refusal) }
    }
  }

  func finish(at frame: Int64, _ sound: Sound) throws {
    try bench.done { client.call(Sound1.finish, Numbered(sound.number, Int(frame)), $0) }
  }

  func claim(_ reason: ClaimReason = .person) throws -> PrimaryAnswer {
    try bench.answer { client.call(Session1.claim, Numbered(session, reason), $0) }.get()
  }

  /// The number of commands of this kind that arrived.
  func count(_ kind: CommandKind) -> Int {
    commands.count {
      if case .media(let request)? = $0.value { request.kind == kind } else { false }
    }
  }
}
