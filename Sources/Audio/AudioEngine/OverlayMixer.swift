internal import CRealtime
internal import Synchronization

/// Adds a chime or a prompt to the frames before they are handed over, and determines the gain of the music during the
/// chime or prompt.
///
/// The ``OverlayLoop`` writes floats in the device's rate and channels, and events at which an overlay begins and ends.
/// The ``Renderer`` calls `mix` once per rendering, below the real-time line. The type contains a raw pointer for the
/// reason that ``FrameRing`` gives.
struct OverlayMixer: @unchecked Sendable {
  /// Memory for a third of a second of 96 kHz stereo. The decode thread fills the ring in one wake-up, because prompts
  /// are small files.
  static let ringBytes = 1 << 18

  /// The values that mixing changes. They are a part of ``RenderState``.
  struct State {
    /// Ring position of the next frame to mix.
    var position = 0
    /// Number of stream events that were processed.
    var eventCount = 0
    /// The identity of the overlay that sounds. It is valid only while `isActive` is true.
    var active = 0
    var isActive = false
    var level: Float = 0
    /// Linear gain of the music under the overlay.
    var musicGain: Float = 1
  }

  /// Most units play no overlay, so the ring gets its memory only when the first overlay is written.
  let ring = FrameRing(bytes: ringBytes, isInMemory: false)
  /// Events from the decode thread.
  let streamEvents = StreamEventRing()

  private struct Core: ~Copyable {
    /// The position of the next frame at the moment when the last device setup emptied the ring.
    let lostFrom = Atomic<Int>(0)
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

  /// Call this when the device is set up again. Drops the frames in the ring, because the device can have other
  /// channels or another rate. The decode thread waits for the device, and continues the overlay with the frame that
  /// was at ``lostFrom``.
  func configure(channels: Int, _ state: inout State) {
    core.pointee.lostFrom.store(state.position, ordering: .relaxed)
    state.position += ring.readable(from: state.position)
    while streamEvents.event(state.eventCount) != nil { state.eventCount += 1 }
    // The music stays at its lower gain, because the overlay continues.
    state.isActive = false
    _ = release(before: state)
    ring.configure(channels: channels)
  }

  // MARK: Decode thread

  /// The position at which ``configure(channels:_:)`` dropped the frames. Valid after the device is set up again.
  var lostFrom: Int { core.pointee.lostFrom.load(ordering: .relaxed) }

  // MARK: Output thread, below the real-time line

  /// Releases the frames and events before `state`. Returns true if the decode thread must be woken.
  @_noLocks func release(before state: State) -> Bool {
    ring.release(before: state.position)
    let hasRoom = streamEvents.release(before: state.eventCount)
    return ring.takeWriterWakeRequest() ? true : hasRoom
  }

  /// True if an overlay sounds or an event is waiting.
  @_noLocks func isBusy(_ state: State) -> Bool {
    state.isActive ? true : streamEvents.event(state.eventCount) != nil
  }

  /// The frames to which overlays are added.
  struct Output {
    /// The frames in the device's format.
    let frames: UnsafeMutableRawPointer
    let count: Int
    /// The number of the first frame, counted since the engine began.
    let base: Int
    let channels: Int
    let samples: DeviceSamples
    let frameBytes: Int
    /// Linear gain of the overlays.
    let target: Float
    /// The largest change of the gain per frame.
    let fadeStep: Float

    @_noLocks init(
      _ frames: UnsafeMutableRawPointer, count: Int, base: Int, channels: Int,
      samples: DeviceSamples, frameBytes: Int, target: Float, fadeStep: Float
    ) {
      self.frames = frames
      self.count = count
      self.base = base
      self.channels = channels
      self.samples = samples
      self.frameBytes = frameBytes
      self.target = target
      self.fadeStep = fadeStep
    }
  }

