internal import AudioCodecs
internal import CRealtime
internal import Synchronization
internal import Threads

/// The real-time core: takes frames from the ring, applies gain and fades, and writes the device's
/// format.
///
/// The decode thread delivers frames and events, the sink takes periods, and the control thread
/// sends its settings through atomics. The renderer never allocates, locks, logs, throws or counts
/// references, and it never waits: missing frames are silence.
///
/// `render` and the functions that it calls run on the output thread; each other member says which
/// thread calls it.
public final class Renderer: @unchecked Sendable {
  /// Seconds until the music has its gain under an overlay. This is long enough to be heard as a
  /// fade, not as a cut.
  static let duckSeconds: Float = 0.1
  /// Duration of a fade in seconds. It is short enough to seem immediate, and long enough not to
  /// click.
  static let fadeSeconds: Float = 0.005

  let ring: FrameRing
  /// From the decode thread: events, each with the frame from which it holds.
  let streamEvents: StreamEventRing
  /// To the control thread: events that the output has reached.
  let reached: StreamEventRing
  /// The chimes and prompts over the music.
  let overlay: OverlayMixer
  /// Eventfd of the decode thread. Signalled if the ring has room.
  private let decodeWake: Int32
  /// Eventfd of the control thread. Signalled if an event was reached.
  private let controlWake: Int32
  private let idleSeconds: Int

