public import AudioCodecs
internal import Synchronization
internal import Threads

/// An input whose source pushes frames by its own clock, for example a phone.
///
/// A file waits until the engine wants frames. A live source does not wait, so the engine plays its
/// frames with a *lead*: the time from the push of a frame until the frame is heard. The lead absorbs
/// frames that arrive late. It is limited, because picture and sound would be heard apart, and because
/// a source that is too fast would fill the memory.
///
/// - Before the first frame, and after the lead was used up, the input waits until the source has
///   pushed frames for ``Lead/target``.
/// - If the lead exceeds ``Lead/limit``, the input fades out, drops new frames until the lead is at the
///   target, and fades in.
/// - The clocks of the source and of the sound card differ a little. The source reads ``lead`` from
///   time to time, and sets a ratio (``setRatio(_:)``) that keeps it at the target.
///
/// A live source has no pause: stop the engine (``PlaybackEngine/stop()``), and play the input again.
/// To play the input again drops the frames that were not heard.
///
/// - Thread: ``push(_:frames:)``, ``end()``, ``setRatio(_:)`` and the properties may be used on any
///   thread, but only one thread may push. No call blocks. The engine uses the input on its decode
///   thread.
public final class LiveInput: Sendable {
  /// How long before it is heard a frame is pushed, in seconds.
  public struct Lead: Equatable, Sendable {
    /// The lead with which the input begins, and to which it returns. At the start, the lead is longer by
    /// the time that the device needs until it plays its first frame.
    public var target: Double
    /// The largest lead.
    public var limit: Double

    /// - Parameters:
    ///   - target: must be above 0.
    ///   - limit: must be at least `target` and at most 2 s.
    public init(target: Double, limit: Double) {
      precondition(target > 0 && limit >= target && limit <= 2, "invalid lead")
      self.target = target
      self.limit = limit
    }
  }

  /// What has happened to the frames so far.
  public struct Counts: Equatable, Sendable {
    /// Number of frames that the source has pushed.
    public var pushed = 0
    /// Number of frames that were dropped, because the lead exceeded its limit.
    public var dropped = 0
    /// Number of times that the lead was used up.
    public var underruns = 0
  }

  /// The format of the frames. The samples are floats.
  public let format: StreamFormat
  private let lengths: LiveQueue.Lengths
  private let state: Mutex<State>

  private struct State {
    var queue: LiveQueue
    var counts = Counts()
    var ratio = 1.0
    /// The engine that plays the input.
    var player: LivePlayer?
    /// Number of frames that the engine has taken and not yet written to its ring.
    var taken = 0
    var place = LivePlace()
  }

  /// Creates an input to which nothing was pushed.
  ///
  /// - Parameter sampleRate: frames per second, 8000 … 192 000 Hz.
  public init(sampleRate: Int, layout: ChannelLayout, lead: Lead) {
    precondition((8000...192_000).contains(sampleRate), "invalid rate")
    format = StreamFormat(sampleRate: sampleRate, layout: layout, encoding: .float)
    lengths = LiveQueue.Lengths(lead, rate: sampleRate)
    state = Mutex(State(queue: LiveQueue(channels: layout.count, capacity: lengths.capacity)))
  }

  deinit { state.withLock { $0.queue.deallocate() } }

  // MARK: The source

  /// Adds `frames` frames of interleaved floats from −1 to 1. Frames after ``end()`` are ignored.
  public func push(_ samples: UnsafePointer<Float>, frames: Int) {
    state.withLock { state in
      if state.queue.hasEnded { return }
      state.counts.pushed += frames
      let ahead = framesAhead(state)
      if state.queue.isDrained, state.taken == 0, isAllHeard(state) {
        state.counts.underruns += 1
        state.queue.fill()
      }
      // Short pieces, so that the lead does not exceed its limit by a long push.
      for first in stride(from: 0, to: frames, by: lengths.fade) {
        let piece = min(lengths.fade, frames - first)
        let isKept = state.queue.add(
          samples + first * format.channels, frames: piece, handedOver: ahead.handedOver, lengths)
        if !isKept { state.counts.dropped += piece }
      }
      state.player?.wake.signal()
    }
  }

