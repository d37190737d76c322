internal import CRealtime
internal import Synchronization

// Reports of what is handed over and heard: output thread, below the real-time line.
extension Renderer {
  /// Adds a report for the frame that comes after `done` frames of this rendering.
  @_noLocks func report(_ event: StreamEvent, after done: Int) {
    reports.add(event, at: state.output &+ done, count: &state.reports)
  }

  /// Call this before frames are rendered, with the count of immediate changes. If the control thread has
  /// changed something since the last rendering, the next frame is the first frame of this effect.
  @_noLocks func noteImmediateEffect(_ number: Int) {
    guard state.effects.begin(immediate: number) else { return }
    reportEffect(.immediateEffect, number, after: 0)
  }

  /// Reports that late frames begin or end with the next frame, if this is a change.
  @_noLocks func noteStarved(_ isStarved: Bool) {
    if isStarved == state.isStarved { return }
    state.isStarved = isStarved
    let kind = isStarved ? StreamEvent.Kind.starved : .starvationEnded
    report(StreamEvent(reporting: kind, token: Int(rt_monotonic_ns())), after: 0)
  }

  @_noLocks func reportEffect(_ kind: StreamEvent.Kind, _ number: Int, after done: Int) {
    var event = StreamEvent(reporting: kind, token: number)
    event.position = Int(rt_monotonic_ns())
    report(event, after: done)
  }

  /// The sink calls this after each period. `deviceDelay` is the number of frames that were handed
  /// over and that the device has not played yet.
  @_noLocks public func handedOver(deviceDelay: Int) {
    let now = rt_monotonic_ns()
    outputFrames.store(state.output, ordering: .relaxed)
    clock.publish(liveUnderruns: state.liveUnderruns)
    clock.publish(
      position: state.position, pending: state.content.pending(deviceDelay: deviceDelay), now: now)
    passReports(until: state.output, played: state.output &- deviceDelay, now: now)
  }

  /// Passes the reports whose frame is at or before the output frame `limit` to the control thread.
  /// `played` is the output frame that is heard at the time `now`.
  @_noLocks func passReports(until limit: Int, played: Int, now: Int64) {
    starvedFrames.store(state.starvedFrames, ordering: .relaxed)
    while let report = reports.first(of: state.reports), report.frame <= limit {
      // If there is no room, the next call tries again.
      guard reached.stage(timed(report, played: played, now: now)) else { break }
      reports.removeFirst()
    }
    // The clock was published before the events, because the receiver of a segment event computes
    // times from the clock.
    if reached.commit() { rt_signal(controlWake) }
  }

  /// The event of a report, with the time at which its frame is heard, if the event contains a time.
  @_noLocks private func timed(
    _ report: ReportQueue.Report, played: Int, now: Int64
  ) -> StreamEvent {
    var event = report.event
    let heard = now &+ Int64(report.frame &- played) &* 1_000_000_000 / Int64(rate)
    switch event.kind {
    case .immediateEffect, .decodedEffect:
      // If the device is filled by periods, the frame is handed over now.
      if !rewriting.isOn { event.position = Int(now) }
      event.frame = Int(!rewriting.isOn && heard < now ? now : heard)
    case .changeover:
      let end = !rewriting.isOn && heard < now ? now : heard
      event.token = Int(end) &- event.token
    case .segment, .end, .reconfigure, .overlayBegan, .overlayEnded, .xrun, .starved,
      .starvationEnded:
      break
    }
    return event
  }

  /// Counts an xrun of the device.
  @_noLocks public func countXrun() {
    xruns.add(1, ordering: .relaxed)
    // If there is no room for this event, it is lost. The value of `xruns` is right in any case.
    _ = reached.stage(StreamEvent(reporting: .xrun, token: Int(rt_monotonic_ns())))
  }
}
