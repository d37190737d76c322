internal import AudioCodecs
internal import CRealtime
internal import Synchronization

/// The real-time core: frames from the ring, through gain and fades, in the device's format.
///
/// Bridges the decode thread (frames and notes come in) and the sink (periods go out); the
/// control thread steers it through atomics. It never allocates, locks, logs, throws or counts
/// references, and it never waits: what is not there is silence.
///
/// `render` and what it calls run on the output thread; each other member says who calls it.
public final class Renderer: @unchecked Sendable {
  /// Fades take this long: short enough to feel immediate, long enough not to click.
  static let fadeSeconds: Float = 0.005

  let ring: FrameRing
  /// From the decode thread: what holds from which frame on.
  let notes: NoteRing
  /// To the control thread: notes that the output has reached.
  let reached: NoteRing
  /// Eventfd of the decode thread: there is room.
  private let decodeWake: Int32
  /// Eventfd of the control thread: something was reached.
  private let controlWake: Int32

  // Control thread in, latest wins: only the newest wish counts.
  private let volume = Atomic<UInt32>(Float(1).bitPattern)
  private let paused = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)

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
  private var leaves = false

  // The output thread's own.
  private var source = SourceSamples()
  private var trackGain: Float = 1
  private var level: Float = 0
  private var hasSegment = false
  private var isEnded = true
  /// Nothing was rendered yet of what begins out of silence.
  private var isBeginning = true
  /// The newest note that found no room in `reached`.
  private var untold: Note?
  /// Frames were dropped and none was rendered since: what comes fades in.
  private var fadesIn = false
  private var dither = Dither()
  /// Content frames since the last silence, and how long that silence was: what the device holds
  /// is counted back through them.
  private var contentRun = 0
  private var silenceRun = 0
  /// Content frames since frames were last dropped: what the device holds beyond is forgotten.
  private var contentSinceDrop = 0

  init(
    ring: FrameRing, notes: NoteRing, reached: NoteRing, clock: PlaybackClock,
    decodeWake: WakeUp, controlWake: WakeUp
  ) {
    self.clock = clock
    self.ring = ring
    self.notes = notes
    self.reached = reached
    self.decodeWake = decodeWake.descriptor
    self.controlWake = controlWake.descriptor
  }

  // MARK: Control thread

  /// Linear gain of the head unit's volume; 1 changes nothing.
  func setVolume(_ gain: Float) { volume.store(gain.bitPattern, ordering: .relaxed) }

  /// Fades out and holds, or goes on.
  func setPaused(_ value: Bool) { paused.store(value, ordering: .relaxed) }

  /// Makes the sink leave its loop, for good.
  func stop() { stopping.store(true, ordering: .releasing) }

  /// Times that the device ran dry.
  public var xrunCount: Int { xruns.load(ordering: .relaxed) }

  /// Frames of silence that stood in for frames that were not decoded in time.
  public var starvedFrameCount: Int { starvedFrames.load(ordering: .relaxed) }

  // MARK: Output thread, above the line

  /// Takes the device's format, between two runs of the sink.
  func configure(_ format: DeviceFormat) {
    rate = format.sampleRate
    layout = format.layout
    channels = format.layout.count
    _ = goOn(with: format)
    fadeStep = 1 / (Self.fadeSeconds * Float(format.sampleRate))
    leaves = false
    // Silence until the first segment is nobody's fault, and that segment needs no fade.
    hasSegment = false
    fadesIn = false
    contentRun = 0
    contentSinceDrop = 0
    silenceRun = Int.max / 2
    ring.configure(channels: channels)
    clock.configure(sampleRate: format.sampleRate)
    if let note = notes.peek(), note.kind == .reconfigure { notes.drop() }
  }

  /// Takes the format of a device that was lost and came back: perhaps another device. False where
  /// the frames in the ring are not for it.
  func goOn(with format: DeviceFormat) -> Bool {
    guard format.sampleRate == rate, format.layout == layout else { return false }
    device = format.samples
    frameBytes = format.frameBytes
    return true
  }

  /// Whether the sink left because the next frame needs the device set up anew.
  var wantsDevice: Bool { leaves }

  /// Blocks until the decode thread has something: for a sink that has no clock to wait for. The
  /// engine signals `wake`, which is the sink's ``AudioSink/dataWake``, also for a pause or an end.
  func waitForFrames(_ wake: WakeUp) {
    if paused.load(ordering: .relaxed) || ring.waitForFrames() { wake.wait() }
  }

  // MARK: Output thread, below the line

  /// Whether the sink must leave its loop: the device's format changes, or the engine stops.
  public var mustLeave: Bool {
    // No `||` below the line: in debug builds its right side is a closure that retains self.
    @_noLocks get { leaves ? true : stopping.load(ordering: .relaxed) }
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
    var done = 0
    while done < frames {
      // Counted before the notes are looked at: the decode thread writes a note before its
      // frames, so whatever is counted here has its note there.
      let available = ring.readable
      if !discard(after: done) { takeNotes() }
      if leaves { break }
      let target = isHeld ? 0 : trackGain * Float(bitPattern: volume.load(ordering: .relaxed))
      if target == 0, level == 0, isHeld { break }
      var limit = frames &- done
      if available < limit { limit = available }
      if let note = notes.peek() {
        let ahead = note.position &- ring.readPosition
        if ahead < limit { limit = ahead }
      }
      let (input, count) = ring.peek(limit)
      if count <= 0 { break }
      let converted = convert(input, out + done &* frameBytes, count, toward: target)
      ring.consume(converted)
      fadesIn = false
      isBeginning = false
      done &+= converted
    }
    if done > 0 {
      contentRun &+= done
      contentSinceDrop &+= done
      if ring.takeWriterWish() { rt_signal(decodeWake) }
    }
    if done < frames, pads, !leaves {
      rt_zero(out + done &* frameBytes, (frames &- done) &* frameBytes)
      // Before its first frame a track is not late: the device is ready before the decoder is.
      if hasSegment, !isEnded, !isHeld, !isBeginning {
        starvedFrames.add(frames &- done, ordering: .relaxed)
        // What follows a gap fades in, as it would click otherwise.
        level = 0
      }
      // Silence that follows content starts a new gap.
      silenceRun = contentRun > 0 ? frames &- done : silenceRun &+ (frames &- done)
      contentRun = 0
      return frames
    }
    return done
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
    clock.publish(position: ring.readPosition, pending: pending, now: rt_monotonic_ns())
    if let note = untold, reached.stage(note) { untold = nil }
    // The clock first: who hears of a segment must find its time there.
    if reached.commit() { rt_signal(controlWake) }
  }

  /// Counts a device that ran dry.
  @_noLocks public func noteXrun() { xruns.add(1, ordering: .relaxed) }

  /// Whether the output holds still: paused, or about to drop what is in the ring.
  private var isHeld: Bool {
    @_noLocks get {
      paused.load(ordering: .relaxed) ? true : ring.discardPosition > ring.readPosition
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

  /// Acts on the notes at or before the next frame.
  @_noLocks private func takeNotes() {
    while let note = notes.peek() {
      // A note that was taken back still says how the frames are coded that fade out.
      let isVoid = note.epoch < ring.discardEpoch
      if note.position > ring.readPosition {
        // It stands before frames that went with the resampler they were in: they never come.
        guard isVoid, ring.discardPosition <= ring.readPosition else { return }
        notes.drop()
        continue
      }
      switch note.kind {
      case .segment:
        // What begins out of silence begins at its level; every other change is a ramp.
        source = note.source
        trackGain = note.gain
        let isFirst = isEnded ? true : !hasSegment
        if isFirst { isBeginning = true }
        if isFirst, !fadesIn, !isHeld {
          level = trackGain * Float(bitPattern: volume.load(ordering: .relaxed))
        }
        hasSegment = true
        isEnded = false
      case .end:
        if !isVoid { isEnded = true }
      case .reconfigure:
        // Stays, until the device has its new format.
        leaves = true
        return
      }
      // Should the control thread not have looked at 256 notes, it gets the newest later and
      // none of those in between; playback goes on.
      if !isVoid {
        var told = note
        told.position = ring.readPosition
        if untold != nil {
          untold = told
        } else if !reached.stage(told) {
          untold = told
        }
      }
      notes.drop()
      // The decode thread may wait for room among the notes. They are rare: no need to ask.
      rt_signal(decodeWake)
    }
  }

  /// Converts up to `count` frames while gain goes straight; returns how many.
  @_noLocks private func convert(
    _ input: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ count: Int, toward target: Float
  ) -> Int {
    var frames = count
    var ramp = GainRamp(level: level)
    if level != target {
      // Steps of at most `fadeStep`, as many as it takes, the last one ending on the target.
      let distance = target - level
      // A louder level has further to go in the same time.
      var louder: Float = level > target ? level : target
      if louder < 1 { louder = 1 }
      let step = fadeStep * louder
      let wanted = (distance > 0 ? distance : -distance) / step
      let steps = wanted < 1_000_000 ? Int(wanted + 0.999) : 1_000_000
      if steps <= frames {
        frames = steps > 1 ? steps : 1
        ramp.step = distance / Float(frames)
        level = target
      } else {
        ramp.step = distance > 0 ? step : -step
        level += ramp.step * Float(frames)
      }
    }
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
