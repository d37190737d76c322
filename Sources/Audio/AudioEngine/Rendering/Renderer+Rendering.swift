internal import CRealtime
internal import Synchronization

// Rendering: output thread, below the real-time line.
extension Renderer {
  /// True if the sink must leave its loop, because the device's format changes, the output rests or the engine stops.
  public var mustLeave: Bool {
    @_noLocks get {
      if case .stays = state.exit { return stopping.load(ordering: .relaxed) }
      return true
    }
  }

  /// True if the engine stops. The sink of a device that is filled by periods then leaves its loop at once, even if the
  /// device still holds frames.
  public var mustStop: Bool {
    @_noLocks get { stopping.load(ordering: .relaxed) }
  }

  /// Fills `out` with `frames` frames in the device's format.
  ///
  /// - Parameter pads: if true, silence replaces missing frames, because a running device needs whole periods. If
  ///   false, only the available frames are written, for a file.
  /// - Returns: the number of written frames. It can be smaller than `frames` only if `pads` is false or ``mustLeave``
  ///   is true.
  @_noLocks public func render(into out: UnsafeMutableRawPointer, frames: Int, pads: Bool) -> Int {
    noteImmediateEffect(immediateChanges.load(ordering: .acquiring))
    var isStarved = false
    var done = renderContent(into: out, frames: frames, fades: pads)
    if done < frames, pads, !state.needsDevice {
      isStarved = pad(out + done &* frameBytes, frames &- done)
      if done > 0 { state.idleRun = 0 } else { countIdle(frames) }
      done = frames
    } else if done > 0 {
      state.idleRun = 0
    }
    mixOverlay(into: out, frames: done)
    noteStarved(isStarved)
    state.output &+= done
    release(before: state)
    return done
  }

  @_noLocks func mixOverlay(into out: UnsafeMutableRawPointer, frames: Int) {
    var mixed = state.overlay
    var reportCount = state.reports
    overlay.mix(
      into: OverlayMixer.Output(
        out, count: frames, base: state.output, channels: channels, samples: device,
        frameBytes: frameBytes, target: masterGain, fadeStep: fadeStep),
      &mixed, reports, reportCount: &reportCount)
    state.overlay = mixed
    state.reports = reportCount
  }

  /// Number of frames of a live source at the end of the ring that are rendered only if the device needs them now. In
  /// this case the source is late. These frames fade out, because the sound would otherwise end with a click.
  var keptFrames: Int {
    @_noLocks get {
      if !state.isLive { return 0 }
      if !state.isPlaying { return 0 }
      if isHeld { return 0 }
      // Frames before an event are not kept: either other frames follow the event, or the sound ends there.
      return streamEvents.event(state.eventCount) == nil ? fadeFrames : 0
    }
  }

  /// Renders available frames from the ring, up to `frames`. If `fades`, the last frames of a live source fade out. If
  /// the buffer of the device is rewritten, this call ends before frames that are dropped or that fade out, because the
  /// renderer must be able to go back to the state before these frames.
  @_noLocks func renderContent(
    into out: UnsafeMutableRawPointer, frames: Int, fades: Bool
  ) -> Int {
    var done = 0
    while done < frames {
      // Count the frames before looking at the events: the decode thread writes an event before its frames, so the
      // event of each frame that is counted here is already in the ring.
      let available = ring.readable(from: state.position)
      if done > 0, rewriting.isOn, mustDiscard { break }
      if !discard(after: done) { processEvents(after: done) }
      if state.needsDevice { break }
      if state.level == 0, isHeld { break }
      var limit = frames &- done
      if available < limit { limit = available }
      if let event = streamEvents.event(state.eventCount) {
        let ahead = event.position &- state.position
        if ahead < limit { limit = ahead }
      }
      let kept = fades ? keptFrames : 0
      let runsDry = available <= kept
      if runsDry, done > 0, rewriting.isOn { break }
      if !runsDry, available &- kept < limit { limit = available &- kept }
      let (input, count) = ring.frames(at: state.position, limit: limit)
      if count <= 0 { break }
      if let number = state.effects.contentBegins() {
        reportEffect(.decodedEffect, number, after: done)
      }
      if kept > 0, runsDry { state.runDry() } else { state.isDry = false }
      let converted = convert(input, out + done &* frameBytes, count)
      state.position &+= converted
      state.onset = .continues
      done &+= converted
    }
    if done > 0 {
      state.content.addContent(done)
      if state.changeoverBegan != 0 {
        report(
          StreamEvent(reporting: .changeover, token: Int(state.changeoverBegan)), after: 0)
        state.changeoverBegan = 0
      }
    }
    return done
  }

