internal import AudioCodecs
internal import CRealtime
internal import Synchronization
internal import Threads

/// The real-time core: takes frames from the ring, applies gain and fades, and writes the frames in
/// the device's format.
///
/// The decode thread delivers frames and events. The sink takes periods. The control thread sends
/// its settings through atomics. The renderer never allocates, locks, logs, throws or counts
/// references. It never waits: silence replaces missing frames.
///
/// `render` and the functions that it calls run on the output thread. For the other members, the
/// MARK comments name the thread.
public final class Renderer: @unchecked Sendable {
  /// Duration in seconds of a change of the music's gain from 1 to 0 for an overlay. It is long
  /// enough to be heard as a fade, not as a cut.
  static let duckSeconds: Float = 0.1
  /// Duration of a fade in seconds. It is short enough to seem immediate, and long enough not to
  /// click.
  static let fadeSeconds: Float = 0.005

  /// Why the sink must leave its loop.
  enum Exit {
    case stays
    /// The device must be set up again before the next frame.
    case needsDevice
    /// There was no audible content for a long time.
    case rests
  }

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
  let xruns = Atomic<Int>(0)
  let starvedFrames = Atomic<Int>(0)
  /// Which frame is heard.
  let clock: PlaybackClock

  // Used by the output thread only. Set above the real-time line, between two runs of the sink.
  var rate = 0
  private var layout = ChannelLayout.stereo
  var device = DeviceSamples.s16
  var channels = 2
  var frameBytes = 4
  var fadeStep: Float = 1
  var duckStep: Float = 1
  var exit = Exit.stays

  // Used by the output thread only.
  var state = RenderState()
  /// True if silence replaced late frames in the current period.
  var isStarved = false
  /// The value of ``isStarved`` that was reported last.
  var reportedStarved = false
  /// The newest event for which `reached` had no room.
  var unreported: StreamEvent?
  var effects = EffectTracker()
  /// Number of frames that were handed over since the engine began, including silence.
  let outputFrames = Atomic<Int>(0)
  /// Number of frames since the last audible content.
  var idleRun = 0
  /// The time at which the last frame in the previous device format was heard. 0 if no changeover
  /// is measured.
  var changeoverBegan: Int64 = 0

  /// - Parameter idleSeconds: after this time without audible content the sink must leave its loop,
  ///   so that the device can be closed.
  init(
    ring: FrameRing, streamEvents: StreamEventRing, reached: StreamEventRing, clock: PlaybackClock,
    overlay: OverlayMixer, decodeWake: WakeUp, controlWake: WakeUp, idleSeconds: Int
  ) {
    self.idleSeconds = idleSeconds
    self.overlay = overlay
    self.clock = clock
    self.ring = ring
    self.streamEvents = streamEvents
    self.reached = reached
    self.decodeWake = decodeWake.descriptor
    self.controlWake = controlWake.descriptor
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

  /// If `value` is true, fades out and holds the output. Otherwise continues.
  @discardableResult func setPaused(_ value: Bool) -> Effect {
    paused.store(value, ordering: .relaxed)
    return immediateEffect()
  }

  /// Call this before a command is sent to the decode thread, which may be waiting for a slow
  /// stick. The sound fades out at once. The output is then held until the decode thread has
  /// discarded the frames in the ring.
  @discardableResult func expect(command number: Int) -> Effect {
    command.store(number, ordering: .relaxed)
    return immediateEffect()
  }

  /// `immediateChanges` is incremented with release ordering after the change. So a thread that
  /// reads the new number also reads the change.
  private func immediateEffect() -> Effect {
    Effect(kind: .immediate, number: immediateChanges.add(1, ordering: .releasing).newValue)
  }

  /// Makes the sink leave its loop permanently.
  func stop() { stopping.store(true, ordering: .releasing) }

  /// Number of times that the device ran dry.
  public var xrunCount: Int { xruns.load(ordering: .relaxed) }

  /// Number of frames of silence that replaced frames that were not decoded in time.
  public var starvedFrameCount: Int { starvedFrames.load(ordering: .relaxed) }

  /// Number of frames that were handed over since the engine began, including silence.
  var outputFrameCount: Int { outputFrames.load(ordering: .relaxed) }

  // MARK: Output thread, above the real-time line

  /// Takes the device's format. Called between two runs of the sink.
  func configure(_ format: DeviceFormat) {
    rate = format.sampleRate
    layout = format.layout
    channels = format.layout.count
    _ = resume(with: format)
    fadeStep = 1 / (Self.fadeSeconds * Float(format.sampleRate))
    duckStep = 1 / (Self.duckSeconds * Float(format.sampleRate))
    exit = .stays
    state.stream = .none
    state.onset = .begins
    state.content = DeviceContent()
    ring.configure(channels: channels)
    overlay.configure(channels: channels)
    clock.configure(sampleRate: format.sampleRate)
    if let event = streamEvents.peek(), event.kind == .reconfigure { streamEvents.drop() }
  }

  /// Takes the format of the device that was opened after a device was lost. It may be another
  /// device. Returns false if the frames in the ring do not fit this format.
  func resume(with format: DeviceFormat) -> Bool {
    guard format.sampleRate == rate, format.layout == layout else { return false }
    device = format.samples
    frameBytes = format.frameBytes
    if mustRest { exit = .stays }
    idleRun = 0
    return true
  }

  /// Call this while there is no device. Processes events up to the event that requests the device.
  /// Discarded frames are dropped without a fade. Returns false if the event has not arrived yet.
  func reachDeviceRequest() -> Bool {
    exit = .stays
    state.level = 0
    if !discard(after: 0) { processEvents() }
    return needsDevice
  }

  /// True if the sink left its loop because the device must be set up again before the next frame.
  var needsDevice: Bool {
    @_noLocks get { if case .needsDevice = exit { true } else { false } }
  }

  /// Call this when the device has played all frames and is closed, before it is set up again.
  /// Nothing is heard from this moment on.
  func beginChangeover() { changeoverBegan = state.isPlaying ? rt_monotonic_ns() : 0 }

  /// True if the sink left its loop because there was no audible content for a long time.
  var mustRest: Bool { if case .rests = exit { true } else { false } }

  /// True if the renderer has something to do, so that the output must not rest. If this is false,
  /// the decode thread or a command wakes the output thread later.
  func hasWork() -> Bool {
    if overlay.isBusy { return true }
    if let event = streamEvents.peek(), event.position <= ring.readPosition { return true }
    if ring.discardPosition > ring.readPosition { return true }
    return !isHeld && !ring.waitForFrames()
  }

  /// For a sink without a clock: blocks until the decode thread has frames. `wake` is the sink's
  /// ``AudioSink/dataWake``; the engine also signals it after a pause, and when the stream ends.
  func waitForFrames(_ wake: WakeUp) {
    if isHeld || ring.waitForFrames() { wake.wait() }
  }
}
