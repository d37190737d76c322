public import AudioCodecs
internal import Synchronization
public import Threads

/// Plays tracks one after the other without a gap. This is the control thread's interface to the decode and output
/// threads.
///
/// Used on the control thread only. Only ``shutDown()`` blocks.
public final class PlaybackEngine {
  /// The size of the buffer of decoded frames. A frame has four bytes for each channel of the device.
  public static let bufferBytes = FrameRing.defaultBytes

  private let exchange: EngineExchange
  private let sink: any AudioSink
  private let renderer: Renderer
  private let ring = FrameRing()
  private let streamEvents = StreamEventRing()
  private let reached = StreamEventRing()
  private let clock = PlaybackClock()
  private let overlay = OverlayMixer()
  private var overlayCommand = 0
  private var threads: [NamedThread] = []
  /// Segments that were handed over, oldest first. At each position, the last segment that begins at or before the
  /// position is valid.
  private var timeline: [(position: Int, segment: Segment)] = []
  private var endPosition: Int?
  /// Number of the last command.
  private var command = 0
  /// The track and time of the last ``play(_:at:)``. Nil after the first frame of this request was handed over.
  private var target: (trackID: Int, seconds: Double)?
  /// The last change of the sound that was requested. ``EngineEvent/applied(_:handedOver:heard:)`` reports when the
  /// output has reached this change.
  public private(set) var lastEffect = Effect(kind: .immediate, number: 0)
  /// The source that has the engine. Nil before the first source has taken the engine.
  weak var user: (any EngineUser)?
  /// The highest position that ``advancedPosition()`` has returned.
  private var highestPosition = 0

  /// Starts the threads. They sleep until there is something to play.
  ///
  /// - Parameters:
  ///   - fixed: sets the device up once with this format. All tracks are converted to its rate and channels, and any
  ///     two tracks join without a gap. If nil, the device follows the format of each track.
  ///   - idleSeconds: how long the device stays open when there is nothing to hear. During this time the device plays
  ///     silence. So there is no click, and the next sound begins without a delay.
  public init(sink: any AudioSink, fixed: StreamFormat? = nil, idleSeconds: Int = 60) {
    self.sink = sink
    exchange = EngineExchange(clock: clock)
    renderer = Renderer(
      ring: ring, streamEvents: streamEvents, reached: reached, clock: clock, overlay: overlay,
      decodeWake: exchange.decodeWake, controlWake: exchange.controlWake,
      outputWake: exchange.outputWake, idleSeconds: idleSeconds)
    threads = [
      NamedThread("decode") { [ring, streamEvents, overlay, exchange] in
        let loop = DecodeLoop(
          ring: ring, streamEvents: streamEvents, exchange: exchange, sink: sink, fixed: fixed)
        let overlayLoop = OverlayLoop(mixer: overlay, exchange: exchange)
        while !exchange.isStopping {
          // The overlay is first, because its ring runs dry sooner. The ring of the music contains frames for several
          // seconds.
          if overlayLoop.step(beside: loop) == .worked { continue }
          if loop.step() == .waits { exchange.decodeWake.wait(or: loop.awaited) }
        }
      },
      NamedThread("output") { [renderer, exchange] in
        OutputLoop(sink: sink, renderer: renderer, exchange: exchange).run()
      },
    ]
  }

  /// Signalled when ``takeEvents()`` has events.
  public var wakeUp: WakeUp { exchange.controlWake }

  /// Plays `track` from `seconds` instead of the current track. A call with the `id` of the current track is a seek.
  /// Events of earlier calls are no longer reported.
  public func play(_ track: TrackRequest, at seconds: Double = 0) {
    send(.play(track, seconds: seconds))
    target = (track.id, max(0, seconds))
  }

  private func send(_ action: EngineExchange.Command.Action) {
    command += 1
    endPosition = nil
    lastEffect = renderer.expect(command: command)
    // If a track was requested, callers wait for its first frame, not for the fade of the previous track.
    if case .play = action { lastEffect = Effect(kind: .afterDecoding, number: command) }
    exchange.send(EngineExchange.Command(number: command, action: action))
  }