  /// Releases the frames and events before `state`, and wakes the decode thread if it waits for room.
  @_noLocks func release(before state: RenderState) {
    ring.release(before: state.position)
    var mustWake = ring.takeWriterWakeRequest()
    // The decode thread can be waiting for room for events. Events are rare, so signal without a check.
    if streamEvents.release(before: state.eventCount) { mustWake = true }
    if overlay.release(before: state.overlay) { mustWake = true }
    if mustWake { rt_signal(decodeWake) }
  }

  /// Fills the rest of a rendering with silence. Returns true if the silence replaces late frames.
  @_noLocks func pad(_ out: UnsafeMutableRawPointer, _ frames: Int) -> Bool {
    rt_zero(out, frames &* frameBytes)
    // A track does not count as late before its first frame, because the device is ready before the decoder.
    var isLate = false
    if state.isPlaying, case .continues = state.onset, !isHeld {
      isLate = !state.isLive
      if isLate { state.starvedFrames &+= frames }
      if state.isLive { state.runDry() }
      // The frames after a gap fade in, because they would click otherwise.
      state.level = 0
    }
    // A pause is not part of the changeover. So the measurement is cancelled while `isHeld` is true.
    if isHeld { state.changeoverBegan = 0 }
    state.content.addSilence(frames)
    // The music is not heard now, so its gain jumps to the target.
    state.musicGain = state.overlay.musicGain
    return isLate
  }

  @_noLocks func countIdle(_ frames: Int) {
    if overlay.isBusy(state.overlay) {
      state.idleRun = 0
      return
    }
    state.idleRun &+= frames
    // The output does not rest while it waits for a late track.
    var isWaiting = isHeld ? true : !state.isPlaying
    if state.isLive { isWaiting = true }
    let excess = state.idleRun &- idleSeconds &* rate
    if isWaiting, excess > 0 { state.exit = .rests(from: state.output &+ frames &- excess) }
  }

  /// True if further content must not be heard: the output is paused, the engine stops, or the frames in the ring will
  /// be dropped.
  var isHeld: Bool {
    @_noLocks get {
      if paused.load(ordering: .relaxed) { return true }
      if stopping.load(ordering: .relaxed) { return true }
      if command.load(ordering: .relaxed) > ring.command { return true }
      return ring.discardPosition > state.position
    }
  }

  /// True if the decode thread has discarded frames, and these frames have faded out.
  private var mustDiscard: Bool {
    @_noLocks get {
      if ring.discardPosition <= state.position { return false }
      if state.level > 0, ring.readable(from: state.position) > 0 { return !state.hasSegment }
      return true
    }
  }

  /// Drops the frames that the decode thread discarded, and returns true. Returns false if there are no such frames, or
  /// if they have not faded out yet. `done` frames of this rendering precede the dropped frames.
  @_noLocks func discard(after done: Int) -> Bool {
    if !mustDiscard { return false }
    state.position = ring.discardPosition
    state.drop(after: done)
    processEvents(after: done)
    return true
  }

  /// True if an event at or before the next frame was not processed yet.
  var hasDueEvent: Bool {
    @_noLocks get {
      guard let event = streamEvents.event(state.eventCount) else { return false }
      return event.position <= state.position
    }
  }

