internal import CRealtime
internal import Synchronization

/// What the sink must do next if the buffer of its device can be rewritten.
public enum RewriteStep: Equatable, Sendable {
  /// Ask the device how many frames it holds.
  case measure
  /// Take back (rewind) this number of frames. If the device gives back fewer frames, render the missing frames
  /// (``Renderer/renderBlock(into:frames:)``) without handing them over.
  case takeBack(frames: Int)
  /// Render at most this number of frames (``Renderer/renderBlock(into:frames:)``) and hand them over.
  case write(frames: Int)
  /// Sleep until the device has played this number of frames, or until ``Renderer/outputWake`` is signalled.
  case wait(frames: Int)
  /// Leave the loop. All content in the device was heard.
  case leave
}

// A device whose buffer can be rewritten: output thread, below the real-time line.
//
// The sink fills a deep buffer and sleeps. If the sound must change, the sink takes back all frames except the
// safeguard: the frames that the device plays next. The renderer goes back to its state before these frames, and
// renders them again.
extension Renderer {
  /// Sets the number of frames that the device plays next and that cannot be changed.
  @_noLocks public func setSafeguard(_ frames: Int) {
    rewriting.safeguard = frames
    safeguardFrames.store(frames, ordering: .relaxed)
  }

  /// Call this when the sink has asked the device how many frames it holds. Releases the frames that were heard, and
  /// passes the reports of these frames to the control thread.
  ///
  /// - Parameters:
  ///   - held: number of frames in the buffer of the device.
  ///   - delay: number of frames that are not heard yet. It includes the frames that the device has already taken from
  ///     its buffer, for example for a signal processor.
  @_noLocks public func deviceHolds(_ held: Int, delay: Int) {
    let now = rt_monotonic_ns()
    // `held` and `delay` are measured one after the other, so `delay` can be the smaller number.
    rewriting.behindBuffer = delay > held ? delay &- held : 0
    let heard = rewriting.heard(output: state.output, held: held)
    rewriting.heard = heard
    rewriting.measuredAt = now
    rewriting.history.release(before: heard)
    // Late frames can still replace the silence after `oldest`, so only what precedes `oldest` is released.
    let oldest = rewriting.history.oldest(or: state)
    release(before: oldest)
    clock.publish(liveUnderruns: oldest.liveUnderruns)
    outputFrames.store(state.output &- held &+ rewriting.safeguard, ordering: .relaxed)
    let (position, run) = rewriting.history.content(at: heard, or: state)
    clock.publish(position: position &+ run, pending: run, now: now)
    passReports(until: heard, played: heard, now: now)
  }

  /// Returns what the sink must do next.
  ///
  /// - Parameters:
  ///   - held: number of frames that the device holds.
  ///   - isFresh: true if no frame was handed over since `held` was measured.
  @_noLocks public func nextStep(held: Int, isFresh: Bool) -> RewriteStep {
    let earliest = state.output &- held &+ rewriting.safeguard
    // Each input is read once, so that the next step finds every later change.
    let inputs = currentInputs
    let changes = immediateChanges.load(ordering: .acquiring)
    let wanted = rewriteStart(inputs, changes)
    if wanted < state.output, !isFresh { return .measure }
    remember(inputs, changes)
    if wanted < state.output {
      let frames = goBack(to: wanted > earliest ? wanted : earliest)
      if frames > 0 { return .takeBack(frames: frames) }
      // No block begins after the safeguard, so no frame can be changed any more.
    }
    let heard = rewriting.heard(output: state.output, held: held)
    if mustLeave(at: heard) {
      rewriting.hasLeft = true
      return .leave
    }
    rewriting.hasLeft = false
    if held < rewriting.depth, !rewriting.history.isFull {
      let room = rewriting.depth &- held
      let block = rewriting.blockFrames
      let frames = renderable(block < room ? block : room, held: held)
      if frames > 0 { return .write(frames: frames) }
    }
    if !isHeld, !ring.waitForFrames(from: state.position &+ keptFrames, atAnyLevel: true) {
      // Frames have arrived in the meantime. Continue only if they can be rendered now.
      if state.output > rewriting.contentEnd, !currentInputs.isSame(as: rewriting.inputs) {
        return .measure
      }
      if held < rewriting.depth, !rewriting.history.isFull, renderable(1, held: held) > 0 {
        return .measure
      }
    }
    return .wait(frames: sleepFrames(held: held, heard: heard))
  }