  /// Sets what follows the current track. Nil means that nothing follows. If there are several calls before the current
  /// track is fully decoded, only the last call counts.
  public func setUpcoming(_ track: TrackRequest?) {
    exchange.setUpcoming(track.map { .track($0) } ?? .nothing)
  }

  /// Withdraws the track of the last ``setUpcoming(_:)``. Returns false if this call passed nil, or if the decode
  /// thread has already taken the track.
  public func withdrawUpcoming() -> Bool { exchange.withdrawUpcoming() }

  /// Stops playback and forgets the current track.
  public func stop() {
    send(.stop)
    target = nil
  }

  /// If `paused` is true, the music fades out and is then silent. Otherwise it continues. The device stays open.
  public func setPaused(_ paused: Bool) {
    lastEffect = renderer.setPaused(paused)
    wakeOutput()
  }

  private func wakeOutput() {
    sink.dataWake?.signal()
    exchange.outputWake.signal()
  }

  /// If `muted` is true, all sound is silent while playback continues.
  public func setMuted(_ muted: Bool) { lastEffect = renderer.setMuted(muted) }

  /// Plays a chime or a prompt over the music, or alone. A newer overlay replaces an older one, unless it is mixed. An
  /// overlay is also heard while the music is paused.
  ///
  /// - Parameters:
  ///   - track: the chime or prompt. Events contain the id of this track.
  ///   - musicGain: linear gain of the music during the overlay. 1 leaves the music unchanged; a smaller value ducks it
  ///     (rule E3 in docs/now-playing.md).
  ///   - frame: the output frame (see ``outputFrame``) at which the overlay begins. If this frame has passed, the
  ///     overlay begins at once. A track that is mixed into a prompt begins at once, too.
  ///   - mixes: true for a track that is mixed into a prompt of a live input that sounds, so that both are heard.
  public func playOverlay(
    _ track: TrackRequest, musicGain: Float = 1, atFrame frame: Int = 0, mixes: Bool = false
  ) {
    overlayCommand += 1
    exchange.send(
      EngineExchange.OverlayCommand(
        number: overlayCommand, action: mixes ? .mix(track) : .play(track),
        musicGain: min(max(musicGain, 0), 1), frame: frame))
  }

  /// Fades the overlay `id` out. If another overlay has replaced this overlay, nothing changes.
  public func stopOverlay(id: Int) {
    overlayCommand += 1
    exchange.send(EngineExchange.OverlayCommand(number: overlayCommand, action: .stop(id: id)))
  }

  /// The number of the next frame that can still change, counted since the engine began, including silence.
  /// ``playOverlay(_:musicGain:atFrame:)`` uses this number as a clock. The number advances each time the output thread
  /// wakes up.
  public var outputFrame: Int { renderer.outputFrameCount }

  /// Sets the linear gain of all sound. With 1 the samples stay bit-exact.
  public func setVolume(_ gain: Float) { lastEffect = renderer.setVolume(gain) }

  /// The linear gain that the output applies to all sound now; 0 while muted.
  public var outputGain: Float { renderer.masterGain }

  /// The events since the last call that belong to the current command, or to no command.
  public func takeEvents() -> [EngineEvent] {
    exchange.controlWake.clear()
    // Take the stream events first. The engine events to which they refer were posted earlier, so these engine events
    // are in the exchange by now.
    var streamEvents: [StreamEvent] = []
    while let event = reached.take() { streamEvents.append(event) }
    // The ring `reached` has room now. Wake the sink, because it can have an event that did not fit.
    if !streamEvents.isEmpty { sink.dataWake?.signal() }
    return exchange.takeEvents(of: command) + streamEvents.flatMap { events(of: $0) }
  }

