internal import AudioCodecs
internal import CRealtime
internal import Synchronization
internal import Threads

/// The real-time core: takes frames from the ring, applies gain and fades, and writes the frames in the device's
/// format.
///
/// The decode thread delivers frames and events. The sink takes frames. The control thread sends its settings through
/// atomics. The renderer never allocates, locks, logs, throws or counts references. It never waits: silence replaces
/// missing frames.
///
/// A device is filled in one of two ways. If its buffer cannot be changed, the sink hands over short periods
/// (``render(into:frames:pads:)``). If frames that were handed over can be taken back (rewound), the sink fills a deep
/// buffer and rewrites it when the sound changes (``nextStep(held:isFresh:)``).
///
/// `render` and the functions that it calls run on the output thread. For the other members, the MARK comments name the
/// thread.
public final class Renderer: @unchecked Sendable {
  /// Duration in seconds of a change of the music's gain from 1 to 0 for an overlay. It is long enough to be heard as a
  /// fade, not as a cut.
  private static let duckSeconds: Float = 0.1
  /// Duration of a fade in seconds. It is short enough to seem immediate, and long enough not to click.
  static let fadeSeconds: Float = 0.005

  let ring: FrameRing
  /// Events from the decode thread, each with the frame from which it applies.
  let streamEvents: StreamEventRing
  /// The events that the output has reached, for the control thread.
  let reached: StreamEventRing
  /// The chimes and prompts over the music.
  let overlay: OverlayMixer
  /// Eventfd of the decode thread. Signalled if the ring has room.
  let decodeWake: Int32
  /// Eventfd of the control thread. Signalled if an event was reached.
  let controlWake: Int32
  /// Eventfd of the output thread. Signalled if the sound that was rendered ahead must change.
  public let outputWake: Int32
  let idleSeconds: Int

  // Written by the control thread. Only the latest value counts.
  let volume = Atomic<UInt32>(Float(1).bitPattern)
  let muted = Atomic<Bool>(false)
  let paused = Atomic<Bool>(false)
  let stopping = Atomic<Bool>(false)
  let command = Atomic<Int>(0)
  /// Counts the changes of the values above. It is incremented after each change.
  let immediateChanges = Atomic<Int>(0)

  // Written by the output thread, read by any thread.
  private let xruns = Atomic<Int>(0)
  private let starvedFrames = Atomic<Int>(0)
  let outputFrames = Atomic<Int>(0)
  let safeguardFrames = Atomic<Int>(0)
  let clock: PlaybackClock

  // Used by the output thread only. Set above the real-time line, between two runs of the sink.
  var rate = 0
  var layout = ChannelLayout.stereo
  var device = DeviceSamples.s16
  var channels = 2
  var frameBytes = 4
  var fadeStep: Float = 1
  /// Number of frames of a fade.
  var fadeFrames = 0
  var duckStep: Float = 1

  // Used by the output thread only.
  var state = RenderState()
  var reports = ReportQueue()
  var rewriting = Rewriting()

  /// - Parameter idleSeconds: after this time without audible content the sink must leave its loop, so that the device
  ///   can be closed.
  init(
    ring: FrameRing, streamEvents: StreamEventRing, reached: StreamEventRing, clock: PlaybackClock,
    overlay: OverlayMixer, decodeWake: WakeUp, controlWake: WakeUp, outputWake: WakeUp,
    idleSeconds: Int
  ) {
    self.idleSeconds = idleSeconds
    self.overlay = overlay
    self.clock = clock
    self.ring = ring
    self.streamEvents = streamEvents
    self.reached = reached
    self.decodeWake = decodeWake.descriptor
    self.controlWake = controlWake.descriptor
    self.outputWake = outputWake.descriptor
  }

  deinit {
    reports.deallocate()
    rewriting.history.deallocate()
  }

  // MARK: Control thread

  /// Sets the linear gain of the head unit's volume. 1 changes nothing.
  @discardableResult func setVolume(_ gain: Float) -> Effect {
    volume.store(gain.bitPattern, ordering: .relaxed)
    return immediateEffect()
  }

  /// If `value` is true, all sound is silent while playback continues.
  @discardableResult func setMuted(_ value: Bool) -> Effect {
    muted.store(value, ordering: .relaxed)
    return immediateEffect()
  }

  /// If `value` is true, the music fades out and is then silent. Otherwise it continues.
  @discardableResult func setPaused(_ value: Bool) -> Effect {
    paused.store(value, ordering: .relaxed)
    return immediateEffect()
  }