  /// Renders the next block. Call this after ``nextStep(held:isFresh:)`` returned ``RewriteStep/write(frames:)``, with
  /// its number of frames.
  ///
  /// - Returns: the number of rendered frames, at least 1.
  @_noLocks public func renderBlock(into out: UnsafeMutableRawPointer, frames: Int) -> Int {
    if stopping.load(ordering: .relaxed), rewriting.stopFrame == Int.max {
      rewriting.stopFrame = state.output
    }
    // Forget an earlier request to set the device up, because a newer command can have made the setup unnecessary.
    state.exit = .stays
    var block = RenderHistory.Block(state: state)
    noteImmediateEffect(rewriting.immediateChanges)
    let done = renderContent(into: out, frames: frames, fades: true)
    if done > 0 {
      block.content = state.position &- done
      block.count = done
      state.idleRun = 0
      noteStarved(false)
    } else {
      block.count = frames
      if state.needsDevice {
        // The device plays silence after the last frame, until the last frame was heard.
        rt_zero(out, frames &* frameBytes)
      } else {
        noteStarved(pad(out, frames))
        countIdle(frames)
      }
    }
    mixOverlay(into: out, frames: block.count)
    state.output &+= block.count
    // Frames of a late live source fade out. They do not change `contentEnd`, because they are rendered again if
    // further frames follow in time.
    if done > 0, !state.isDry {
      if block.output > rewriting.contentEnd { rewriting.lateSilence = rewriting.contentEnd }
      rewriting.contentEnd = state.output
    }
    rewriting.history.add(block)
    return block.count
  }

  /// Call this if the last `frames` frames cannot be handed over. These frames are then rendered again.
  @_noLocks public func forgetUnwritten(_ frames: Int) { _ = goBack(to: state.output &- frames) }

  /// Call this after the device had an xrun: it has played all frames.
  @_noLocks public func deviceRanDry() {
    countXrun()
    if !rewriting.isOn { return }
    rewriting.history.removeAll()
    release(before: state)
    // The frames after the gap would click without a fade.
    state.level = 0
    if state.isPlaying { state.onset = .fadesIn }
  }

  /// Call this after a device was lost or has dropped its frames. The frames that were not heard are rendered again.
  /// Which frame was heard last is computed from the time since the last measurement.
  ///
  /// - Parameter stopped: the time at which the device stopped: the monotonic clock, in nanoseconds. If this time is
  ///   before the last measurement, all frames that were not heard at this measurement are rendered again.
  @_noLocks public func goBackToHeardFrame(at stopped: Int64) {
    if !rewriting.isOn { return }
    let nanoseconds = stopped &- rewriting.measuredAt
    var played = 0
    if nanoseconds > 0 {
      let seconds = nanoseconds < 10_000_000_000 ? Double(nanoseconds) * 1e-9 : 10
      played = Int(seconds * Double(rate))
    }
    let heard = rewriting.heard &+ played
    rewriting.history.release(before: heard < state.output ? heard : state.output)
    state = rewriting.history.oldest(or: state)
    rewriting.history.removeAll()
    rewriting.forgetFrames(after: state.output)
  }

  // MARK: Which frames must change

  private var currentInputs: Rewriting.Inputs {
    @_noLocks get {
      Rewriting.Inputs(
        written: ring.readable(from: 0), discarded: ring.discardPosition,
        events: streamEvents.writtenCount, overlayEvents: overlay.streamEvents.writtenCount,
        overlayDiscards: overlay.ring.discardEpoch)
    }
  }

  /// Stores the inputs and changes of this step. The next block sees these values or newer values.
  @_noLocks private func remember(_ inputs: Rewriting.Inputs, _ changes: Int) {
    rewriting.inputs = inputs
    rewriting.immediateChanges = changes
    rewriting.lateSilence = Int.max
  }

  /// The first output frame that is wrong now; 0 if all rendered frames can be wrong, and `Int.max` if no frame is
  /// wrong.
  @_noLocks private func rewriteStart(_ inputs: Rewriting.Inputs, _ changes: Int) -> Int {
    if state.effects.immediate != changes { return 0 }
    if rewriting.lateSilence != Int.max { return rewriting.lateSilence }
    if inputs.isSame(as: rewriting.inputs) { return Int.max }
    if inputs.overlayDiscards != rewriting.inputs.overlayDiscards { return 0 }
    // An overlay begins or ends, possibly at a frame that was already rendered.
    if inputs.overlayEvents != rewriting.inputs.overlayEvents { return 0 }
    // New content replaces the silence after the last content.
    if state.output > rewriting.contentEnd, hasNewContent { return rewriting.contentEnd }
    return Int.max
  }