  /// Call this if no frames follow. The frames so far are played to their end, once. To play the source
  /// again, create a new input.
  public func end() {
    state.withLock { state in
      state.queue.end()
      state.player?.wake.signal()
    }
  }

  /// Plays the frames of the source faster or slower. 1.001 plays 1001 frames in the time of 1000 frames,
  /// so the lead becomes shorter. The ratio is limited to 0.98 … 1.02. A ratio that is not a number is
  /// ignored.
  ///
  /// With the ratio 1, frames stay bit-exact. From the first other ratio on, all frames are resampled.
  /// Change the ratio by less than 0.0001 at a time, because larger changes are heard.
  public func setRatio(_ ratio: Double) {
    guard ratio.isFinite else { return }
    state.withLock { $0.ratio = min(max(ratio, 0.98), 1.02) }
  }

  /// The time in seconds until a frame is heard that is pushed now. It includes the frames that the
  /// engine and the device hold.
  public var lead: Double {
    state.withLock { state in
      let ahead = framesAhead(state)
      return Double(ahead.queued + max(0, ahead.handedOver)) / Double(format.sampleRate)
    }
  }

  /// What has happened to the frames so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The track with which ``PlaybackEngine/play(_:at:)`` plays this input. A seek in this track drops
  /// the frames that were not heard.
  public func track(id: Int, description: TrackDescription) -> TrackRequest {
    TrackRequest(id: id) { () throws(DecodeError) in
      OpenedTrack(decoder: LiveDecoder(self), description: description)
    }
  }

  /// The frames that are not heard yet, in frames of the source: those in the queue, and those that the
  /// engine has got.
  private func framesAhead(_ state: borrowing State) -> (queued: Int, handedOver: Int) {
    guard let player = state.player else { return (state.queue.count, 0) }
    let clock = player.clock.read()
    let left = state.place.end - player.clock.heardPosition(now: player.now())
    let scale = Double(format.sampleRate) * state.ratio / Double(clock.sampleRate)
    return (state.queue.count, state.taken + Int(Double(left) * scale))
  }

  /// True if all frames that were written to the ring were heard.
  private func isAllHeard(_ state: borrowing State) -> Bool {
    guard let player = state.player else { return false }
    return player.clock.heardPosition(now: player.now()) >= state.place.written
  }

  // MARK: The engine

  /// Call this when the engine begins to play the input.
  func attach(_ player: LivePlayer) { state.withLock { $0.player = player } }

  /// Call this when the engine no longer plays the input. Drops the frames that were not taken.
  func detach() {
    state.withLock { state in
      state.player = nil
      state.queue.restart()
    }
  }

  /// Drops the frames that were not taken, and waits until the lead is at its target.
  func restart() {
    state.withLock { state in
      state.queue.restart()
      state.taken = 0
      state.place = LivePlace()
    }
  }

  /// Moves at most `limit` frames to `samples`. Call this when all frames that were taken before are
  /// converted, and are in the ring up to `place`.
  func take(
    _ limit: Int, into samples: UnsafeMutablePointer<Float>, place: LivePlace
  ) -> LiveQueue.Answer {
    state.withLock { state in
      state.place = place
      state.taken = 0
      let ahead = framesAhead(state)
      let answer = state.queue.take(limit, into: samples, handedOver: ahead.handedOver, lengths)
      state.taken = if case .frames(let count, _) = answer { count } else { 0 }
      return answer
    }
  }

  /// The ratio that the source has set.
  var ratio: Double { state.withLock { $0.ratio } }
}

/// How far the frames of a ``LiveInput`` are in the ring.
struct LivePlace {
  /// The ring position after the frames in the ring.
  var written = 0
  /// The ring position after all frames that were taken. The last of them may still be in the resampler.
  var end = 0
}

/// What an engine gives to the ``LiveInput`` that it plays.
struct LivePlayer: Sendable {
  /// The decode thread sleeps until this is signalled.
  let wake: WakeUp
  /// Which frame is heard.
  let clock: PlaybackClock
  /// The time on the monotonic clock, in nanoseconds.
  let now: @Sendable () -> Int64
}
