internal import CRealtime
internal import Synchronization

// Rendering: output thread, below the real-time line.
extension Renderer {
  /// True if the sink must leave its loop, because the device's format changes, the output rests or
  /// the engine stops.
  public var mustLeave: Bool {
    @_noLocks get {
      if case .stays = exit { return stopping.load(ordering: .relaxed) }
      return true
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
    if done < frames, pads, !needsDevice {
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

  /// Renders available frames from the ring, up to `frames`.
  @_noLocks func renderContent(into out: UnsafeMutableRawPointer, frames: Int) -> Int {
    var done = 0
    while done < frames {
      // Count the frames before looking at the events: the decode thread writes an event before its
      // frames, so each frame that is counted here has its event in the ring.
      let available = ring.readable
      if !discard(after: done) { processEvents() }
      if needsDevice { break }
      if state.level == 0, isHeld { break }
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
      state.onset = .continues
      effects.contentRendered(after: done)
      done &+= converted
    }
    if done > 0 {
      state.content.addContent(done)
      if ring.takeWriterWakeRequest() { rt_signal(decodeWake) }
    }
    return done
  }

  /// Fills the rest of a period with silence.
  @_noLocks func pad(_ out: UnsafeMutableRawPointer, _ frames: Int) {
    rt_zero(out, frames &* frameBytes)
    // A track does not count as late before its first frame, because the device is ready before the
    // decoder.
    if state.isPlaying, case .continues = state.onset, !isHeld {
      starvedFrames.add(frames, ordering: .relaxed)
      isStarved = true
      // The frames after a gap fade in, because they would click otherwise.
      state.level = 0
    }
    // A pause is not part of the changeover. So if the output is held, the measurement is
    // cancelled.
    if isHeld { changeoverBegan = 0 }
    state.content.addSilence(frames)
    // The music is not heard now, so its gain jumps to the target.
    state.musicGain = overlay.musicGain
  }

  @_noLocks func countIdle(_ frames: Int) {
    if overlay.isBusy {
      idleRun = 0
      return
    }
    idleRun &+= frames
    // The output does not rest while it waits for a late track.
    let isWaiting = isHeld ? true : !state.isPlaying
    if isWaiting, idleRun > idleSeconds &* rate { exit = .rests }
  }

  /// True if the output is held, because it is paused or because frames in the ring are about to be
  /// dropped.
  var isHeld: Bool {
    @_noLocks get {
      if paused.load(ordering: .relaxed) { return true }
      if command.load(ordering: .relaxed) > ring.command { return true }
      return ring.discardPosition > ring.readPosition
    }
  }

  /// Drops the frames that the decode thread discarded, and returns true. Returns false if there
  /// are no such frames, or if they have not faded out yet. `done` frames of this period were
  /// rendered before.
  @_noLocks func discard(after done: Int) -> Bool {
    let position = ring.discardPosition
    let waiting = position &- ring.readPosition
    if waiting <= 0 { return false }
    if state.level > 0, ring.readable > 0, state.hasSegment { return false }
    ring.consume(waiting)
    state.drop(after: done)
    if ring.takeWriterWakeRequest() { rt_signal(decodeWake) }
    processEvents()
    return true
  }

  /// Processes the events whose position is at or before the next frame.
  @_noLocks func processEvents() {
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
        let isFirst = !state.isPlaying
        state.begin(event)
        if isFirst, case .begins = state.onset, !isHeld {
          state.level = event.gain * masterGain * state.musicGain
        }
        if !isVoid { effects.segmentBegins(command: event.command) }
      case .end:
        if !isVoid { state.stream = .ended }
      case .overlayBegan, .overlayEnded, .xrun, .starved, .starvationEnded, .changeover,
        .immediateEffect, .decodedEffect:
        break
      case .reconfigure:
        if !isVoid {
          // The event stays in the ring until the device has its new format.
          exit = .needsDevice
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
}