  /// Adds overlays to the frames of `output`. Reports the begin and the end of each overlay to `reports`.
  @_noLocks func mix(
    into output: Output, _ state: inout State, _ reports: ReportQueue, reportCount: inout Int
  ) {
    if !isBusy(state) { return }
    var offset = 0
    while offset < output.count {
      let now = output.base &+ offset
      let isDiscarded = ring.discardPosition > state.position
      if !state.isActive {
        if isDiscarded { drop(&state, now, reports, &reportCount) }
        guard let start = begin(&state, now, output, reports, &reportCount) else { break }
        offset = start &- output.base
      }
      guard let end = room(&state, output.base &+ offset, reports, &reportCount) else { continue }
      var count = output.count &- offset
      if end < count { count = end }
      let added = add(
        to: output, from: offset, count, toward: isDiscarded ? 0 : output.target, &state)
      // If no frame was added, the decode thread is late. The overlay continues when its frames arrive.
      if added == 0 { break }
      offset &+= added
      if isDiscarded, state.level == 0 {
        drop(&state, output.base &+ offset, reports, &reportCount)
      }
    }
  }

  /// Starts the next overlay if its first frame is one of the frames of `output`. Returns the number of this first
  /// frame, which is at least `now`. Returns nil if no overlay was started.
  @_noLocks private func begin(
    _ state: inout State, _ now: Int, _ output: Output, _ reports: ReportQueue,
    _ reportCount: inout Int
  ) -> Int? {
    while let event = streamEvents.event(state.eventCount) {
      if event.epoch < ring.discardEpoch {
        dropEvent(event, &state, now, reports, &reportCount)
        continue
      }
      guard case .segment = event.kind, event.frame < output.base &+ output.count else { break }
      let start = now > event.frame ? now : event.frame
      reports.add(
        StreamEvent(reporting: .overlayBegan, token: event.token), at: start, count: &reportCount)
      state.eventCount &+= 1
      state.active = event.token
      state.isActive = true
      state.musicGain = event.gain
      state.level = output.target
      return start
    }
    state.musicGain = 1
    return nil
  }

  /// Removes an event of an overlay that was stopped before it began.
  @_noLocks private func dropEvent(
    _ event: StreamEvent, _ state: inout State, _ now: Int, _ reports: ReportQueue,
    _ reportCount: inout Int
  ) {
    if case .segment = event.kind {
      reports.add(
        StreamEvent(reporting: .overlayEnded, token: event.token), at: now, count: &reportCount)
    }
    state.eventCount &+= 1
  }

  /// Number of frames up to the end of the active overlay; `Int.max` if the end is not known yet. At the end, finishes
  /// the overlay and returns nil.
  @_noLocks private func room(
    _ state: inout State, _ now: Int, _ reports: ReportQueue, _ reportCount: inout Int
  ) -> Int? {
    guard let event = streamEvents.event(state.eventCount) else { return Int.max }
    let left = event.position &- state.position
    if left > 0 { return left }
    finish(&state, now, reports, &reportCount)
    // An event that begins the next overlay stays in the ring. Such an event can arrive before the fade of the active
    // overlay has ended.
    if case .end = event.kind { state.eventCount &+= 1 }
    return nil
  }

  /// Adds up to `count` frames while the gain changes linearly. Returns the number of added frames.
  @_noLocks private func add(
    to output: Output, from offset: Int, _ count: Int, toward target: Float, _ state: inout State
  ) -> Int {
    let (input, available) = ring.frames(at: state.position, limit: count)
    if available <= 0 { return 0 }
    var frames = available
    let ramp = GainRamp.toward(
      target, from: &state.level, in: &frames, fadeStep: output.fadeStep)
    addFloats(
      input.assumingMemoryBound(to: Float.self), output.frames + offset &* output.frameBytes,
      frames,
      output.channels, output.samples, ramp)
    state.position &+= frames
    return frames
  }

  /// Drops the frames and events that the decode thread has discarded.
  @_noLocks private func drop(
    _ state: inout State, _ now: Int, _ reports: ReportQueue, _ reportCount: inout Int
  ) {
    let discarded = ring.discardPosition
    if discarded > state.position { state.position = discarded }
    if state.isActive { finish(&state, now, reports, &reportCount) }
    while let event = streamEvents.event(state.eventCount), event.epoch < ring.discardEpoch {
      dropEvent(event, &state, now, reports, &reportCount)
    }
  }

  @_noLocks private func finish(
    _ state: inout State, _ now: Int, _ reports: ReportQueue, _ reportCount: inout Int
  ) {
    reports.add(
      StreamEvent(reporting: .overlayEnded, token: state.active), at: now, count: &reportCount)
    state.isActive = false
    state.level = 0
    state.musicGain = 1
  }
}
