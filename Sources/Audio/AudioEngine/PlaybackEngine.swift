public import AudioCodecs
public import Threads

/// Plays one track after the other without a gap. The control thread's handle on the decode and
/// output threads.
///
/// Control thread only, and nothing here blocks but ``shutDown()``.
public final class PlaybackEngine {
  private let exchange = EngineExchange()
  private let sink: any AudioSink
  private let renderer: Renderer
  private let ring = FrameRing()
  private let streamEvents = StreamEventRing()
  private let reached = StreamEventRing()
  private let clock = PlaybackClock()
  private let overlay = OverlayMixer()
  private var overlayCommand = 0
  private var threads: [NamedThread] = []
  /// Segments that were handed over, oldest first: the last one at or before a position holds.
  private var timeline: [(position: Int, segment: Segment)] = []
  private var endPosition: Int?
  /// The last command.
  private var command = 0
  /// What it asked for, until a frame of it was handed over.
  private var target: (trackID: Int, seconds: Double)?
  /// What the last call has asked of the sound; ``EngineEvent/applied(_:handedOver:heard:)`` tells
  /// when it is there.
  public private(set) var lastEffect = Effect(kind: .steering, number: 0)
  /// The furthest position that was heard, as far as anybody asked.
  private var heardPosition = 0

  /// Starts the threads. They sleep until something is to be played.
  ///
  /// - Parameters:
  ///   - fixed: what the device is set up for, once and for all: everything is converted to its
  ///     rate and channels, and any two tracks join without a gap. Nil to follow each track.
  ///   - idleSeconds: how long the device stays open when there is nothing to hear. Until then it
  ///     plays silence, so that nothing clicks and the next sound needs no preparation.
  public init(sink: any AudioSink, fixed: StreamFormat? = nil, idleSeconds: Int = 60) {
    self.sink = sink
    renderer = Renderer(
      ring: ring, streamEvents: streamEvents, reached: reached, clock: clock, overlay: overlay,
      decodeWake: exchange.decodeWake, controlWake: exchange.controlWake, idleSeconds: idleSeconds)
    threads = [
      NamedThread("decode") { [ring, streamEvents, overlay, exchange] in
        let loop = DecodeLoop(
          ring: ring, streamEvents: streamEvents, exchange: exchange, sink: sink, fixed: fixed)
        let overlayLoop = OverlayLoop(mixer: overlay, exchange: exchange)
        while !exchange.isStopping {
          // The overlay first: it is late sooner than the music, which has seconds in its ring.
          if overlayLoop.step(beside: loop) == .worked { continue }
          if loop.step() == .waits { exchange.decodeWake.wait() }
        }
      },
      NamedThread("output") { [renderer, exchange] in
        OutputLoop(sink: sink, renderer: renderer, exchange: exchange).run()
      },
    ]
  }

  /// Signalled when ``takeEvents()`` has something.
  public var wakeUp: WakeUp { exchange.controlWake }

  /// Plays `track` from `seconds` instead of what plays. The same `id` again is a seek.
  /// What still belongs to an earlier call is not told any more.
  public func play(_ track: TrackRequest, at seconds: Double = 0) {
    send(.play(track, seconds: seconds))
    target = (track.id, max(0, seconds))
  }

  private func send(_ action: EngineExchange.Command.Action) {
    command += 1
    endPosition = nil
    lastEffect = renderer.expect(command: command)
    // Of a track it is not its predecessor's fade that somebody waits for.
    if case .play = action { lastEffect = Effect(kind: .command, number: command) }
    exchange.send(EngineExchange.Command(number: command, action: action))
  }

  /// Says what follows the current track, nil for nothing. The last word before the current
  /// track is fully decoded counts.
  public func setUpcoming(_ track: TrackRequest?) {
    exchange.setUpcoming(track.map { .track($0) } ?? .nothing)
  }

  /// Takes back what ``setUpcoming(_:)`` said last; false where that was no track, or is being
  /// opened already.
  public func withdrawUpcoming() -> Bool { exchange.withdrawUpcoming() }

  /// Stops, and forgets the track.
  public func stop() {
    send(.stop)
    target = nil
  }

  /// Fades out and holds the output, or goes on. The device stays open.
  public func setPaused(_ paused: Bool) {
    lastEffect = renderer.setPaused(paused)
    wakeOutput()
  }

  private func wakeOutput() {
    sink.dataWake?.signal()
    exchange.outputWake.signal()
  }

  /// Silences everything while it goes on, or no more.
  public func setMuted(_ muted: Bool) { lastEffect = renderer.setMuted(muted) }

  /// Plays a chime or a prompt over the music, or alone; a newer one takes the place of an older.
  /// It is heard also while the music is paused.
  ///
  /// - Parameters:
  ///   - track: what to open; events carry its id.
  ///   - musicGain: what is left of the music meanwhile, linear: 1 mixes, less ducks (rule E3).
  ///   - frame: the output frame (see ``outputFrame``) with which it begins; at once where that
  ///     has passed.
  public func playOverlay(_ track: TrackRequest, musicGain: Float = 1, atFrame frame: Int = 0) {
    overlayCommand += 1
    exchange.send(
      EngineExchange.OverlayCommand(
        number: overlayCommand, track: track, musicGain: min(max(musicGain, 0), 1), frame: frame))
  }

