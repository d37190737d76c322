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

  let ring: FrameRing
  /// Events from the decode thread, each with the frame from which it applies.
  let streamEvents: StreamEventRing
  /// The events that the output has reached, for the control thread.
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
  /// Counts the changes of the values above. It is incremented after each change.
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
  /// Set to true when a segment begins after silence and when frames are dropped. Set to false when
  /// the next frame of content is rendered.
  private var isBeginning = true
  /// True if silence replaced late frames in the current period.
  private var isStarved = false
  /// The value of ``isStarved`` that was reported last.
  private var reportedStarved = false
  /// The newest event for which `reached` had no room.
  private var unreported: StreamEvent?
  /// True if frames were dropped and no frame was rendered since. In that case the next frames fade
  /// in.
  private var fadesIn = false
  private var dither = Dither()
  private var effects = EffectTracker()
  /// Number of content frames that were rendered since the last silence.
  private var contentRun = 0
  /// Length of the last silence, in frames. It is needed to count the content frames in the device.
  private var silenceRun = 0
  /// Number of content frames since frames were last dropped. Older content in the device does not
  /// count.
  private var contentSinceDrop = 0
  /// Number of frames that were handed over since the engine began, including silence.
  private let outputFrames = Atomic<Int>(0)
  /// Current gain of the music. It changes gradually to the gain that the overlay requests.
  private var musicGain: Float = 1
  /// Number of frames since the last audible content.
  private var idleRun = 0
  /// The time at which the last frame in the previous device format was heard. 0 if no changeover
  /// is measured.
  private var changeoverBegan: Int64 = 0

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
    leaves = false
    // Silence before the first segment does not count as starved, and the first segment needs no
    // fade.
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
  /// device. Returns false if the frames in the ring do not fit this format.
  func resume(with format: DeviceFormat) -> Bool {
    guard format.sampleRate == rate, format.layout == layout else { return false }
    device = format.samples
    frameBytes = format.frameBytes
    rests = false
    idleRun = 0
    return true
  }

  /// Call this while there is no device. Processes events up to the event that requests the device.
  /// Discarded frames are dropped without a fade. Returns false if the event has not arrived yet.
  func reachDeviceRequest() -> Bool {
    leaves = false
    level = 0
    if !discard(after: 0) { processEvents() }
    return leaves
  }

  /// True if the sink left its loop because the device must be set up again before the next frame.
  var needsDevice: Bool { leaves }

  /// Call this when the device has played all frames and is closed, before it is set up again.
  /// Nothing is heard from this moment on.
  func beginChangeover() { changeoverBegan = hasSegment && !isEnded ? rt_monotonic_ns() : 0 }

  /// True if the sink left its loop because there was no audible content for a long time.
  var mustRest: Bool { rests }

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

  // MARK: Output thread, below the real-time line

  /// True if the sink must leave its loop, because the device's format changes, the output rests or
  /// the engine stops.
  public var mustLeave: Bool {
    // `||` is not used below the real-time line, because its right side is a closure, which retains
    // self in debug builds.
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
  /// - Parameter pads: if true, silence replaces missing frames, because a running device needs
  ///   whole periods. If false, only the available frames are written, for a file.
  /// - Returns: the number of written frames. It can be smaller than `frames` only if `pads` is
  ///   false or ``mustLeave`` is true.
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

  /// The gain of the head unit's volume, or 0 if the unit is muted. It applies to all sound.
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

  /// Fills the rest of a period with silence.
  @_noLocks private func pad(_ out: UnsafeMutableRawPointer, _ frames: Int) {
    rt_zero(out, frames &* frameBytes)
    // A track does not count as late before its first frame, because the device is ready before the
    // decoder.
    if hasSegment, !isEnded, !isHeld, !isBeginning {
      starvedFrames.add(frames, ordering: .relaxed)
      isStarved = true
      // The frames after a gap fade in, because they would click otherwise.
      level = 0
    }
    // A pause is not part of the changeover. So if the output is held, the measurement is
    // cancelled.
    if isHeld { changeoverBegan = 0 }
    // Silence after content starts a new gap.
    silenceRun = contentRun > 0 ? frames : silenceRun &+ frames
    contentRun = 0
    // The music is not heard now, so its gain jumps to the target.
    musicGain = overlay.musicGain
  }

  /// Reports a change of ``isStarved``. If `reached` has no room, this is repeated in the next
  /// period.
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
    // The output does not rest while it waits for a late track.
    let isWaiting = isHeld ? true : (hasSegment ? isEnded : true)
    if isWaiting, idleRun > idleSeconds &* rate { rests = true }
  }

  /// The sink calls this after each period. `deviceDelay` is the number of frames that were handed
  /// over and that the device has not played yet.
  @_noLocks public func handedOver(deviceDelay: Int) {
    // `pending` is the number of content frames that are not heard yet: the frames after the last
    // silence, and the frames before this silence that the device still holds.
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
    // The clock was published before the events, because the receiver of a segment event computes
    // times from the clock.
    if reached.commit() { rt_signal(controlWake) }
  }

  /// Call this when the first frames in the device's new format were handed over. They are heard
  /// after the frames that the device held already.
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
    // If there is no room for this event, it is lost. The value of `xruns` is right in any case.
    _ = reached.stage(StreamEvent(reporting: .xrun, token: Int(rt_monotonic_ns())))
  }

  /// True if the output is held, because it is paused or because frames in the ring are about to be
  /// dropped.
  private var isHeld: Bool {
    @_noLocks get {
      if paused.load(ordering: .relaxed) { return true }
      if command.load(ordering: .relaxed) > ring.command { return true }
      return ring.discardPosition > ring.readPosition
    }
  }

  /// Drops the frames that the decode thread discarded, and returns true. Returns false if there
  /// are no such frames, or if they have not faded out yet. `done` frames of this period were
  /// rendered before.
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
    // The frames in the device come from before the discard and do not count. `renderContent` adds
    // all frames of the period to the counts when it ends. So subtract here the `done` frames that
    // were rendered before the discard.
    contentRun = 0 &- done
    contentSinceDrop = 0 &- done
    silenceRun = Int.max / 2
    processEvents()
    return true
  }

  /// Processes the events whose position is at or before the next frame.
  @_noLocks private func processEvents() {
    while let event = streamEvents.peek() {
      // A void segment event is still needed, because it has the coding of the frames that fade
      // out.
      let isVoid = event.epoch < ring.discardEpoch
      if event.position > ring.readPosition {
        // A void event at a later position belongs to frames that were discarded in the resampler.
        // These frames never arrive in the ring.
        guard isVoid, ring.discardPosition <= ring.readPosition else { return }
        streamEvents.drop()
        continue
      }
      switch event.kind {
      case .segment:
        // A segment after silence begins at its full level. At other segments, the level changes
        // gradually.
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
          // The event stays in the ring until the device has its new format.
          leaves = true
          return
        }
      }
      // If the control thread has left 256 events unread, `reached` has no room. Of the further
      // events, only the newest one is stored, and reported later. Playback continues.
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

  /// The gain that the music should have after `frames` more frames. Advances the ducking of the
  /// music by these frames.
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

  /// Converts up to `count` frames while the gain changes linearly. Returns the number of converted
  /// frames.
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
    // Dither if a calculation has given the signal a finer resolution than the device has, or if
    // the source has a finer resolution. A device with 32 bits needs no dither, because the
    // rounding error is at −190 dB.
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
