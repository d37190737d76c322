internal import AudioCodecs
internal import CRealtime
internal import Synchronization
internal import Threads

// The setup of the device: output thread, above the real-time line.
extension Renderer {
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
    // The device holds nothing. A live input asks for the position before the device has played.
    clock.publish(position: state.position, pending: 0, now: rt_monotonic_ns())
  }

  /// Takes the format of the device that was opened after a device was lost. It may be another
  /// device. Returns false if the frames in the ring do not fit this format.
  func resume(with format: DeviceFormat) -> Bool {
    guard format.sampleRate == rate, format.layout == layout else { return false }
    device = format.samples
    frameBytes = format.frameBytes
    state.exit = .stays
    state.idleRun = 0
    // The ring keeps the frames that the device may have to play again. The other half of the ring is
    // for the decoder.
    let limit = ring.capacity(channels: channels) / 2
    safeguardFrames.store(0, ordering: .relaxed)
    rewriting.configure(depth: min(format.rewritableFrames ?? 0, limit), margin: rate / 50)
    return true
  }

  /// Call this when the sink has left its loop. The device holds only silence, and drops it. An overlay
  /// continues with the frame that was not heard.
  func forgetSilence() {
    guard rewriting.isOn, rewriting.hasLeft else { return }
    let heard = rewriting.history.oldest(or: state)
    state.overlay = heard.overlay
    // A report of the heard block that was passed on is not added again.
    state.reports = max(heard.reports, reports.passed)
    state.output = heard.output
    rewriting.history.removeAll()
    rewriting.forgetFrames(after: state.output)
  }

  /// Call this while there is no device. Processes events up to the event that requests the device.
  /// Discarded frames are dropped without a fade. Returns false if the event has not arrived yet.
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

  /// Call this when the device has played all frames and is closed, before it is set up again.
  /// Nothing is heard from this moment on.
  func beginChangeover() { state.changeoverBegan = state.isPlaying ? rt_monotonic_ns() : 0 }

  /// True if the sink left its loop because there was no audible content for a long time.
  var mustRest: Bool {
    guard case .rests = state.exit else { return false }
    return !rewriting.isOn || rewriting.hasLeft
  }

  /// True if the renderer has something to do, so that the output must not rest. If this is false,
  /// the decode thread or a command wakes the output thread later.
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
}
