internal import AudioCodecs
internal import CRealtime
internal import Synchronization
internal import Threads

/// The real-time core: frames from the ring, through gain and fades, in the device's format.
///
/// Bridges the decode thread (frames and events come in) and the sink (periods go out); the
/// control thread steers it through atomics. It never allocates, locks, logs, throws or counts
/// references, and it never waits: what is not there is silence.
///
/// `render` and what it calls run on the output thread; each other member says who calls it.
public final class Renderer: @unchecked Sendable {
  /// The music takes this long to get out of an overlay's way: heard as a gesture, not as a cut.
  static let duckSeconds: Float = 0.1
  /// Fades take this long: short enough to feel immediate, long enough not to click.
  static let fadeSeconds: Float = 0.005

  let ring: FrameRing
  /// From the decode thread: what holds from which frame on.
  let streamEvents: StreamEventRing
  /// To the control thread: events that the output has reached.
  let reached: StreamEventRing
  /// What sounds over it.
  let overlay: OverlayMixer
  /// Eventfd of the decode thread: there is room.
  private let decodeWake: Int32
  /// Eventfd of the control thread: something was reached.
  private let controlWake: Int32
  private let idleSeconds: Int

  // Control thread in, latest wins: only the newest wish counts.
  private let volume = Atomic<UInt32>(Float(1).bitPattern)
  private let muted = Atomic<Bool>(false)
  private let paused = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)
  private let command = Atomic<Int>(0)
  /// Counts what the control thread has changed above, after each change.
  private let steering = Atomic<Int>(0)

  // Output thread out, for anybody.
  private let xruns = Atomic<Int>(0)
  private let starvedFrames = Atomic<Int>(0)
  /// Which frame is heard.
  let clock: PlaybackClock

  // The output thread's own, set up above the line between two runs of the sink.
  private var rate = 0
  private var layout = ChannelLayout.stereo
  private var device = DeviceSamples.s16
  private var channels = 2
  private var frameBytes = 4
  private var fadeStep: Float = 1
  private var duckStep: Float = 1
  private var leaves = false
  private var rests = false

  // The output thread's own.
  private var source = SourceSamples()
  private var trackGain: Float = 1
  private var level: Float = 0
  private var hasSegment = false
  private var isEnded = true
  /// Nothing was rendered yet of what begins out of silence.
  private var isBeginning = true
  /// Silence stood in for frames that were late: in this period, and as was told.
  private var isStarved = false
  private var toldStarved = false
  /// The newest event that found no room in `reached`.
  private var untold: StreamEvent?
  /// Frames were dropped and none was rendered since: what comes fades in.
  private var fadesIn = false
  private var dither = Dither()
  private var effects = EffectTracker()
  /// Content frames since the last silence, and how long that silence was: what the device holds
  /// is counted back through them.
  private var contentRun = 0
  private var silenceRun = 0
  /// Content frames since frames were last dropped: what the device holds beyond is forgotten.
  private var contentSinceDrop = 0
  /// Frames that were handed over since the engine began, silence included.
  private let outputFrames = Atomic<Int>(0)
  /// How far the music has come on its way to what an overlay leaves of it.
  private var musicGain: Float = 1
  /// Frames since there was anything to hear.
  private var idleRun = 0
  /// When the last frame in the device's last format was heard; 0 once the first in the new one
  /// was handed over.
  private var changeoverBegan: Int64 = 0

  /// - Parameter idleSeconds: after so long without anything to hear the sink is asked to leave,
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

  /// Linear gain of the head unit's volume; 1 changes nothing.
  @discardableResult func setVolume(_ gain: Float) -> Effect {
    volume.store(gain.bitPattern, ordering: .relaxed)
    return steered()
  }

  /// Silences everything while it goes on, or no more.
  @discardableResult func setMuted(_ value: Bool) -> Effect {
    muted.store(value, ordering: .relaxed)
    return steered()
  }

  /// Fades out and holds, or goes on.
  @discardableResult func setPaused(_ value: Bool) -> Effect {
    paused.store(value, ordering: .relaxed)
    return steered()
  }

  /// A command is on its way to the decode thread, which may be waiting for a slow stick: what
  /// sounds fades out now, and is held until the decode thread has taken it back.
  @discardableResult func expect(command number: Int) -> Effect {
    command.store(number, ordering: .relaxed)
    return steered()
  }

  /// Released, and so after the change itself: who sees the number sees the change.
  private func steered() -> Effect {
    Effect(kind: .steering, number: steering.add(1, ordering: .releasing).newValue)
  }

  /// Makes the sink leave its loop, for good.
  func stop() { stopping.store(true, ordering: .releasing) }

  /// Times that the device ran dry.
  public var xrunCount: Int { xruns.load(ordering: .relaxed) }

  /// Frames of silence that stood in for frames that were not decoded in time.
  public var starvedFrameCount: Int { starvedFrames.load(ordering: .relaxed) }

  /// Frames that were handed over since the engine began, silence included.
  var outputFrameCount: Int { outputFrames.load(ordering: .relaxed) }

  // MARK: Output thread, above the line

  /// Takes the device's format, between two runs of the sink.
  func configure(_ format: DeviceFormat) {
    rate = format.sampleRate
    layout = format.layout
    channels = format.layout.count
    _ = goOn(with: format)
    fadeStep = 1 / (Self.fadeSeconds * Float(format.sampleRate))
    duckStep = 1 / (Self.duckSeconds * Float(format.sampleRate))
    leaves = false
    // Silence until the first segment is nobody's fault, and that segment needs no fade.
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

  /// Takes the format of a device that was lost and came back: perhaps another device. False where
  /// the frames in the ring are not for it.
  func goOn(with format: DeviceFormat) -> Bool {
    guard format.sampleRate == rate, format.layout == layout else { return false }
    device = format.samples
    frameBytes = format.frameBytes
    rests = false
    idleRun = 0
    return true
  }

  /// Goes to the event that stands for a request for the device, without a device: what was taken
  /// back is dropped, and nothing can be faded out. False where that event has not come yet.
  func reachDeviceRequest() -> Bool {
    leaves = false
    level = 0
    if !discard(after: 0) { takeNotes() }
    return leaves
  }

  /// Whether the sink left because the next frame needs the device set up anew.
  var wantsDevice: Bool { leaves }

  /// The device has played all and is closed, to be set up anew: from now on nothing is heard.
  func beginChangeover() { changeoverBegan = hasSegment && !isEnded ? rt_monotonic_ns() : 0 }

  /// Whether the sink left because there was nothing to hear for a long time.
  var wantsRest: Bool { rests }

  /// Before the output rests: whether there is something to do already. Otherwise the decode
  /// thread signals, and so does a command.
  func hasWork() -> Bool {
    if overlay.isBusy { return true }
    if let event = streamEvents.peek(), event.position <= ring.readPosition { return true }
    if ring.discardPosition > ring.readPosition { return true }
    return !isHeld && !ring.waitForFrames()
  }

  /// Blocks until the decode thread has something: for a sink that has no clock to wait for. The
  /// engine signals `wake`, which is the sink's ``AudioSink/dataWake``, also for a pause or an end.
  func waitForFrames(_ wake: WakeUp) {
    if isHeld || ring.waitForFrames() { wake.wait() }
  }

  // MARK: Output thread, below the line

  /// Whether the sink must leave its loop: the device's format changes, or the engine stops.
  public var mustLeave: Bool {
    // No `||` below the line: in debug builds its right side is a closure that retains self.
    @_noLocks get {
      if leaves { return true }
      return rests ? true : stopping.load(ordering: .relaxed)
    }
  }

  /// Whether the sink must leave now, whatever the device still holds.
  public var mustStop: Bool {
    @_noLocks get { stopping.load(ordering: .relaxed) }
  }

  /// Fills `out` with `frames` frames in the device's format.
  ///
  /// - Parameter pads: fill up with silence, as a device that runs needs it. Otherwise only what
  ///   is there is written, as a file wants it.
  /// - Returns: frames written; fewer than `frames` only when not padding or ``mustLeave``.
  @_noLocks public func render(into out: UnsafeMutableRawPointer, frames: Int, pads: Bool) -> Int {
    effects.willRender(steering: steering.load(ordering: .acquiring))
    isStarved = false
    var done = renderContent(into: out, frames: frames)
    if done < frames, pads, !leaves {
      pad(out + done &* frameBytes, frames &- done)
      if done > 0 { idleRun = 0 } else { countIdle(frames) }
      done = frames
    } else if done > 0 {
      idleRun = 0
    }
    if isStarved != toldStarved { tellStarved() }
    let base = outputFrames.load(ordering: .relaxed)
    overlay.mix(
      into: out, frames: done, base: base, channels: channels, device: device,
      frameBytes: frameBytes, target: masterGain, fadeStep: fadeStep, told: reached,
      decodeWake: decodeWake)
    outputFrames.store(base &+ done, ordering: .relaxed)
    effects.rendered(done)
    return done
  }

  /// The head unit's volume, which holds for everything.
  private var masterGain: Float {
    @_noLocks get {
      muted.load(ordering: .relaxed) ? 0 : Float(bitPattern: volume.load(ordering: .relaxed))
    }
  }

  /// Frames from the ring, as many as there are up to `frames`.
  @_noLocks private func renderContent(into out: UnsafeMutableRawPointer, frames: Int) -> Int {
    var done = 0
    while done < frames {
      // Counted before the events are looked at: the decode thread writes an event before its
      // frames, so whatever is counted here has its event there.
      let available = ring.readable
      if !discard(after: done) { takeNotes() }
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
      if ring.takeWriterWish() { rt_signal(decodeWake) }
    }
    return done
  }

  /// Silence where nothing is there.
  @_noLocks private func pad(_ out: UnsafeMutableRawPointer, _ frames: Int) {
    rt_zero(out, frames &* frameBytes)
    // Before its first frame a track is not late: the device is ready before the decoder is.
    if hasSegment, !isEnded, !isHeld, !isBeginning {
      starvedFrames.add(frames, ordering: .relaxed)
      isStarved = true
      // What follows a gap fades in, as it would click otherwise.
      level = 0
    }
    // A pause is no part of what the device needed.
    if isHeld { changeoverBegan = 0 }
    // Silence that follows content starts a new gap.
    silenceRun = contentRun > 0 ? frames : silenceRun &+ frames
    contentRun = 0
    // Nobody hears where the music would have been on its way.
    musicGain = overlay.musicGain
  }

  /// Where there is no room, the next period tries again.
  @_noLocks private func tellStarved() {
    let kind = isStarved ? StreamEvent.Kind.starved : .fed
    if reached.stage(StreamEvent(telling: kind, token: Int(rt_monotonic_ns()))) {
      toldStarved = isStarved
    }
  }

  @_noLocks private func countIdle(_ frames: Int) {
    if overlay.isBusy {
      idleRun = 0
      return
    }
    idleRun &+= frames
    // A track that is late is waited for.
    let isWaiting = isHeld ? true : (hasSegment ? isEnded : true)
    if isWaiting, idleRun > idleSeconds &* rate { rests = true }
  }

  /// Says how many handed-over frames the device has not played yet. The sink calls it after
  /// each period.
  @_noLocks public func handedOver(deviceDelay: Int) {
    // Content still to be heard: what is newer than the last gap, and what is older than it.
    var pending = deviceDelay < contentRun ? deviceDelay : contentRun
    let older = deviceDelay &- contentRun &- silenceRun
    if older > 0 { pending &+= older }
    if pending > contentSinceDrop { pending = contentSinceDrop }
    if pending < 0 { pending = 0 }
    let now = rt_monotonic_ns()
    clock.publish(position: ring.readPosition, pending: pending, now: now)
    if changeoverBegan != 0, contentRun > 0 { endChangeover(now, deviceDelay) }
    effects.tell(reached, now: now, deviceDelay: deviceDelay, rate: rate)
    if let event = untold, reached.stage(event) { untold = nil }
    // The clock first: who hears of a segment must find its time there.
    if reached.commit() { rt_signal(controlWake) }
  }

  /// The first frames in the device's new format were handed over: they are heard after what the
  /// device holds before them.
  @_noLocks private func endChangeover(_ now: Int64, _ deviceDelay: Int) {
    var before = deviceDelay &- contentRun
    if before < 0 { before = 0 }
    let heard = now &+ Int64(before) &* 1_000_000_000 / Int64(rate)
    _ = reached.stage(StreamEvent(telling: .changeover, token: Int(heard &- changeoverBegan)))
    changeoverBegan = 0
  }

  /// Counts a device that ran dry.
  @_noLocks public func noteXrun() {
    xruns.add(1, ordering: .relaxed)
    // Where there is no room, a device that does nothing but run dry is known already.
    _ = reached.stage(StreamEvent(telling: .xrun, token: Int(rt_monotonic_ns())))
  }

  /// Whether the output holds still: paused, or about to drop what is in the ring.
  private var isHeld: Bool {
    @_noLocks get {
      if paused.load(ordering: .relaxed) { return true }
      if command.load(ordering: .relaxed) > ring.command { return true }
      return ring.discardPosition > ring.readPosition
    }
  }

  /// Drops what the decode thread took back, once it has faded out; `done` frames of this period
  /// are of the old place.
  @_noLocks private func discard(after done: Int) -> Bool {
    let position = ring.discardPosition
    let waiting = position &- ring.readPosition
    if waiting <= 0 { return false }
    if level > 0, ring.readable > 0, hasSegment { return false }
    ring.consume(waiting)
    level = 0
    fadesIn = true
    isBeginning = true
    if ring.takeWriterWish() { rt_signal(decodeWake) }
    // What the device still holds is of a place that nobody asks for any more.
    // `render` adds the whole period to the counts, of which `done` frames are gone too.
    contentRun = 0 &- done
    contentSinceDrop = 0 &- done
    silenceRun = Int.max / 2
    takeNotes()
    return true
  }

  /// Acts on the events at or before the next frame.
  @_noLocks private func takeNotes() {
    while let event = streamEvents.peek() {
      // An event that was taken back still says how the frames are coded that fade out.
      let isVoid = event.epoch < ring.discardEpoch
      if event.position > ring.readPosition {
        // It stands before frames that went with the resampler they were in: they never come.
        guard isVoid, ring.discardPosition <= ring.readPosition else { return }
        streamEvents.drop()
        continue
      }
      switch event.kind {
      case .segment:
        // What begins out of silence begins at its level; every other change is a ramp.
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
      case .overlayBegan, .overlayEnded, .xrun, .starved, .fed, .changeover, .steered, .begun:
        break
      case .reconfigure:
        if !isVoid {
          // Stays, until the device has its new format.
          leaves = true
          return
        }
      }
      // Should the control thread not have looked at 256 events, it gets the newest later and
      // none of those in between; playback goes on.
      if !isVoid {
        var told = event
        told.position = ring.readPosition
        if untold != nil {
          untold = told
        } else if !reached.stage(told) {
          untold = told
        }
      }
      streamEvents.drop()
      // The decode thread may wait for room among the events. They are rare: no need to ask.
      rt_signal(decodeWake)
    }
  }

  /// Where gain should be `frames` frames from now.
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

  /// Converts up to `count` frames while gain goes straight; returns how many.
  @_noLocks private func convert(
    _ input: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ count: Int
  ) -> Int {
    var frames = count
    let isDucking = musicGain != overlay.musicGain
    let target = targetGain(after: count)
    var step = fadeStep
    if isDucking {
      // All of these frames, rather than the first few of them.
      let slow = (target > level ? target - level : level - target) / Float(count)
      if slow < step { step = slow }
    }
    // Less than a fade may be left of what was taken back: then it is a steeper one.
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
    // Dither where arithmetic made the signal finer than the device, or it came finer. At 32
    // bits the rounding is 190 dB down, and no noise is better than some.
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
