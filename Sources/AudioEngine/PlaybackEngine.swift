internal import AudioCodecs

/// Plays one track after the other without a gap. The control thread's handle on the decode and
/// output threads.
///
/// Control thread only, and nothing here blocks but ``shutDown()``.
public final class PlaybackEngine {
  private let exchange = EngineExchange()
  private let sink: any AudioSink
  private let renderer: Renderer
  private let ring = FrameRing()
  private let notes = NoteRing()
  private let reached = NoteRing()
  private let clock = PlaybackClock()
  private var threads: [EngineThread] = []
  /// Segments that were handed over, oldest first: the last one at or before a position holds.
  private var timeline: [(position: Int, segment: Segment)] = []
  private var endPosition: Int?
  /// The furthest position that was heard, as far as anybody asked.
  private var heardPosition = 0

  /// Starts the threads. They sleep until something is to be played.
  public init(sink: any AudioSink) {
    self.sink = sink
    renderer = Renderer(
      ring: ring, notes: notes, reached: reached, clock: clock, decodeWake: exchange.decodeWake,
      controlWake: exchange.controlWake)
    threads = [
      EngineThread("decode") { [ring, notes, exchange] in
        let loop = DecodeLoop(ring: ring, notes: notes, exchange: exchange, sink: sink)
        while !exchange.isStopping {
          if loop.step() == .waits { exchange.decodeWake.wait() }
        }
      },
      EngineThread("output") { [renderer, exchange] in
        OutputLoop(sink: sink, renderer: renderer, exchange: exchange).run()
      },
    ]
  }

  /// Signalled when ``takeEvents()`` has something.
  public var wakeUp: WakeUp { exchange.controlWake }

  /// Plays `track` from `seconds` instead of what plays. The same `id` again is a seek.
  public func play(_ track: TrackRequest, at seconds: Double = 0) {
    endPosition = nil
    exchange.send(.play(track, seconds: seconds))
  }

  /// Says what follows the current track, nil for nothing. The last word before the current
  /// track is fully decoded counts.
  public func setUpcoming(_ track: TrackRequest?) {
    exchange.setUpcoming(track.map { .track($0) } ?? .nothing)
  }

  /// Stops, and forgets the track.
  public func stop() { exchange.send(.stop) }

  /// Fades out and holds the output, or goes on. The device stays open.
  public func setPaused(_ paused: Bool) {
    renderer.setPaused(paused)
    sink.dataWake?.signal()
  }

  /// Linear gain of everything; 1 changes nothing, bit for bit.
  public func setVolume(_ gain: Float) { renderer.setVolume(gain) }

  /// What happened since the last call.
  public func takeEvents() -> [EngineEvent] {
    exchange.controlWake.clear()
    // The notes first: what they tell of was posted before, so it is among the events.
    var notes: [Note] = []
    while let note = reached.peek() {
      reached.drop()
      notes.append(note)
    }
    // There may be a note that found no room.
    if !notes.isEmpty { sink.dataWake?.signal() }
    var events = exchange.takeEvents()
    for note in notes {
      switch note.kind {
      case .segment:
        guard let segment = exchange.segment(note.token) else { continue }
        if timeline.last?.segment.trackID != segment.trackID {
          events.append(.started(id: segment.trackID))
        }
        timeline.append((note.position, segment))
      case .end:
        endPosition = note.position
        events.append(.ended(after: note.token))
      case .reconfigure:
        continue
      }
    }
    return events
  }

  /// What is heard now: the track, and the time in it in seconds. Nil before anything is.
  public func heard() -> (trackID: Int, seconds: Double)? {
    let position = advancedPosition()
    guard !timeline.isEmpty else { return nil }
    timeline.removeFirst(timeline.lastIndex { $0.position <= position } ?? 0)
    let (start, segment) = timeline[0]
    // The segment's rate and not the device's, which is another one already while the last track
    // before a change of format is still shown.
    let seconds = Double(max(0, position - start)) / Double(segment.sampleRate)
    return (segment.trackID, segment.startSeconds + seconds)
  }

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

  /// Stops the threads and closes the device. Blocks until both have ended.
  public func shutDown() {
    guard !threads.isEmpty else { return }
    renderer.stop()
    exchange.shutDown()
    sink.dataWake?.signal()
    for thread in threads { thread.join() }
    threads = []
  }

  deinit {
    shutDown()
    ring.deallocate()
    notes.deallocate()
    reached.deallocate()
    clock.deallocate()
  }
}
