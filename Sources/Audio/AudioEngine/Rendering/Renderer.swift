internal import AudioCodecs
internal import CRealtime
internal import Synchronization
internal import Threads

/// The real-time core: takes frames from the ring, applies gain and fades, and writes the frames in
/// the device's format.
///
/// The decode thread delivers frames and events. The sink takes frames. The control thread sends
/// its settings through atomics. The renderer never allocates, locks, logs, throws or counts
/// references. It never waits: silence replaces missing frames.
///
/// A device is filled in one of two ways. If its buffer cannot be changed, the sink hands over short
/// periods (``render(into:frames:pads:)``). If frames that were handed over can be taken back, the
/// sink fills a deep buffer and rewrites it when the sound changes (``nextStep(held:isFresh:)``).
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
  let xruns = Atomic<Int>(0)
  let starvedFrames = Atomic<Int>(0)
  let outputFrames = Atomic<Int>(0)
  let safeguardFrames = Atomic<Int>(0)
  /// Which frame is heard.
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

  /// - Parameter idleSeconds: after this time without audible content the sink must leave its loop,
  ///   so that the device can be closed.
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

  /// Makes the sink leave its loop permanently.
  func stop() {
    stopping.store(true, ordering: .releasing)
    _ = immediateEffect()
  }

  /// `immediateChanges` is incremented with release ordering after the change. So a thread that
  /// reads the new number also reads the change.
  private func immediateEffect() -> Effect {
    let number = immediateChanges.add(1, ordering: .releasing).newValue
    rt_signal(outputWake)
    return Effect(kind: .immediate, number: number)
  }

  /// Number of times that the device ran dry.
  public var xrunCount: Int { xruns.load(ordering: .relaxed) }

  /// Number of frames of silence that replaced frames that were not decoded in time.
  public var starvedFrameCount: Int { starvedFrames.load(ordering: .relaxed) }

  /// The number of the next frame that can still change, counted since the engine began, including
  /// silence.
  var outputFrameCount: Int { outputFrames.load(ordering: .relaxed) }
}
