internal import CRealtime
internal import Synchronization

/// Adds a chime or a prompt to the frames before they are handed over, and determines the gain of
/// the music during the chime or prompt.
///
/// The ``OverlayLoop`` writes floats in the device's rate and channels, and events at which an
/// overlay begins and ends. The ``Renderer`` calls `mix` once per period, below the real-time line.
/// The type contains a raw pointer for the reason that ``FrameRing`` gives.
struct OverlayMixer: @unchecked Sendable {
  /// Memory for a third of a second of 96 kHz stereo. Prompts are small files, and one wake-up of
  /// the decode thread fills the ring.
  static let ringBytes = 1 << 18

  let ring = FrameRing(bytes: ringBytes)
  /// Events from the decode thread.
  let streamEvents = StreamEventRing()

  private struct Core: ~Copyable {
    /// Read position of the ring when the device was set up again and the ring was emptied.
    let lostFrom = Atomic<Int>(0)
    /// The track of the overlay that sounds, valid while `isActive` is true.
    var active = 0
    var isActive = false
    var level: Float = 0
    /// Linear gain of the music under the overlay.
    var musicGain: Float = 1
  }

  private let core: UnsafeMutablePointer<Core>

  init() {
    core = .allocate(capacity: 1)
    core.initialize(to: Core())
  }

  func deallocate() {
    ring.deallocate()
    streamEvents.deallocate()
    core.deinitialize(count: 1)
    core.deallocate()
  }

  // MARK: Output thread, above the real-time line

  /// Call this when the device is set up again. Drops the frames in the ring, because the device
  /// may have other channels or another rate. The decode thread waits for the device and continues
  /// at ``lostFrom``.
  func configure(channels: Int) {
    core.pointee.lostFrom.store(ring.readPosition, ordering: .relaxed)
    ring.consume(ring.readable)
    while streamEvents.peek() != nil { streamEvents.drop() }
    // The music stays at its lower gain, because the overlay continues.
    core.pointee.isActive = false
    ring.configure(channels: channels)
  }

  // MARK: Decode thread

  /// The read position at which ``configure(channels:)`` dropped the frames. Valid after the device
  /// is set up again.
  var lostFrom: Int { core.pointee.lostFrom.load(ordering: .relaxed) }

  // MARK: Output thread, below the real-time line

  /// The gain that the music should have.
  var musicGain: Float {
    @_noLocks get { core.pointee.musicGain }
  }

  /// True if an overlay sounds or an event is waiting.
  var isBusy: Bool {
    @_noLocks get {
      if core.pointee.isActive { return true }
      return streamEvents.peek() != nil
    }
  }

  /// Adds overlays to the `frames` frames in `out`. `base` is the number of the first of these
  /// frames, counted since the engine began.
  ///
  /// - Parameters:
  ///   - target: linear gain of the overlays.
  ///   - fadeStep: the largest change of the gain per frame.
  ///   - reached: receives events when overlays begin and end.
  ///   - decodeWake: eventfd of the decode thread.
  @_noLocks func mix(
    into out: UnsafeMutableRawPointer, frames: Int, base: Int, channels: Int,
    device: DeviceSamples, frameBytes: Int, target: Float, fadeStep: Float,
    reached: StreamEventRing,
    decodeWake: Int32
  ) {
    if !isBusy { return }
    let wasActive = core.pointee.isActive
    var offset = 0
    while offset < frames {
      let isDiscarded = ring.discardPosition > ring.readPosition
      if !core.pointee.isActive {
        if isDiscarded { drop(reached) }
        guard let start = begin(base &+ offset, base &+ frames, reached, target) else { break }
        offset = start &- base
      }
      guard let end = room(reached) else { continue }
      var count = frames &- offset
      if end < count { count = end }
      let goal = isDiscarded ? 0 : target
      let added = add(
        to: out + offset &* frameBytes, count, channels, device, toward: goal, fadeStep)
      // If no frame was added, the decode thread is late. The overlay continues when its frames
      // arrive.
      if added == 0 { break }
      offset &+= added
      if isDiscarded, core.pointee.level == 0 { drop(reached) }
    }
    if ring.takeWriterWakeRequest() { rt_signal(decodeWake) }
    // If the overlay has ended, the decode thread can close the file of the overlay.
    if wasActive, !core.pointee.isActive { rt_signal(decodeWake) }
  }

  /// Starts the next overlay if its first frame is before the frame `limit`. Returns the number of
  /// this first frame, which is at least `now`. Returns nil if no overlay was started.
  @_noLocks private func begin(
    _ now: Int, _ limit: Int, _ reached: StreamEventRing, _ target: Float
  ) -> Int? {
    while let event = streamEvents.peek() {
      if event.epoch < ring.discardEpoch {
        // The overlay was stopped before it began.
        if case .segment = event.kind {
          _ = reached.stage(StreamEvent(reporting: .overlayEnded, token: event.token))
        }
        streamEvents.drop()
        continue
      }
      guard case .segment = event.kind, event.frame < limit,
        reached.stage(StreamEvent(reporting: .overlayBegan, token: event.token))
      else {
        break
      }
      streamEvents.drop()
      core.pointee.active = event.token
      core.pointee.isActive = true
      core.pointee.musicGain = event.gain
      core.pointee.level = target
      return now > event.frame ? now : event.frame
    }
    core.pointee.musicGain = 1
    return nil
  }

  /// Number of frames up to the end of the active overlay; `Int.max` if the end is not known yet,
  /// and nil if the overlay has ended.
  @_noLocks private func room(_ reached: StreamEventRing) -> Int? {
    guard let event = streamEvents.peek() else { return Int.max }
    let left = event.position &- ring.readPosition
    if left > 0 { return left }
    finish(reached)
    // An event that begins the next overlay stays in the ring. Such an event can arrive before the
    // fade of the active overlay has ended.
    if case .end = event.kind { streamEvents.drop() }
    return nil
  }

  /// Adds up to `count` frames while the gain changes linearly. Returns the number of added frames.
  @_noLocks private func add(
    to out: UnsafeMutableRawPointer, _ count: Int, _ channels: Int, _ device: DeviceSamples,
    toward target: Float, _ fadeStep: Float
  ) -> Int {
    let (input, available) = ring.peek(count)
    if available <= 0 { return 0 }
    var frames = available
    let ramp = GainRamp.toward(target, from: &core.pointee.level, in: &frames, fadeStep: fadeStep)
    addFloats(
      input.assumingMemoryBound(to: Float.self), out, frames, channels, device, ramp)
    ring.consume(frames)
    return frames
  }

  /// Drops the frames and events that the decode thread has discarded.
  @_noLocks private func drop(_ reached: StreamEventRing) {
    let left = ring.discardPosition &- ring.readPosition
    if left > 0 { ring.consume(left) }
    if core.pointee.isActive { finish(reached) }
    while let event = streamEvents.peek(), event.epoch < ring.discardEpoch {
      if case .segment = event.kind {
        _ = reached.stage(StreamEvent(reporting: .overlayEnded, token: event.token))
      }
      streamEvents.drop()
    }
  }

  @_noLocks private func finish(_ reached: StreamEventRing) {
    // If the control thread has left 256 events unread, this event is lost.
    _ = reached.stage(StreamEvent(reporting: .overlayEnded, token: core.pointee.active))
    core.pointee.isActive = false
    core.pointee.level = 0
    core.pointee.musicGain = 1
  }
}
