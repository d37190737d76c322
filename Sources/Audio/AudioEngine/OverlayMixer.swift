internal import CRealtime
internal import Synchronization

/// Below the real-time line: adds a chime or a prompt to what is about to be handed over, and
/// says how much of the music is left under it.
///
/// Bridges the ``OverlayLoop`` (floats in the device's rate and channels, and events where one
/// begins and ends) and the ``Renderer``, which calls it once a period. A raw pointer for the
/// reason that ``FrameRing`` gives.
struct OverlayMixer: @unchecked Sendable {
  /// A third of a second of 96 kHz stereo: prompts are small files, and one wake-up fills it.
  static let ringBytes = 1 << 18

  let ring = FrameRing(bytes: ringBytes)
  /// From the decode thread.
  let streamEvents = StreamEventRing()

  private struct Core: ~Copyable {
    /// Where the ring was read to when the device was set up anew and it was emptied.
    let lostFrom = Atomic<Int>(0)
    /// The overlay that sounds, if one does.
    var active = 0
    var isActive = false
    var level: Float = 0
    /// What is left of the music.
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

  // MARK: Output thread, above the line

  /// The device has other channels or another rate: nothing in the ring is for it. The decode
  /// thread is waiting for the device and begins again at ``lostFrom``.
  func configure(channels: Int) {
    core.pointee.lostFrom.store(ring.readPosition, ordering: .relaxed)
    ring.consume(ring.readable)
    while streamEvents.peek() != nil { streamEvents.drop() }
    // The music stays as low as it is: the overlay goes on.
    core.pointee.isActive = false
    ring.configure(channels: channels)
  }

  // MARK: Decode thread

  /// See ``configure(channels:)``; valid once the device is there again.
  var lostFrom: Int { core.pointee.lostFrom.load(ordering: .relaxed) }

  // MARK: Output thread, below the line

  /// The gain that the music should have.
  var musicGain: Float {
    @_noLocks get { core.pointee.musicGain }
  }

  /// Whether there is anything to do.
  var isBusy: Bool {
    @_noLocks get {
      if core.pointee.isActive { return true }
      return streamEvents.peek() != nil
    }
  }

  /// Adds what there is to `frames` frames, of which the first has the number `base`.
  ///
  /// - Parameters:
  ///   - target: linear gain.
  ///   - fadeStep: how far gain may move per frame.
  ///   - told: where to say what begins and ends.
  ///   - decodeWake: eventfd of the decode thread.
  @_noLocks func mix(
    into out: UnsafeMutableRawPointer, frames: Int, base: Int, channels: Int,
    device: DeviceSamples, frameBytes: Int, target: Float, fadeStep: Float, told: StreamEventRing,
    decodeWake: Int32
  ) {
    if !isBusy { return }
    let wasActive = core.pointee.isActive
    var offset = 0
    while offset < frames {
      let isTakenBack = ring.discardPosition > ring.readPosition
      if !core.pointee.isActive {
        if isTakenBack { drop(told) }
        guard let start = begin(base &+ offset, base &+ frames, told, target) else { break }
        offset = start &- base
      }
      guard let end = room(told) else { continue }
      var count = frames &- offset
      if end < count { count = end }
      let goal = isTakenBack ? 0 : target
      let added = add(
        to: out + offset &* frameBytes, count, channels, device, toward: goal, fadeStep)
      // Late from the decode thread: it goes on when it comes.
      if added == 0 { break }
      offset &+= added
      if isTakenBack, core.pointee.level == 0 { drop(told) }
    }
    if ring.takeWriterWish() { rt_signal(decodeWake) }
    // Its file may be closed.
    if wasActive, !core.pointee.isActive { rt_signal(decodeWake) }
  }

  /// Begins the next overlay if its time comes before `limit`; the number of its first frame,
  /// `now` at the earliest.
  @_noLocks private func begin(
    _ now: Int, _ limit: Int, _ told: StreamEventRing, _ target: Float
  ) -> Int? {
    while let event = streamEvents.peek() {
      if event.epoch < ring.discardEpoch {
        // Taken back before it began.
        if case .segment = event.kind {
          _ = told.stage(StreamEvent(telling: .overlayEnded, token: event.token))
        }
        streamEvents.drop()
        continue
      }
      guard case .segment = event.kind, event.frame < limit,
        told.stage(StreamEvent(telling: .overlayBegan, token: event.token))
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

  /// Frames of the active overlay from here; nil where it is over.
  @_noLocks private func room(_ told: StreamEventRing) -> Int? {
    guard let event = streamEvents.peek() else { return Int.max }
    let left = event.position &- ring.readPosition
    if left > 0 { return left }
    finish(told)
    // The beginning of the next one, which came too fast for the fade, stays.
    if case .end = event.kind { streamEvents.drop() }
    return nil
  }

  /// Adds up to `count` frames while gain goes straight; returns how many.
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

  /// Forgets what was taken back.
  @_noLocks private func drop(_ told: StreamEventRing) {
    let left = ring.discardPosition &- ring.readPosition
    if left > 0 { ring.consume(left) }
    if core.pointee.isActive { finish(told) }
    while let event = streamEvents.peek(), event.epoch < ring.discardEpoch {
      if case .segment = event.kind {
        _ = told.stage(StreamEvent(telling: .overlayEnded, token: event.token))
      }
      streamEvents.drop()
    }
  }

  @_noLocks private func finish(_ told: StreamEventRing) {
    // Where the control thread has not looked at 256 events it learns no more of this one.
    _ = told.stage(StreamEvent(telling: .overlayEnded, token: core.pointee.active))
    core.pointee.isActive = false
    core.pointee.level = 0
    core.pointee.musicGain = 1
  }
}