  private func events(of event: StreamEvent) -> [EngineEvent] {
    switch event.kind {
    case .overlayBegan: return [.overlayBegan(id: event.token)]
    case .overlayEnded: return [.overlayEnded(id: event.token)]
    case .xrun: return [.xrun(nanoseconds: Int64(event.token))]
    case .starved:
      isStarved = true
      return [.starved(nanoseconds: Int64(event.token))]
    case .starvationEnded:
      isStarved = false
      return [.starvationEnded(nanoseconds: Int64(event.token))]
    case .changeover: return [.changedOver(nanoseconds: event.token)]
    case .immediateEffect: return [applied(.immediate, event)]
    case .decodedEffect: return [applied(.afterDecoding, event)]
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
    // The first frame after ``play(_:at:)`` has this position. A later reading of the clock can be lower, because the
    // output computes the heard position from two numbers that are measured one after the other.
    if target != nil { highestPosition = max(highestPosition, position) }
    dropPastSegments()
    timeline.append((position, segment))
    target = nil
    return events
  }

  /// The track that is heard now, and the position in this track in seconds. After ``play(_:at:)``: the requested track
  /// and time, until its first frame was handed over. Nil before anything was played.
  public func heardPosition() -> (trackID: Int, seconds: Double)? {
    if let target { return target }
    let position = dropPastSegments()
    guard let (start, segment) = timeline.first else { return nil }
    // Use the rate of the segment, not the rate of the device. After a change of the format, the device has the rate of
    // the next track while the last track is still reported.
    let seconds = Double(max(0, position - start)) / Double(segment.sampleRate)
    return (segment.trackID, segment.startSeconds + seconds)
  }

  /// Removes the segments before the segment that is heard. Returns the position that is heard.
  @discardableResult
  private func dropPastSegments() -> Int {
    let position = advancedPosition()
    timeline.removeFirst(timeline.lastIndex { $0.position <= position } ?? 0)
    return position
  }

  /// True after ``EngineEvent/starved(nanoseconds:)``, until ``EngineEvent/starvationEnded(nanoseconds:)``.
  public private(set) var isStarved = false

  /// True if the first frame for the last ``play(_:at:)`` was not handed over yet.
  public var isSeeking: Bool { target != nil }

  /// The ring position that is heard. This position never decreases. If the device has not started yet, or is slower
  /// than its rate, the estimate of the clock is too high until the next period. The next estimate is then lower. So
  /// this function returns the highest estimate so far.
  private func advancedPosition() -> Int {
    highestPosition = max(highestPosition, clock.heardPosition())
    return highestPosition
  }

  /// After ``EngineEvent/ended(after:)``: seconds until the last frame is heard; otherwise 0.
  public var secondsToEnd: Double {
    guard let endPosition else { return 0 }
    let left = endPosition - advancedPosition()
    return left <= 0 ? 0 : Double(left) / Double(clock.read().sampleRate)
  }

  /// Number of times that the device ran dry.
  public var xrunCount: Int { renderer.xrunCount }

  /// Number of frames of silence that replaced frames that were decoded too late.
  public var starvedFrameCount: Int { renderer.starvedFrameCount }

  /// Number of frames that are decoded but not handed over yet. If the buffer of the device is rewritten, frames that
  /// were handed over and not heard are included.
  public var bufferedFrames: Int { ring.heldFrames }

  /// True if frames fill less than `part` (0 … 1) of the ring although further frames follow. Either the storage
  /// delivers data too slowly, or a track is being opened.
  public func isShortOfFrames(below part: Double) -> Bool {
    endPosition == nil && Double(ring.heldFrames) < part * Double(ring.frameCapacity)
  }

  /// Number of frames that the device still plays unchanged when the sound is changed. 0 if the device is filled by
  /// periods.
  public var safeguardFrames: Int { renderer.safeguardFrames.load(ordering: .relaxed) }

  /// Stops the threads and closes the device. Blocks until both threads have ended.
  public func shutDown() {
    guard !threads.isEmpty else { return }
    renderer.stop()
    exchange.shutDown()
    wakeOutput()
    for thread in threads { thread.join() }
    threads = []
    exchange.detachLiveInput()
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
