internal import CRealtime
internal import Synchronization

// Reports of what was handed over: output thread, below the real-time line.
extension Renderer {
  /// Reports a change of ``isStarved``. If `reached` has no room, this is repeated in the next
  /// period.
  @_noLocks func reportStarved() {
    let kind = isStarved ? StreamEvent.Kind.starved : .starvationEnded
    if reached.stage(StreamEvent(reporting: kind, token: Int(rt_monotonic_ns()))) {
      reportedStarved = isStarved
    }
  }

  /// The sink calls this after each period. `deviceDelay` is the number of frames that were handed
  /// over and that the device has not played yet.
  @_noLocks public func handedOver(deviceDelay: Int) {
    let now = rt_monotonic_ns()
    clock.publish(
      position: ring.readPosition, pending: state.content.pending(deviceDelay: deviceDelay),
      now: now)
    if changeoverBegan != 0, state.content.run > 0 { endChangeover(now, deviceDelay) }
    effects.report(reached, now: now, deviceDelay: deviceDelay, rate: rate)
    if let event = unreported, reached.stage(event) { unreported = nil }
    // The clock was published before the events, because the receiver of a segment event computes
    // times from the clock.
    if reached.commit() { rt_signal(controlWake) }
  }

  /// Call this when the first frames in the device's new format were handed over. They are heard
  /// after the frames that the device held already.
  @_noLocks func endChangeover(_ now: Int64, _ deviceDelay: Int) {
    var before = deviceDelay &- state.content.run
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
}
