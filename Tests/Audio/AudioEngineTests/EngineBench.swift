import AudioCodecs
import TestKit

@testable import AudioEngine

/// The engine without its threads. The methods of this object run the steps of the engine's loops, so a test decides
/// when each loop runs, and can examine every frame.
final class EngineBench {
  let sink: CapturingSink
  let exchange: EngineExchange
  let renderer: Renderer
  private let ring: FrameRing
  private let streamEvents = StreamEventRing()
  private let reached = StreamEventRing()
  let clock = PlaybackClock()
  let overlay = OverlayMixer()
  private let decode: DecodeLoop
  private let overlayLoop: OverlayLoop
  private let output: OutputLoop
  private(set) var events: [EngineEvent] = []
  /// Segments whose first frame was handed over.
  private(set) var segments: [Segment] = []

  init(
    sink: CapturingSink = CapturingSink(), ringBytes: Int = FrameRing.defaultBytes,
    fixed: StreamFormat? = nil, idleSeconds: Int = 60
  ) {
    self.sink = sink
    exchange = EngineExchange(clock: clock, now: { [clock] in clock.read().time })
    ring = FrameRing(bytes: ringBytes)
    renderer = Renderer(
      ring: ring, streamEvents: streamEvents, reached: reached, clock: clock, overlay: overlay,
      decodeWake: exchange.decodeWake, controlWake: exchange.controlWake,
      outputWake: exchange.outputWake, idleSeconds: idleSeconds)
    overlayLoop = OverlayLoop(mixer: overlay, exchange: exchange)
    decode = DecodeLoop(
      ring: ring, streamEvents: streamEvents, exchange: exchange, sink: sink, fixed: fixed)
    output = OutputLoop(sink: sink, renderer: renderer, exchange: exchange)
  }

  deinit {
    exchange.detachLiveInput()
    ring.deallocate()
    streamEvents.deallocate()
    reached.deallocate()
    clock.deallocate()
    overlay.deallocate()
  }

  private var command = 0
  private var overlayCommand = 0

  func play(_ track: TrackRequest, at seconds: Double = 0) {
    send(.play(track, seconds: seconds))
  }

  func send(_ action: EngineExchange.Command.Action) {
    command += 1
    renderer.expect(command: command)
    exchange.send(EngineExchange.Command(number: command, action: action))
  }

  private var overlayID = 0

  /// Plays an overlay. Nil stops the overlay that was played last.
  func playOverlay(
    _ track: TrackRequest?, musicGain: Float = 1, atFrame frame: Int = 0, mixes: Bool = false
  ) {
    overlayCommand += 1
    let action: EngineExchange.OverlayCommand.Action =
      if let track { mixes ? .mix(track) : .play(track) } else { .stop(id: overlayID) }
    if let track { overlayID = track.id }
    exchange.send(
      EngineExchange.OverlayCommand(
        number: overlayCommand, action: action, musicGain: musicGain, frame: frame))
  }

  func stopOverlay(id: Int) {
    overlayCommand += 1
    exchange.send(EngineExchange.OverlayCommand(number: overlayCommand, action: .stop(id: id)))
  }

  /// The tracks that follow, in order. Each request of the engine for the next track takes the first track of this
  /// list.
  var queue: [TrackRequest] = []
  /// For the identifier of a track (key), the track that follows (value). The queue is used only for tracks without an
  /// entry here.
  var followers: [Int: TrackRequest] = [:]
  /// If false, requests for the next track get no answer, so the engine waits at the end of the track.
  var answers = true

  /// Decodes until neither the overlay loop nor the decode loop has work. Answers the requests for the next track.
  func settleDecoding() {
    for _ in 0..<1_000_000
    where overlayLoop.step(beside: decode) == .waits && decode.step() == .waits {
      if !takeEvents() { return }
    }
  }

  /// Runs the output until the sink has taken `frames` frames, in pieces of at most 512 frames. Decodes before and
  /// after each piece. Ends early after five rounds in a row in which the sink took no frame.
  func run(frames: Int = 1_000_000) {
    var left = frames
    var idleRounds = 0
    while left > 0, idleRounds < 5 {
      settleDecoding()
      sink.budget = min(left, 512)
      let budget = sink.budget
      _ = output.step()
      let moved = budget - sink.budget
      left -= moved
      settleDecoding()
      idleRounds = moved == 0 ? idleRounds + 1 : 0
    }
    _ = takeEvents()
  }

  /// Runs the output without decoding, as if the decoder were late.
  @discardableResult
  func runOutput(frames: Int) -> OutputLoop.Step {
    sink.budget = frames
    return output.step()
  }

