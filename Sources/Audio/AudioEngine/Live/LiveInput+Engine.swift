internal import Synchronization
internal import Threads

// The side of the engine.
extension LiveInput {
  /// Call this when the engine begins to play the input.
  func attach(_ player: LivePlayer) {
    state.withLock { state in
      state.player = player
      state.seenUnderruns = player.clock?.liveUnderruns ?? 0
    }
  }

  /// Call this when the engine no longer plays the input. Drops the frames that were not taken.
  func detach() {
    state.withLock { state in
      // An overlay may play the input already.
      guard state.player?.clock != nil else { return }
      state.player = nil
      state.queue.restart()
    }
  }

  /// Call this when an overlay no longer plays the input. The engine may play it as a track already.
  func detachFromOverlay() {
    state.withLock { state in
      guard let player = state.player, player.clock == nil else { return }
      state.player = nil
      state.queue.restart()
    }
  }

  /// Drops the frames that were not taken, and waits until the lead is at its target.
  func restart() {
    state.withLock { state in
      state.queue.restart()
      state.taken = 0
      state.progress = LiveProgress()
    }
  }

  /// Moves at most `limit` frames to `samples`. Call this when all frames that were taken before are
  /// converted, and are in the ring up to `progress`.
  func take(
    _ limit: Int, into samples: UnsafeMutablePointer<Float>, progress: LiveProgress
  ) -> LiveQueue.Answer {
    state.withLock { state in
      state.progress = progress
      state.taken = 0
      let ahead = framesAhead(state)
      let answer = state.queue.take(
        limit, into: samples, handedOver: ahead.handedOver, state.lengths)
      state.taken = if case .frames(let count, _) = answer { count } else { 0 }
      return answer
    }
  }

  /// The ratio that the source has set.
  var ratio: Double { state.withLock { $0.ratio } }
}

/// How far the frames of a ``LiveInput`` are in the ring.
struct LiveProgress {
  /// The ring position after the frames in the ring.
  var written = 0
  /// The ring position after all frames that were taken. The last of them may still be in the resampler.
  var end = 0
}

/// What an engine gives to the ``LiveInput`` that it plays.
struct LivePlayer: Sendable {
  /// The decode thread sleeps until this is signalled.
  let wake: WakeUp
  /// Which frame is heard. Nil for an overlay: it plays each frame as soon as it can, so its lead is not
  /// regulated.
  let clock: PlaybackClock?
  /// The time on the monotonic clock, in nanoseconds.
  let now: @Sendable () -> Int64
}