  /// Call this before a command is sent to the decode thread. The sound fades out at once, even if the decode thread is
  /// waiting for a slow stick. The music is then silent until the decode thread has discarded the frames in the ring.
  @discardableResult func expect(command number: Int) -> Effect {
    command.store(number, ordering: .relaxed)
    return immediateEffect()
  }

  /// Makes the sink leave its loop permanently.
  func stop() {
    stopping.store(true, ordering: .releasing)
    _ = immediateEffect()
  }

  /// `immediateChanges` is incremented with release ordering after the change. So a thread that reads the new number
  /// also reads the change.
  private func immediateEffect() -> Effect {
    let number = immediateChanges.add(1, ordering: .releasing).newValue
    rt_signal(outputWake)
    return Effect(kind: .immediate, number: number)
  }

  /// Number of times that the device ran dry.
  public var xrunCount: Int { xruns.load(ordering: .relaxed) }

  /// Number of frames of silence that replaced frames that were not decoded in time.
  public var starvedFrameCount: Int { starvedFrames.load(ordering: .relaxed) }

  /// The number of the next frame that can still change, counted since the engine began, including silence.
  var outputFrameCount: Int { outputFrames.load(ordering: .relaxed) }

  // MARK: The setup of the device: output thread, above the real-time line

  /// Takes the device's format. Called between two runs of the sink.
  func configure(_ format: DeviceFormat) {
    rate = format.sampleRate
    layout = format.layout
    channels = format.layout.count
    _ = resume(with: format)
    fadeStep = 1 / (Self.fadeSeconds * Float(format.sampleRate))
    fadeFrames = Int(Self.fadeSeconds * Float(format.sampleRate))
    duckStep = 1 / (Self.duckSeconds * Float(format.sampleRate))
    state.stream = .none
    state.onset = .begins
    state.content = DeviceContent()
    if let event = streamEvents.event(state.eventCount), event.kind == .reconfigure {
      state.eventCount += 1
    }
    overlay.configure(channels: channels, &state.overlay)
    release(before: state)
    ring.configure(channels: channels, keepsReserve: rewriting.isOn)
    clock.configure(sampleRate: format.sampleRate)
    // The device holds no frames. Publish this now, because a live input reads the clock before the device has played.
    clock.publish(position: state.position, pending: 0, now: rt_monotonic_ns())
  }

  /// Takes the format of the device that was opened after a device was lost. It can be another device. Returns false if
  /// the frames in the ring do not fit this format.
  func resume(with format: DeviceFormat) -> Bool {
    guard format.sampleRate == rate, format.layout == layout else { return false }
    device = format.samples
    frameBytes = format.frameBytes
    state.exit = .stays
    state.idleRun = 0
    // The frames in the device stay in the ring, because they can be rendered again. They use at most half of the ring.
    // The other half is for the decode thread.
    let limit = ring.capacity(channels: channels) / 2
    safeguardFrames.store(0, ordering: .relaxed)
    rewriting.configure(depth: min(format.rewritableFrames ?? 0, limit), margin: rate / 50)
    return true
  }

  /// Call this when the sink has left its loop. The device then holds only silence, which it drops when it is closed.
  /// So the output frames are counted from the last heard frame again. An overlay continues with its first frame that
  /// was not heard.
  func forgetSilence() {
    guard rewriting.isOn, rewriting.hasLeft else { return }
    let heard = rewriting.history.oldest(or: state)
    state.overlay = heard.overlay
    // Reports that were already passed on must not be added again.
    state.reports = max(heard.reports, reports.passed)
    state.output = heard.output
    rewriting.history.removeAll()
    rewriting.forgetFrames(after: state.output)
  }

  /// Call this while there is no device. Processes events up to the event that requests the device. Discarded frames
  /// are dropped without a fade. Returns false if the event has not arrived yet.
  func reachDeviceRequest() -> Bool {
    state.exit = .stays
    rewriting.hasLeft = true
    state.level = 0
    if !discard(after: 0) { processEvents(after: 0) }
    release(before: state)
    return needsDevice
  }

  /// True if the sink left its loop because the device must be set up again before the next frame.
  var needsDevice: Bool { state.needsDevice && (!rewriting.isOn || rewriting.hasLeft) }

  /// Call this when the device has played all frames and is closed, before it is set up again. Nothing is heard from
  /// this moment on.
  func beginChangeover() { state.changeoverBegan = state.isPlaying ? rt_monotonic_ns() : 0 }

