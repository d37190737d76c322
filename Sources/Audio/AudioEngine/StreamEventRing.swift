internal import Synchronization

/// An event at a frame position. Trivial type, so it can be copied between threads.
struct StreamEvent {
  enum Kind: UInt8 {
    /// A segment begins: its token, how its samples are coded, and its gain.
    case segment
    /// The device must be set up anew before the next frame.
    case reconfigure
    /// Nothing follows until further events.
    case end
    /// To the control thread only: an overlay begins, or is over.
    case overlayBegan
    case overlayEnded
    /// To the control thread only: the device ran dry.
    case xrun
    /// To the control thread only: silence stands in for frames that were not decoded in time, or
    /// does no more.
    case starved
    case fed
    /// To the control thread only: how long nothing was heard while the device was set up anew.
    case changeover
    /// To the control thread only: an ``Effect`` is there, of one kind or the other.
    case steered
    case begun
  }

  var kind: Kind
  /// Frame position in the ring at which it holds; of an effect, when it was handed over
  /// (monotonic nanoseconds).
  var position: Int
  /// How often the decode thread had taken frames back when it wrote this. Older than the
  /// ring's count, the event is void.
  var epoch = 0
  /// The command that it belongs to.
  var command = 0
  /// Names the segment to the control thread; of an end, the track that ended; of an overlay,
  /// which; of an xrun and of what is starved or fed, when it was noticed (monotonic nanoseconds); of a
  /// changeover, how long it took (nanoseconds); of an effect, its number.
  var token: Int = 0
  /// Of an overlay: the output frame with which it begins; of an effect, when it is heard
  /// (monotonic nanoseconds).
  var frame = 0
  /// How the segment's samples are coded.
  var source = SourceSamples()
  /// Linear gain of the track (ReplayGain), 1 changes nothing; of an overlay, what is left of the
  /// music under it.
  var gain: Float = 1
}

extension StreamEvent {
  /// Something that the output thread tells.
  @_noLocks init(telling kind: Kind, token: Int) {
    self.kind = kind
    position = 0
    self.token = token
    epoch = 0
    command = 0
    frame = 0
    source = SourceSamples(isFloat: false, bits: 32, isProcessed: false)
    gain = 1
  }
}

/// How the samples in the ring are coded, for the renderer.
struct SourceSamples: Equatable {
  /// `Float` rather than left-justified `Int32`.
  var isFloat = false
  /// Significant bits of an integer.
  var bits = 32
  /// Resampling or mixing has made the samples finer than their source was.
  var isProcessed = false
}

/// Events from one thread to one other, in order, none lost: the writer is told when it is full.
/// A ring and not a mailbox, because two track starts are two. A raw pointer for the reason that
/// ``FrameRing`` gives.
struct StreamEventRing: @unchecked Sendable {
  static let capacity = 256

  private struct Core: ~Copyable {
    let written = Atomic<Int>(0)
    let consumed = Atomic<Int>(0)
    /// The writer's own: events up to here stand in the ring, shown or not.
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

  /// Writes an event and shows it; whether there was room.
  @_noLocks func push(_ event: StreamEvent) -> Bool {
    let hadRoom = stage(event)
    _ = commit()
    return hadRoom
  }

  /// Writes an event that the reader does not see before `commit`; whether there was room.
  @_noLocks func stage(_ event: StreamEvent) -> Bool {
    let position = core.pointee.staged
    guard position &- core.pointee.consumed.load(ordering: .acquiring) < 256 else { return false }
    streamEvents[position & 255] = event
    core.pointee.staged = position &+ 1
    return true
  }

  /// Shows what is staged; whether that was anything.
  @_noLocks func commit() -> Bool {
    let position = core.pointee.staged
    if position == core.pointee.written.load(ordering: .relaxed) { return false }
    core.pointee.written.store(position, ordering: .releasing)
    return true
  }

  /// The oldest event, which stays.
  @_noLocks func peek() -> StreamEvent? {
    let position = core.pointee.consumed.load(ordering: .relaxed)
    guard position != core.pointee.written.load(ordering: .acquiring) else { return nil }
    return streamEvents[position & 255]
  }

  /// Removes what `peek` showed.
  @_noLocks func drop() {
    core.pointee.consumed.store(
      core.pointee.consumed.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }
}