  /// Collects the new events, and answers requests for the next track. Returns true if there was such a request.
  private func takeEvents() -> Bool {
    var isAsked = false
    for event in exchange.takeEvents(of: command) {
      events.append(event)
      guard case .needsUpcoming(let id) = event, answers else { continue }
      isAsked = true
      if let follower = followers[id] {
        exchange.setUpcoming(.track(follower))
        continue
      }
      exchange.setUpcoming(queue.isEmpty ? .nothing : .track(queue.removeFirst()))
    }
    while let event = reached.take() {
      switch event.kind {
      case .segment:
        if let segment = exchange.segment(event.token) {
          segments.append(segment)
          events.append(.started(id: segment.trackID))
        }
      case .end: events.append(.ended(after: event.token))
      case .overlayBegan: events.append(.overlayBegan(id: event.token))
      case .overlayEnded: events.append(.overlayEnded(id: event.token))
      case .changeover: events.append(.changedOver(nanoseconds: event.token))
      case .immediateEffect: events.append(applied(.immediate, event))
      case .starved: events.append(.starved(nanoseconds: Int64(event.token)))
      case .starvationEnded: events.append(.starvationEnded(nanoseconds: Int64(event.token)))
      case .decodedEffect: events.append(applied(.afterDecoding, event))
      case .reconfigure, .xrun: break
      }
    }
    return isAsked
  }

  private func applied(_ kind: Effect.Kind, _ event: StreamEvent) -> EngineEvent {
    .applied(
      Effect(kind: kind, number: event.token), handedOver: Int64(event.position),
      heard: Int64(event.frame))
  }

  /// Tracks whose first frame was handed over, in order.
  var started: [Int] {
    events.compactMap { if case .started(let id) = $0 { id } else { nil } }
  }

  var hasEnded: Bool { events.contains { if case .ended = $0 { true } else { false } } }
}

extension TrackRequest {
  /// A track that is decoded by a ``ScriptedDecoder`` with this script.
  static func scripted(
    _ id: Int, _ format: StreamFormat, first: Int = 0, gain: Float = 1,
    _ script: [ScriptedDecoder.Line]
  ) -> TrackRequest {
    nonisolated(unsafe) let script = script
    return TrackRequest(id: id) { () throws(DecodeError) in
      OpenedTrack(
        decoder: ScriptedDecoder(format, first: first, script),
        description: TrackDescription(
          codec: "test", format: format, durationSeconds: nil, metadata: AudioMetadata()),
        gain: gain)
    }
  }

  /// A track that cannot be opened.
  static func unreadable(_ id: Int) -> TrackRequest {
    TrackRequest(id: id) { () throws(DecodeError) -> OpenedTrack in
      throw DecodeError(.refuseFile, at: .byte(0), "unreadable")
    }
  }
}

/// Returns the same frames as a ``ScriptedDecoder`` whose script is one line ``ScriptedDecoder/Line/frames(_:)``, in
/// blocks of at most 400 frames. After a seek, only the frames from the target to the end follow.
final class CountingDecoder: AudioDecoder {
  let format: StreamFormat
  private let first: Int
  private let frameCount: Int
  private var position = 0
  private var samples: [Int32] = []

  init(_ format: StreamFormat, first: Int, frameCount: Int) {
    self.format = format
    self.first = first
    self.frameCount = frameCount
  }

  func next() throws(DecodeError) -> DecodeStep {
    let count = min(400, frameCount - position)
    guard count > 0 else { return .end }
    samples = format.samples32(position..<position + count, first: first)
    defer { position += count }
    return .frames(
      FrameBlock(
        samples: samples.withUnsafeBytes { UnsafeRawPointer($0.baseAddress) },
        frameCount: count, position: Int64(position)))
  }

  func seek(to frame: Int64) throws(DecodeError) { position = min(Int(frame), frameCount) }
}

extension TrackRequest {
  /// A track that can be opened repeatedly and supports seeking.
  static func counting(
    _ id: Int, _ format: StreamFormat, first: Int = 0, frames: Int
  ) -> TrackRequest {
    TrackRequest(id: id) { () throws(DecodeError) in
      OpenedTrack(
        decoder: CountingDecoder(format, first: first, frameCount: frames),
        description: TrackDescription(
          codec: "test", format: format, durationSeconds: nil, metadata: AudioMetadata()))
    }
  }
}

extension StreamFormat {
  static func test(
    _ bits: Int = 16, rate: Int = 48000, _ layout: ChannelLayout = .stereo
  ) -> StreamFormat {
    StreamFormat(sampleRate: rate, layout: layout, encoding: .integer(bits: bits))
  }

  /// The samples of ``ScriptedDecoder`` for `frames`, as a 32-bit device gets them.
  func samples32(_ frames: Range<Int>, first: Int = 0) -> [Int32] {
    frames.flatMap { frame in
      (0..<channels).map { channel in
        Int32(
          bitPattern: ScriptedDecoder.sample(
            self, first: first, frame: Int64(frame), channel: channel))
      }
    }
  }
}