  /// True if the sink left its loop because there was no audible content for a long time.
  var mustRest: Bool {
    guard case .rests = state.exit else { return false }
    return !rewriting.isOn || rewriting.hasLeft
  }

  /// True if the renderer has something to do, so that the output must not rest. If this is false, the decode thread or
  /// a command wakes the output thread later.
  func hasWork() -> Bool {
    if overlay.isBusy(state.overlay) { return true }
    if hasDueEvent { return true }
    if ring.discardPosition > state.position { return true }
    return !isHeld && !ring.waitForFrames(from: state.position)
  }

  /// For a sink without a clock: blocks until the decode thread has frames. `wake` is the sink's
  /// ``AudioSink/dataWake``; the engine also signals it after a pause, and when the stream ends.
  func waitForFrames(_ wake: WakeUp) {
    if isHeld || ring.waitForFrames(from: state.position) { wake.wait() }
  }

  // MARK: Reports: output thread, below the real-time line

  /// Adds a report for the frame that comes after `done` frames of this rendering.
  @_noLocks func report(_ event: StreamEvent, after done: Int) {
    reports.add(event, at: state.output &+ done, count: &state.reports)
  }

  /// Call this before frames are rendered, with the count of immediate changes. If the control thread has changed
  /// something since the last rendering, the next frame is the first frame of this effect.
  @_noLocks func noteImmediateEffect(_ number: Int) {
    guard state.effects.begin(immediate: number) else { return }
    reportEffect(.immediateEffect, number, after: 0)
  }

  /// If `isStarved` has changed, reports that silence for late frames begins or ends with the next frame.
  @_noLocks func noteStarved(_ isStarved: Bool) {
    if isStarved == state.isStarved { return }
    state.isStarved = isStarved
    let kind = isStarved ? StreamEvent.Kind.starved : .starvationEnded
    report(StreamEvent(reporting: kind, token: Int(rt_monotonic_ns())), after: 0)
  }

  @_noLocks func reportEffect(_ kind: StreamEvent.Kind, _ number: Int, after done: Int) {
    var event = StreamEvent(reporting: kind, token: number)
    event.position = Int(rt_monotonic_ns())
    report(event, after: done)
  }

  /// The sink calls this after each period. `deviceDelay` is the number of frames that were handed over and that the
  /// device has not played yet.
  @_noLocks public func handedOver(deviceDelay: Int) {
    let now = rt_monotonic_ns()
    outputFrames.store(state.output, ordering: .relaxed)
    clock.publish(liveUnderruns: state.liveUnderruns)
    clock.publish(
      position: state.position, pending: state.content.pending(deviceDelay: deviceDelay),
      delay: deviceDelay, now: now)
    passReports(until: state.output, played: state.output &- deviceDelay, now: now)
  }

  /// Passes the reports whose frame is at or before the output frame `limit` to the control thread. `played` is the
  /// output frame that is heard at the time `now`.
  @_noLocks func passReports(until limit: Int, played: Int, now: Int64) {
    starvedFrames.store(state.starvedFrames, ordering: .relaxed)
    while let report = reports.first(of: state.reports), report.frame <= limit {
      // If there is no room, the next call tries again.
      guard reached.stage(timed(report, played: played, now: now)) else { break }
      reports.removeFirst()
    }
    // The clock was published before the events, because the receiver of a segment event computes times from the clock.
    if reached.commit() { rt_signal(controlWake) }
  }

  /// The event of `report`. If the event contains a time, sets this time for the frame of the report.
  @_noLocks private func timed(
    _ report: ReportQueue.Report, played: Int, now: Int64
  ) -> StreamEvent {
    var event = report.event
    let heard = now &+ Int64(report.frame &- played) &* 1_000_000_000 / Int64(rate)
    switch event.kind {
    case .immediateEffect, .decodedEffect:
      // If the device is filled by periods, the frame is handed over now.
      if !rewriting.isOn { event.position = Int(now) }
      event.frame = Int(!rewriting.isOn && heard < now ? now : heard)
    case .changeover:
      let end = !rewriting.isOn && heard < now ? now : heard
      event.token = Int(end) &- event.token
    case .segment, .end, .reconfigure, .overlayBegan, .overlayEnded, .xrun, .starved,
      .starvationEnded:
      break
    }
    return event
  }

  /// Counts an xrun of the device.
  @_noLocks public func countXrun() {
    xruns.add(1, ordering: .relaxed)
    // If there is no room for this event, it is lost. The value of `xruns` is right in any case.
    _ = reached.stage(StreamEvent(reporting: .xrun, token: Int(rt_monotonic_ns())))
  }
}