  // Written by the control thread. Only the latest value counts.
  private let volume = Atomic<UInt32>(Float(1).bitPattern)
  private let muted = Atomic<Bool>(false)
  private let paused = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)
  private let command = Atomic<Int>(0)
  /// Counts the changes of the values above; incremented after each change.
  private let immediateChanges = Atomic<Int>(0)

  // Written by the output thread, read by any thread.
  private let xruns = Atomic<Int>(0)
  private let starvedFrames = Atomic<Int>(0)
  /// Which frame is heard.
  let clock: PlaybackClock

  // Used by the output thread only. Set above the real-time line, between two runs of the sink.
  private var rate = 0
  private var layout = ChannelLayout.stereo
  private var device = DeviceSamples.s16
  private var channels = 2
  private var frameBytes = 4
  private var fadeStep: Float = 1
  private var duckStep: Float = 1
  private var leaves = false
  private var rests = false

  // Used by the output thread only.
  private var source = SourceSamples()
  private var trackGain: Float = 1
  private var level: Float = 0
  private var hasSegment = false
  private var isEnded = true
  /// True until the first frame after silence was rendered.
  private var isBeginning = true
  /// Silence replaced late frames: in the current period, and as last reported.
  private var isStarved = false
  private var reportedStarved = false
  /// The newest event that found no room in `reached`.
  private var unreported: StreamEvent?
  /// True if frames were dropped and no frame was rendered since. In that case the next frames fade
  /// in.
  private var fadesIn = false
  private var dither = Dither()
  private var effects = EffectTracker()
  /// Content frames since the last silence, and the length of that silence. With both, the content
  /// frames in the device are counted.
  private var contentRun = 0
  private var silenceRun = 0
  /// Content frames since frames were last dropped. Older content in the device does not count.
  private var contentSinceDrop = 0
  /// Number of frames that were handed over since the engine began, including silence.
  private let outputFrames = Atomic<Int>(0)
  /// Current gain of the music on its way to the gain that the overlay requests.
  private var musicGain: Float = 1
  /// Number of frames since the last audible content.
  private var idleRun = 0
  /// The time at which the last frame in the previous device format was heard. 0 after the first
  /// frame in the new format was handed over.
  private var changeoverBegan: Int64 = 0

  /// - Parameter idleSeconds: after this time without audible content the sink must leave, so that
  ///   the device can be closed.
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

  /// Linear gain of the head unit's volume; 1 changes nothing.
  @discardableResult func setVolume(_ gain: Float) -> Effect {
    volume.store(gain.bitPattern, ordering: .relaxed)
    return immediateEffect()
  }

  /// True silences all sound while playback continues.
  @discardableResult func setMuted(_ value: Bool) -> Effect {
    muted.store(value, ordering: .relaxed)
    return immediateEffect()
  }

  /// True fades out and holds the output; false continues.
  @discardableResult func setPaused(_ value: Bool) -> Effect {
    paused.store(value, ordering: .relaxed)
    return immediateEffect()
  }

  /// A command is on its way to the decode thread, which may be waiting for a slow stick. The sound
  /// fades out now and is held until the decode thread has discarded the frames in the ring.
  @discardableResult func expect(command number: Int) -> Effect {
    command.store(number, ordering: .relaxed)
    return immediateEffect()
  }

  /// Incremented with release ordering after the change: a reader of the number sees the change.
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

  /// Sets the device's format, between two runs of the sink.
  func configure(_ format: DeviceFormat) {
    rate = format.sampleRate
    layout = format.layout
    channels = format.layout.count
    _ = resume(with: format)
    fadeStep = 1 / (Self.fadeSeconds * Float(format.sampleRate))
    duckStep = 1 / (Self.duckSeconds * Float(format.sampleRate))
    leaves = false
    // Silence until the first segment does not count as starved, and that segment needs no fade.
    hasSegment = false
    fadesIn = false
    contentRun = 0
    contentSinceDrop = 0
    silenceRun = Int.max / 2
    ring.configure(channels: channels)
    overlay.configure(channels: channels)
    clock.configure(sampleRate: format.sampleRate)
    if let event = streamEvents.peek(), event.kind == .reconfigure { streamEvents.drop() }
  }

  /// Takes the format of the device that was opened after a device was lost. It may be another
  /// device. False if the frames in the ring do not fit this format.
  func resume(with format: DeviceFormat) -> Bool {
    guard format.sampleRate == rate, format.layout == layout else { return false }
    device = format.samples
    frameBytes = format.frameBytes
    rests = false
    idleRun = 0
    return true
  }

  /// Processes events up to the one that requests the device, while there is no device. Discarded
  /// frames are dropped without a fade. False if that event has not arrived yet.
  func reachDeviceRequest() -> Bool {
    leaves = false
    level = 0
    if !discard(after: 0) { processEvents() }
    return leaves
  }

  /// True if the sink left because the device must be set up again before the next frame.
  var needsDevice: Bool { leaves }

  /// The device has played all frames and is closed, to be set up again. Nothing is heard from now
  /// on.
  func beginChangeover() { changeoverBegan = hasSegment && !isEnded ? rt_monotonic_ns() : 0 }

  /// True if the sink left because nothing was to be heard for a long time.
  var mustRest: Bool { rests }

  /// Call before the output rests. True if there is work already. If there is no work, the decode
  /// thread or a command signals when there is some.
  func hasWork() -> Bool {
    if overlay.isBusy { return true }
    if let event = streamEvents.peek(), event.position <= ring.readPosition { return true }
    if ring.discardPosition > ring.readPosition { return true }
    return !isHeld && !ring.waitForFrames()
  }

  /// Blocks until the decode thread has frames: for a sink without a clock to wait for. `wake` is
  /// the sink's ``AudioSink/dataWake``; the engine also signals it for a pause or an end.
  func waitForFrames(_ wake: WakeUp) {
    if isHeld || ring.waitForFrames() { wake.wait() }
  }

  // MARK: Output thread, below the real-time line

  /// True if the sink must leave its loop: the device's format changes, or it rests, or the engine
  /// stops.
  public var mustLeave: Bool {
    // No `||` below the real-time line: in debug builds its right side is a closure that retains
    // self.
    @_noLocks get {
      if leaves { return true }
      return rests ? true : stopping.load(ordering: .relaxed)
    }
  }

  /// True if the sink must leave now, even if the device still holds frames.
  public var mustStop: Bool {
    @_noLocks get { stopping.load(ordering: .relaxed) }
  }

  /// Fills `out` with `frames` frames in the device's format.
  ///
  /// - Parameter pads: true fills up with silence, as a running device needs it; false writes only
  ///   the available frames, for a file.
  /// - Returns: frames written. Fewer than `frames` only if `pads` is false or ``mustLeave`` is
  ///   true.
  @_noLocks public func render(into out: UnsafeMutableRawPointer, frames: Int, pads: Bool) -> Int {
    effects.willRender(immediate: immediateChanges.load(ordering: .acquiring))
    isStarved = false
    var done = renderContent(into: out, frames: frames)
    if done < frames, pads, !leaves {
      pad(out + done &* frameBytes, frames &- done)
      if done > 0 { idleRun = 0 } else { countIdle(frames) }
      done = frames
    } else if done > 0 {
      idleRun = 0
    }
    if isStarved != reportedStarved { reportStarved() }
    let base = outputFrames.load(ordering: .relaxed)
    overlay.mix(
      into: out, frames: done, base: base, channels: channels, device: device,
      frameBytes: frameBytes, target: masterGain, fadeStep: fadeStep, reached: reached,
      decodeWake: decodeWake)
    outputFrames.store(base &+ done, ordering: .relaxed)
    effects.rendered(done)
    return done
  }

  /// The head unit's volume, which applies to all sound.
  private var masterGain: Float {
    @_noLocks get {
      muted.load(ordering: .relaxed) ? 0 : Float(bitPattern: volume.load(ordering: .relaxed))
    }
  }

  /// Renders available frames from the ring, up to `frames`.
  @_noLocks private func renderContent(into out: UnsafeMutableRawPointer, frames: Int) -> Int {
    var done = 0
    while done < frames {
      // Count the frames before looking at the events: the decode thread writes an event before its
      // frames, so each frame that is counted here has its event in the ring.
      let available = ring.readable
      if !discard(after: done) { processEvents() }
      if leaves { break }
      if level == 0, isHeld { break }
      var limit = frames &- done
      if available < limit { limit = available }
      if let event = streamEvents.peek() {
        let ahead = event.position &- ring.readPosition
        if ahead < limit { limit = ahead }
      }
      let (input, count) = ring.peek(limit)
      if count <= 0 { break }
      let converted = convert(input, out + done &* frameBytes, count)
      ring.consume(converted)
      fadesIn = false
      isBeginning = false
      effects.contentRendered(after: done)
      done &+= converted
    }
    if done > 0 {
      contentRun &+= done
      contentSinceDrop &+= done
      if ring.takeWriterWakeRequest() { rt_signal(decodeWake) }
    }
    return done
  }

  /// Fills up with silence.
  @_noLocks private func pad(_ out: UnsafeMutableRawPointer, _ frames: Int) {
    rt_zero(out, frames &* frameBytes)
    // A track is not late before its first frame: the device is ready before the decoder is.
    if hasSegment, !isEnded, !isHeld, !isBeginning {
      starvedFrames.add(frames, ordering: .relaxed)
      isStarved = true
      // What follows a gap fades in, because it would click otherwise.
      level = 0
    }
    // A pause does not count as time that the device needed.
    if isHeld { changeoverBegan = 0 }
    // Silence after content starts a new gap.
    silenceRun = contentRun > 0 ? frames : silenceRun &+ frames
    contentRun = 0
    // The music is not heard now, so its gain jumps to the target.
    musicGain = overlay.musicGain
  }

  /// If there is no room, the next period tries again.
  @_noLocks private func reportStarved() {
    let kind = isStarved ? StreamEvent.Kind.starved : .starvationEnded
    if reached.stage(StreamEvent(reporting: kind, token: Int(rt_monotonic_ns()))) {
      reportedStarved = isStarved
    }
  }

  @_noLocks private func countIdle(_ frames: Int) {
    if overlay.isBusy {
      idleRun = 0
      return
    }
    idleRun &+= frames
    // While a track is late the output does not rest.
    let isWaiting = isHeld ? true : (hasSegment ? isEnded : true)
    if isWaiting, idleRun > idleSeconds &* rate { rests = true }
  }

  /// Reports how many frames that were handed over the device has not played yet. The sink calls
  /// this after each period.
  @_noLocks public func handedOver(deviceDelay: Int) {
    // Content still to be heard: content after the last gap, and content before it.
    var pending = deviceDelay < contentRun ? deviceDelay : contentRun
    let older = deviceDelay &- contentRun &- silenceRun
    if older > 0 { pending &+= older }
    if pending > contentSinceDrop { pending = contentSinceDrop }
    if pending < 0 { pending = 0 }
    let now = rt_monotonic_ns()
    clock.publish(position: ring.readPosition, pending: pending, now: now)
    if changeoverBegan != 0, contentRun > 0 { endChangeover(now, deviceDelay) }
    effects.report(reached, now: now, deviceDelay: deviceDelay, rate: rate)
    if let event = unreported, reached.stage(event) { unreported = nil }
    // Publish the clock first: the receiver of a segment event must find its time there.
    if reached.commit() { rt_signal(controlWake) }
  }

  /// The first frames in the device's new format were handed over. They are heard after the frames
  /// that the device holds before them.
  @_noLocks private func endChangeover(_ now: Int64, _ deviceDelay: Int) {
    var before = deviceDelay &- contentRun
    if before < 0 { before = 0 }
    let heard = now &+ Int64(before) &* 1_000_000_000 / Int64(rate)
    _ = reached.stage(StreamEvent(reporting: .changeover, token: Int(heard &- changeoverBegan)))
    changeoverBegan = 0
  }

  /// Counts an xrun of the device.
  @_noLocks public func countXrun() {
    xruns.add(1, ordering: .relaxed)
    // If there is no room, the device runs dry all the time, and that is reported already.
    _ = reached.stage(StreamEvent(reporting: .xrun, token: Int(rt_monotonic_ns())))
  }

  /// True if the output is held: paused, or about to drop frames in the ring.
  private var isHeld: Bool {
    @_noLocks get {
      if paused.load(ordering: .relaxed) { return true }
      if command.load(ordering: .relaxed) > ring.command { return true }
      return ring.discardPosition > ring.readPosition
    }
  }

  /// Drops the frames that the decode thread discarded, after they have faded out. `done` frames of
  /// this period come from the old place. Returns true if frames were dropped.
  @_noLocks private func discard(after done: Int) -> Bool {
    let position = ring.discardPosition
    let waiting = position &- ring.readPosition
    if waiting <= 0 { return false }
    if level > 0, ring.readable > 0, hasSegment { return false }
    ring.consume(waiting)
    level = 0
    fadesIn = true
    isBeginning = true
    if ring.takeWriterWakeRequest() { rt_signal(decodeWake) }
    // The frames in the device are of the old place and do not count. `render` adds the whole
    // period to the counts, so subtract its `done` old frames here.
    contentRun = 0 &- done
    contentSinceDrop = 0 &- done
    silenceRun = Int.max / 2
    processEvents()
    return true
  }

  /// Acts on the events at or before the next frame.
  @_noLocks private func processEvents() {
    while let event = streamEvents.peek() {
      // A void segment event still says how the frames are coded that fade out.
      let isVoid = event.epoch < ring.discardEpoch
      if event.position > ring.readPosition {
        // The event belongs to frames that were discarded with their resampler. They never arrive.
        guard isVoid, ring.discardPosition <= ring.readPosition else { return }
        streamEvents.drop()
        continue
      }
      switch event.kind {
      case .segment:
        // A start after silence begins at its full level; each other change is a ramp.
        source = event.source
        trackGain = event.gain
        let isFirst = isEnded ? true : !hasSegment
        if isFirst { isBeginning = true }
        if isFirst, !fadesIn, !isHeld {
          level = trackGain * masterGain * musicGain
        }
        hasSegment = true
        isEnded = false
        if !isVoid { effects.segmentBegins(command: event.command) }
      case .end:
        if !isVoid { isEnded = true }
      case .overlayBegan, .overlayEnded, .xrun, .starved, .starvationEnded, .changeover,
        .immediateEffect, .decodedEffect:
        break
      case .reconfigure:
        if !isVoid {
          // The event stays until the device has its new format.
          leaves = true
          return
        }
      }
      // If the control thread has left 256 events unread, it gets only the newest of the further
      // events, later. Playback continues.
      if !isVoid {
        var reachedEvent = event
        reachedEvent.position = ring.readPosition
        if unreported != nil {
          unreported = reachedEvent
        } else if !reached.stage(reachedEvent) {
          unreported = reachedEvent
        }
      }
      streamEvents.drop()
      // The decode thread may be waiting for room for events. Events are rare, so signal without a
      // check.
      rt_signal(decodeWake)
    }
  }

  /// The gain that is due `frames` frames from now. Advances the ducking of the music.
  @_noLocks private func targetGain(after frames: Int) -> Float {
    if isHeld { return 0 }
    let goal = overlay.musicGain
    if musicGain != goal {
      let step = Float(frames) * duckStep
      if musicGain < goal {
        musicGain = musicGain + step < goal ? musicGain + step : goal
      } else {
        musicGain = musicGain - step > goal ? musicGain - step : goal
      }
    }
    return trackGain * masterGain * musicGain
  }

  /// Converts up to `count` frames while gain moves on a straight line. Returns how many.
  @_noLocks private func convert(
    _ input: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ count: Int
  ) -> Int {
    var frames = count
    let isDucking = musicGain != overlay.musicGain
    let target = targetGain(after: count)
    var step = fadeStep
    if isDucking {
      // Spread the change over all of these frames, not only over the first few.
      let slow = (target > level ? target - level : level - target) / Float(count)
      if slow < step { step = slow }
    }
    // If fewer discarded frames are left than a fade needs, the fade is steeper.
    let left = ring.discardPosition &- ring.readPosition
    if left > 0, level > step * Float(left) { step = level / Float(left) }
    let ramp = GainRamp.toward(target, from: &level, in: &frames, fadeStep: step)
    let samples = frames &* channels
    if ramp.step == 0, ramp.level == 1, !source.isProcessed {
      if !source.isFloat, source.bits <= device.bits {
        copyIntegers(input.assumingMemoryBound(to: Int32.self), out, samples, device)
        return frames
      }
      if source.isFloat, case .s16 = device {
        roundFloats16(
          input.assumingMemoryBound(to: Float.self), out.assumingMemoryBound(to: Int16.self),
          samples)
        return frames
      }
    }
    // Dither if arithmetic made the signal finer than the device, or if the source is finer. At 32
    // bits the rounding error is at −190 dB, so no noise is better.
    var dithers = source.isProcessed
    if ramp.step != 0 { dithers = true }
    if ramp.level != 1 { dithers = true }
    if !source.isFloat, source.bits > device.bits { dithers = true }
    if device.bits > 24 { dithers = false }
    convertSamples(
      input, isFloat: source.isFloat, out, frames, channels, device, ramp, dithers: dithers,
      &dither)
    return frames
  }
}