  /// Fades the overlay out.
  public func stopOverlay() {
    overlayCommand += 1
    exchange.send(EngineExchange.OverlayCommand(number: overlayCommand, track: nil))
  }

  /// Frames that were handed over since the engine began, silence included: the clock of
  /// ``playOverlay(_:musicGain:atFrame:)``, moved on once a period.
  public var outputFrame: Int { renderer.outputFrameCount }

  /// Linear gain of everything; 1 changes nothing, bit for bit.
  public func setVolume(_ gain: Float) { lastEffect = renderer.setVolume(gain) }

  /// What happened since the last call, as far as it belongs to what is played now.
  public func takeEvents() -> [EngineEvent] {
    exchange.controlWake.clear()
    // The events first: what they tell of was posted before, so it is among the events.
    var streamEvents: [StreamEvent] = []
    while let event = reached.peek() {
      reached.drop()
      streamEvents.append(event)
    }
    // There may be an event that found no room.
    if !streamEvents.isEmpty { sink.dataWake?.signal() }
    return exchange.takeEvents(of: command) + streamEvents.flatMap { events(of: $0) }
  }

  private func events(of event: StreamEvent) -> [EngineEvent] {
    switch event.kind {
    case .overlayBegan: return [.overlayBegan(id: event.token)]
    case .overlayEnded: return [.overlayEnded(id: event.token)]
    case .xrun: return [.xrun(nanoseconds: Int64(event.token))]
    case .starved: return [.starved(nanoseconds: Int64(event.token))]
    case .fed: return [.fed(nanoseconds: Int64(event.token))]
    case .changeover: return [.changedOver(nanoseconds: event.token)]
    case .steered: return [applied(.steering, event)]
    case .begun: return [applied(.command, event)]
    default: break
    }
    guard event.command == command else { return [] }
    switch event.kind {
    case .segment:
      return exchange.segment(event.token).map { begin($0, at: event.position) } ?? []
    case .end:
      target = nil
      endPosition = event.position
      return [.ended(after: event.token)]
    default:
      return []
    }
  }

  private func applied(_ kind: Effect.Kind, _ event: StreamEvent) -> EngineEvent {
    .applied(
      Effect(kind: kind, number: event.token), handedOver: Int64(event.position),
      heard: Int64(event.frame))
  }

  private func begin(_ segment: Segment, at position: Int) -> [EngineEvent] {
    var events: [EngineEvent] = []
    if timeline.last?.segment.trackID != segment.trackID {
      events.append(.started(id: segment.trackID))
    }
    if let format = segment.format {
      events.append(.formatChanged(id: segment.trackID, format))
    }
    if let metadata = segment.metadata {
      events.append(.metadataChanged(id: segment.trackID, metadata))
    }
    forgetHeard()
    timeline.append((position, segment))
    target = nil
    return events
  }

  /// What is heard now: the track, and the time in it in seconds; what ``play(_:at:)`` asked for,
  /// until that is heard. Nil before anything is.
  public func heard() -> (trackID: Int, seconds: Double)? {
    if let target { return target }
    let position = forgetHeard()
    guard let (start, segment) = timeline.first else { return nil }
    // The segment's rate and not the device's, which is another one already while the last track
    // before a change of format is still shown.
    let seconds = Double(max(0, position - start)) / Double(segment.sampleRate)
    return (segment.trackID, segment.startSeconds + seconds)
  }

  /// Forgets segments before the one that is heard; the position that is heard.
  @discardableResult
  private func forgetHeard() -> Int {
    let position = advancedPosition()
    timeline.removeFirst(timeline.lastIndex { $0.position <= position } ?? 0)
    return position
  }

  /// Whether what ``play(_:at:)`` asked for last is not heard yet.
  public var isSeeking: Bool { target != nil }

  /// The clock's estimate runs ahead of a device that has not started yet, or that is slower than
  /// it says, and is put right with the next period. Positions never go back, so nor does this.
  private func advancedPosition() -> Int {
    heardPosition = max(heardPosition, clock.heard())
    return heardPosition
  }

  /// Seconds until the last frame was heard, after ``EngineEvent/ended``; 0 when it was.
  public var secondsToEnd: Double {
    guard let endPosition else { return 0 }
    let left = endPosition - advancedPosition()
    return left <= 0 ? 0 : Double(left) / Double(clock.read().sampleRate)
  }

  /// Times that the device ran dry.
  public var xrunCount: Int { renderer.xrunCount }

  /// Frames of silence that stood in for frames that came too late.
  public var starvedFrameCount: Int { renderer.starvedFrameCount }

  /// Frames that are decoded and not handed over yet.
  public var bufferedFrames: Int { ring.readable }

  /// Stops the threads and closes the device. Blocks until both have ended.
  public func shutDown() {
    guard !threads.isEmpty else { return }
    renderer.stop()
    exchange.shutDown()
    wakeOutput()
    for thread in threads { thread.join() }
    threads = []
  }

  deinit {
    shutDown()
    ring.deallocate()
    streamEvents.deallocate()
    reached.deallocate()
    clock.deallocate()
    overlay.deallocate()
  }
}