  /// True if content can be rendered now, or if frames or events must be processed first.
  private var hasNewContent: Bool {
    @_noLocks get {
      if ring.discardPosition > state.position { return true }
      if hasDueEvent { return true }
      return isHeld ? false : ring.readable(from: state.position) > 0
    }
  }

  /// Goes back to the first state at or after the output frame `frame`. Returns the number of frames that must be taken
  /// back; 0 if there is no such state.
  @_noLocks private func goBack(to frame: Int) -> Int {
    let end = state.output
    state = rewriting.history.cut(from: frame, or: state)
    rewriting.forgetFrames(after: state.output)
    return end &- state.output
  }

  // MARK: How far to render, and how long to sleep

  /// The number of frames to render now, at most `wanted`. If content or an overlay is late, the number is limited to
  /// the frames that are available, because the missing frames can still arrive in time. But when the device holds less
  /// than the safeguard and two margins (``Rewriting/margin``), silence replaces the missing frames up to this level.
  /// So the thread wakes up once for each margin. If a live source is silent for a quarter of a second, the whole
  /// buffer is filled with silence.
  @_noLocks private func renderable(_ wanted: Int, held: Int) -> Int {
    if held < rewriting.safeguard &+ 2 &* rewriting.margin { return wanted }
    var frames = wanted
    var waits = state.isPlaying ? !isHeld : false
    if state.isLive, state.idleRun > rate / 4 { waits = false }
    if waits, !state.needsDevice, ring.readable(from: state.position) <= keptFrames, !hasDueEvent {
      return 0
    }
    if state.overlay.isActive {
      let left = overlay.ring.readable(from: state.overlay.position)
      let ends = overlay.streamEvents.event(state.overlay.eventCount) != nil
      if left < frames, !ends { frames = left }
    }
    return frames
  }

  /// Number of frames that the device can play before the sink must do something.
  @_noLocks private func sleepFrames(held: Int, heard: Int) -> Int {
    let low = rewriting.safeguard &+ rewriting.margin
    let target = held < rewriting.depth ? low : rewriting.depth &- rewriting.depth / 3
    var frames = held &- target
    if let report = reports.first(of: state.reports) {
      // If the report is due already, sleep for 2 ms. Either `reached` had no room for the report, or the report was
      // added since the last measurement, for example for the first frames in an empty device.
      let left = report.frame > heard ? report.frame &- heard : rate / 500
      if left < frames { frames = left }
    }
    if state.overlay.isActive {
      // The ring of the overlay is shorter than the buffer of the device. The decode thread gets room when the device
      // has played a quarter of this ring.
      let quarter = overlay.ring.capacity(channels: channels) / 4
      if quarter < frames { frames = quarter }
    }
    let discarded = ring.discardPosition
    if discarded > ring.releasedPosition {
      // The decode thread can be waiting for the memory of the discarded frames, so wake up when this memory can be
      // released.
      let left = rewriting.history.output(reaching: discarded) &- heard
      if left > 0, left < frames { frames = left }
    }
    if mustLeave {
      let left = leaveFrame &- heard
      if left > 0, left < frames { frames = left }
    }
    return frames > 1 ? frames : 1
  }

  /// The sink leaves its loop when this output frame is heard.
  private var leaveFrame: Int {
    @_noLocks get {
      if case .rests(let frame) = state.exit { return frame }
      if rewriting.stopFrame == Int.max { return rewriting.contentEnd }
      // After a stop, the overlay fades out, too.
      let faded = rewriting.stopFrame &+ Int(1 / fadeStep) &+ 1
      return rewriting.contentEnd > faded ? rewriting.contentEnd : faded
    }
  }

  @_noLocks private func mustLeave(at heard: Int) -> Bool {
    if !mustLeave { return false }
    if mustStop, rewriting.stopFrame == Int.max { return false }
    // The content has not faded out yet: the next frames continue the fade.
    if mustStop, state.level > 0, ring.readable(from: state.position) > 0 { return false }
    return heard >= leaveFrame
  }
}