  /// Processes the events whose position is at or before the next frame. `done` frames of this rendering precede the
  /// next frame.
  @_noLocks func processEvents(after done: Int) {
    while let event = streamEvents.event(state.eventCount) {
      // An event is void if it belongs to discarded frames. A void segment event is still needed, because it contains
      // the coding of the frames that fade out.
      let isVoid = event.epoch < ring.discardEpoch
      if event.position > state.position {
        // A void event at a later position belongs to frames that were discarded in the resampler. These frames never
        // arrive in the ring.
        guard isVoid, ring.discardPosition <= state.position else { return }
        state.eventCount &+= 1
        continue
      }
      switch event.kind {
      case .segment:
        let isFirst = !state.isPlaying
        state.begin(event)
        if isFirst, case .begins = state.onset, !isHeld {
          state.level = event.gain * masterGain * state.musicGain
        }
        if !isVoid { state.effects.segmentBegins(command: event.command) }
      case .end:
        if !isVoid { state.stream = .ended }
      case .overlayBegan, .overlayEnded, .xrun, .starved, .starvationEnded, .changeover,
        .immediateEffect, .decodedEffect:
        break
      case .reconfigure:
        if !isVoid {
          // The event stays in the ring until the device has its new format.
          state.exit = .needsDevice
          return
        }
      }
      if !isVoid {
        var reachedEvent = event
        reachedEvent.position = state.position
        report(reachedEvent, after: done)
      }
      state.eventCount &+= 1
    }
  }

  // MARK: Gain and conversion

  /// The gain of the head unit's volume, or 0 if the unit is muted or the engine stops. It applies to all sound.
  var masterGain: Float {
    @_noLocks get {
      if muted.load(ordering: .relaxed) { return 0 }
      if stopping.load(ordering: .relaxed) { return 0 }
      return Float(bitPattern: volume.load(ordering: .relaxed))
    }
  }

  /// The gain that the music should have after `frames` more frames. Advances the ducking of the music by these frames.
  @_noLocks private func targetGain(after frames: Int) -> Float {
    if isHeld { return 0 }
    if state.isDry { return 0 }
    let goal = state.overlay.musicGain
    if state.musicGain != goal {
      let step = Float(frames) * duckStep
      if state.musicGain < goal {
        state.musicGain = state.musicGain + step < goal ? state.musicGain + step : goal
      } else {
        state.musicGain = state.musicGain - step > goal ? state.musicGain - step : goal
      }
    }
    return state.trackGain * masterGain * state.musicGain
  }

  /// Converts up to `count` frames while the gain changes linearly. Returns the number of converted frames.
  @_noLocks func convert(
    _ input: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ count: Int
  ) -> Int {
    var frames = count
    let isDucking = state.musicGain != state.overlay.musicGain
    let target = targetGain(after: count)
    var step = fadeStep
    if isDucking {
      // Spread the change over all of these frames, not only over the first few.
      let slow = (target > state.level ? target - state.level : state.level - target) / Float(count)
      if slow < step { step = slow }
    }
    // If fewer frames are left than a fade needs, the fade is steeper.
    let end = state.isDry ? ring.readable(from: 0) : ring.discardPosition
    let left = end &- state.position
    if left > 0, state.level > step * Float(left) { step = state.level / Float(left) }
    let ramp = GainRamp.toward(target, from: &state.level, in: &frames, fadeStep: step)
    let samples = frames &* channels
    if ramp.step == 0, ramp.level == 1, !state.source.isProcessed {
      if !state.source.isFloat, state.source.bits <= device.bits {
        copyIntegers(input.assumingMemoryBound(to: Int32.self), out, samples, device)
        return frames
      }
      if state.source.isFloat, case .s16 = device {
        roundFloats16(
          input.assumingMemoryBound(to: Float.self), out.assumingMemoryBound(to: Int16.self),
          samples)
        return frames
      }
    }
    // Dither if a calculation has given the signal a finer resolution than the device has, or if the source has a finer
    // resolution. A device with 32 bits needs no dither, because the rounding error is at −190 dB.
    var dithers = state.source.isProcessed
    if ramp.step != 0 { dithers = true }
    if ramp.level != 1 { dithers = true }
    if !state.source.isFloat, state.source.bits > device.bits { dithers = true }
    if device.bits > 24 { dithers = false }
    convertSamples(
      input, isFloat: state.source.isFloat, out, frames, channels, device, ramp, dithers: dithers,
      &state.dither)
    return frames
  }
}
