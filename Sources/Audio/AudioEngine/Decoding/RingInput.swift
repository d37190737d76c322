internal import Threads

/// The decode thread's end of the ring: writes frames and stream events, and wakes the output thread.
///
/// If the ring is full, frames and events wait in this structure. Used on the decode thread only.
struct RingInput {
  private let ring: FrameRing
  private let streamEvents: StreamEventRing
  private let exchange: EngineExchange
  private let sink: any AudioSink
  /// Number of the current command.
  var command = 0
  /// Number of times that the frames in the ring were discarded.
  private var epoch = 0
  private var events: [StreamEvent] = []
  private var frames: (start: UnsafeRawPointer, count: Int)?
  /// The owner of the memory of ``frames``, if this reference is needed to keep the owner alive.
  private var owner: ConversionChain?

  init(
    ring: FrameRing, streamEvents: StreamEventRing, exchange: EngineExchange, sink: any AudioSink
  ) {
    self.ring = ring
    self.streamEvents = streamEvents
    self.exchange = exchange
    self.sink = sink
  }

  /// The position of the first frame that the output can still read. The frames before this position were handed over.
  /// If the buffer of the device is rewritten, these frames were also heard.
  var readPosition: Int { ring.releasedPosition }

  /// The position after the last frame in the ring.
  var writePosition: Int { ring.writePosition }

  /// True if frames wait for room in the ring.
  var hasFrames: Bool { frames != nil }

  /// Discards the frames in the ring, and the frames and events that wait.
  mutating func discard() {
    epoch += 1
    events = []
    setFrames(nil)
    discardWritten()
  }

  /// Discards the frames in the ring. Frames and events that wait are kept.
  func discardWritten() {
    ring.discardWritten(epoch: epoch, command: command)
    wakeOutput()
  }

  /// Writes a stream event of the current command as soon as there is room.
  mutating func push(_ event: StreamEvent) {
    var event = event
    event.epoch = epoch
    event.command = command
    events.append(event)
    _ = flushEvents()
  }

  /// Writes the waiting stream events while there is room. Returns true if no event waits any more.
  mutating func flushEvents() -> Bool {
    while let event = events.first {
      guard streamEvents.push(event) else { return false }
      events.removeFirst()
      wakeOutput()
    }
    return true
  }

  /// Sets the frames for ``write(channels:)``. `owner` is kept until the frames are written.
  mutating func setFrames(
    _ frames: (frames: UnsafeRawPointer, count: Int)?, keeping owner: ConversionChain? = nil
  ) {
    self.frames = frames.map { ($0.frames, $0.count) }
    self.owner = frames == nil ? nil : owner
  }

  /// Writes as many of the waiting frames as fit.
  mutating func write(channels: Int) -> DecodeLoop.Step {
    guard let (start, count) = frames else { return .worked }
    let written = ring.write(start, count: count)
    if written == 0 { return ring.waitForRoom() ? .waits : .worked }
    if ring.takeReaderWakeRequest(always: false) { wakeOutput() }
    if written < count {
      frames = (start + written * 4 * channels, count - written)
    } else {
      setFrames(nil)
    }
    return .worked
  }

  /// Call this before the decode thread sleeps. Otherwise the output thread could sleep although the ring contains
  /// frames, because the output thread waits for further frames.
  func wakeWaitingReader() {
    if ring.takeReaderWakeRequest(always: true) { wakeOutput() }
  }

  /// Wakes the output thread, which can be waiting for frames or resting.
  private func wakeOutput() {
    sink.dataWake?.signal()
    exchange.outputWake.signal()
  }
}
