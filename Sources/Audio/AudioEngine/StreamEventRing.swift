internal import Synchronization

/// An event at a frame position. The type is trivial, so an event can be copied between threads.
struct StreamEvent {
  enum Kind: UInt8 {
    /// A segment begins. The event contains the token of the segment, the coding of its samples and its gain.
    case segment
    /// The device must be set up again before the next frame.
    case reconfigure
    /// No frames follow before the next event.
    case end
    /// To the control thread only: an overlay begins.
    case overlayBegan
    /// To the control thread only: an overlay has ended.
    case overlayEnded
    /// To the control thread only: the device ran dry.
    case xrun
    /// To the control thread only: silence replaces frames that were not decoded in time.
    case starved
    /// To the control thread only: frames are available again, or other content was requested.
    case starvationEnded
    /// To the control thread only: how long nothing was heard while the device was set up again.
    case changeover
    /// To the control thread only: an ``Effect`` of the kind `immediate` was reached.
    case immediateEffect
    /// To the control thread only: an ``Effect`` of the kind `afterDecoding` was reached.
    case decodedEffect
  }

  var kind: Kind
  /// The frame position in the ring from which the event applies. For an effect: the time at which its first frame was
  /// handed over (monotonic nanoseconds).
  var position: Int
  /// Number of times that the decode thread had discarded frames when it wrote this event. If the epoch of the ring is
  /// higher, the event belongs to discarded frames.
  var epoch = 0
  /// The command to which the event belongs.
  var command = 0
  /// The meaning depends on the kind. Segment: the number by which the control thread finds the ``Segment``. End: the
  /// track that ended. Overlay: the id of its track. Xrun, starved, starvationEnded: the time of detection (monotonic
  /// nanoseconds). Changeover: its duration (nanoseconds). Effect: its number.
  var token: Int = 0
  /// Overlay: the output frame at which the overlay begins. Effect: the time at which the effect is heard (monotonic
  /// nanoseconds).
  var frame = 0
  /// Segment: how its samples are coded.
  var source = SourceSamples()
  /// Segment: true if the frames come from a ``LiveInput``.
  var isLive = false
  /// Segment: linear gain of the track (ReplayGain); 1 changes nothing. Overlay: linear gain of the music during the
  /// overlay.
  var gain: Float = 1
}

extension StreamEvent {
  /// An event from the output thread to the control thread.
  @_noLocks init(reporting kind: Kind, token: Int) {
    self.kind = kind
    position = 0
    self.token = token
    epoch = 0
    command = 0
    frame = 0
    source = SourceSamples(isFloat: false, bits: 32, isProcessed: false)
    isLive = false
    gain = 1
  }
}

/// How the samples in the ring are coded.
struct SourceSamples: Equatable {
  /// True for `Float` samples, false for left-justified `Int32` samples.
  var isFloat = false
  /// Significant bits of an integer.
  var bits = 32
  /// True if resampling or mixing has given the samples a finer resolution than their source has.
  var isProcessed = false
}

/// Carries events from one thread to one other thread, in order. If the ring is full, ``push(_:)`` returns false, and
/// the writer can try again. A reader that can go back reads events by their number, and releases them later. A
/// variable with only the newest event would not be sufficient: for example, two track starts must arrive as two
/// events. The type contains raw pointers for the reason that ``FrameRing`` gives.
struct StreamEventRing: @unchecked Sendable {
  static let capacity = 256

  private struct Core: ~Copyable {
    let written = Atomic<Int>(0)
    /// Number of events that the reader does not read again.
    let released = Atomic<Int>(0)
    /// Number of events that were written so far, including events that the reader cannot see yet. Used by the writer
    /// only.
    var staged = 0
  }

  private let core: UnsafeMutablePointer<Core>
  private let streamEvents: UnsafeMutablePointer<StreamEvent>

  init() {
    core = .allocate(capacity: 1)
    core.initialize(to: Core())
    streamEvents = .allocate(capacity: Self.capacity)
    streamEvents.initialize(repeating: StreamEvent(kind: .end, position: 0), count: Self.capacity)
  }

  func deallocate() {
    core.deinitialize(count: 1)
    core.deallocate()
    streamEvents.deallocate()
  }

  /// Writes an event and makes it visible to the reader. Returns true if there was room.
  @_noLocks func push(_ event: StreamEvent) -> Bool {
    let hadRoom = stage(event)
    _ = commit()
    return hadRoom
  }

  /// Writes an event that the reader does not see before ``commit()``. Returns true if there was room.
  @_noLocks func stage(_ event: StreamEvent) -> Bool {
    let position = core.pointee.staged
    guard position &- core.pointee.released.load(ordering: .acquiring) < 256 else { return false }
    streamEvents[position & 255] = event
    core.pointee.staged = position &+ 1
    return true
  }

  /// Makes staged events visible to the reader. Returns true if there were staged events.
  @_noLocks func commit() -> Bool {
    let position = core.pointee.staged
    if position == core.pointee.written.load(ordering: .relaxed) { return false }
    core.pointee.written.store(position, ordering: .releasing)
    return true
  }

  /// The event with this number, counted from 0; nil if it was not written yet. It stays in the ring.
  @_noLocks func event(_ number: Int) -> StreamEvent? {
    guard number != core.pointee.written.load(ordering: .acquiring) else { return nil }
    return streamEvents[number & 255]
  }

  /// Number of events that were written and committed.
  var writtenCount: Int {
    @_noLocks get { core.pointee.written.load(ordering: .acquiring) }
  }

  /// Releases the events before this number. Returns true if there were such events.
  @_noLocks func release(before number: Int) -> Bool {
    if core.pointee.released.load(ordering: .relaxed) == number { return false }
    core.pointee.released.store(number, ordering: .releasing)
    return true
  }

  /// Removes and returns the oldest event; nil if there is none. For a reader that never goes back.
  func take() -> StreamEvent? {
    let number = core.pointee.released.load(ordering: .relaxed)
    guard let event = event(number) else { return nil }
    _ = release(before: number + 1)
    return event
  }
}
