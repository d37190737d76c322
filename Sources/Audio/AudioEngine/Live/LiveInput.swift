public import AudioCodecs
internal import Synchronization
internal import Threads

/// An input whose source pushes frames by its own clock, for example a phone.
///
/// A file waits until the engine wants frames. A live source does not wait, so the engine plays its frames with a
/// *lead*: the time from the push of a frame until the frame is heard. The lead absorbs frames that arrive late. The
/// lead is limited for two reasons. With a long lead, the sound is later than the picture. A source that is too fast
/// would fill the memory.
///
/// - Before the first frame, and after the lead was used up, the input waits until the source has pushed frames for
///   ``Lead/target``.
/// - If the lead is far above the target (``Lead/limit``), the input fades out, drops new frames until the lead is at
///   the target, and fades in.
/// - The clocks of the source and of the sound card differ a little, and some sources push frames less evenly than
///   others. The source lets a ``LeadRegulator`` set the ratio and the target (``regulate(with:at:)``).
///
/// A live source has no pause. Instead, stop the engine (``PlaybackEngine/stop()``), and later play the input again.
/// This drops the frames that were not heard.
///
/// - Thread: all members can be used on any thread, but frames must be pushed on one thread only. No call blocks. The
///   engine uses the input on its decode thread.
public final class LiveInput: Sendable {
  /// The target and the limit of the lead, in seconds.
  public struct Lead: Equatable, Sendable {
    /// The lead with which the input begins, and to which it returns. At the start, the lead is longer by the time that
    /// the device needs until it plays its first frame. ``LiveInput/setTarget(_:)`` changes the target.
    public var target: Double
    /// The largest target, and the largest lead. The memory of the input is made for this lead. With a small target,
    /// the largest lead is smaller: 4 times the target, but at least 150 ms more than the target.
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

  /// The values that a ``LeadRegulator`` needs.
  public struct Level: Equatable, Sendable {
    /// See ``LiveInput/lead``.
    public var lead: Double
    /// False while the input waits until it has frames for the target, and while it drops frames. The lead is then not
    /// useful to compare the clocks.
    public var isSteady: Bool
    /// See ``Counts/underruns``.
    public var underruns: Int

    /// Creates a level.
    public init(lead: Double, isSteady: Bool, underruns: Int) {
      self.lead = lead
      self.isSteady = isSteady
      self.underruns = underruns
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
  private let limit: Double
  let state: Mutex<State>

  struct State {
    var queue: LiveQueue
    var lengths: LiveQueue.Lengths
    var counts = Counts()
    var ratio = 1.0
    /// The engine that plays the input.
    var player: LivePlayer?
    /// Number of frames that the engine has taken and not yet written to its ring.
    var taken = 0
    var progress = LiveProgress()
    /// ``PlaybackClock/liveUnderruns`` at the last call of `newUnderruns`.
    var seenUnderruns = 0

    /// Number of underruns since the last call.
    mutating func newUnderruns(_ clock: PlaybackClock) -> Int {
      let seen = seenUnderruns
      seenUnderruns = clock.liveUnderruns
      return max(0, seenUnderruns - seen)
    }
  }

  /// Creates an input without frames.
  ///
  /// - Parameter sampleRate: frames per second, 8000 … 192 000 Hz.
  public init(sampleRate: Int, layout: ChannelLayout, lead: Lead) {
    precondition((8000...192_000).contains(sampleRate), "invalid rate")
    format = StreamFormat(sampleRate: sampleRate, layout: layout, encoding: .float)
    limit = lead.limit
    let lengths = LiveQueue.Lengths(lead, rate: sampleRate)
    let queue = LiveQueue(channels: layout.count, capacity: lengths.capacity)
    state = Mutex(State(queue: queue, lengths: lengths))
  }

  deinit { state.withLock { $0.queue.deallocate() } }

  // MARK: The source

  /// Adds `frames` frames of interleaved floats from −1 to 1. Frames after ``end(fades:)`` are ignored.
  public func push(_ samples: UnsafePointer<Float>, frames: Int) {
    let wake: WakeUp? = state.withLock { state in
      if state.queue.hasEnded { return nil }
      state.counts.pushed += frames
      let ahead = framesAhead(state)
      if let clock = state.player?.clock { state.counts.underruns += state.newUnderruns(clock) }
      // The queue must fill only while nothing is heard. If frames are heard again already, filling would cause a
      // second hole.
      if state.queue.isDrained, state.taken == 0, isAllHeard(state) { state.queue.fill() }
      // Add the frames in short pieces, so that a long push does not exceed the limit of the lead.
      let fade = state.lengths.fade
      for first in stride(from: 0, to: frames, by: fade) {
        let piece = min(fade, frames - first)
        let isKept = state.queue.add(
          samples + first * format.channels, frames: piece, handedOver: ahead.handedOver,
          state.lengths)
        if !isKept { state.counts.dropped += piece }
      }
      return state.player?.wake
    }
    // Signal after the lock is released, because the decode thread takes the lock at once.
    wake?.signal()
  }

  /// Call this if no frames follow. The frames that were pushed are played to their end. After that the input cannot
  /// play again: to play the source again, create a new input.
  ///
  /// - Parameter fades: true if the sound ends suddenly. The last frames then fade out.
  public func end(fades: Bool = false) {
    state.withLock { state in
      if fades { state.queue.fadeOut(state.lengths.fade) }
      state.queue.end()
      state.player?.wake.signal()
    }
  }

  /// Plays the frames of the source faster or slower. 1.001 plays 1001 frames in the time of 1000 frames, so the lead
  /// becomes shorter. The ratio is limited to 0.98 … 1.02. A ratio that is not a number is ignored.
  ///
  /// With the ratio 1, frames stay bit-exact. From the first other ratio on, all frames are resampled. Change the ratio
  /// by less than 0.0001 at a time, because larger changes are audible.
  public func setRatio(_ ratio: Double) {
    state.withLock { setRatio(ratio, &$0) }
  }

  private func setRatio(_ ratio: Double, _ state: inout State) {
    guard ratio.isFinite else { return }
    state.ratio = min(max(ratio, 0.98), 1.02)
  }

  /// Changes the target of the lead. The sound continues without a hole, while the ratio (``setRatio(_:)``) changes the
  /// lead gradually. But if the input waits for frames after an underrun, it waits until the lead is at the new target.
  /// If the lead is far above the new target, frames are dropped (``Lead/limit``).
  ///
  /// - Parameter seconds: must be above 0 and at most ``Lead/limit``.
  public func setTarget(_ seconds: Double) {
    state.withLock { setTarget(seconds, &$0) }
  }

  private func setTarget(_ seconds: Double, _ state: inout State) {
    let lead = Lead(target: seconds, limit: limit)
    state.lengths = LiveQueue.Lengths(lead, rate: format.sampleRate)
  }

  /// Lets `regulator` set the target and the ratio. Call this once for each packet, after its frames were pushed. The
  /// input must be created with ``LeadRegulator/lead``, or with a limit that is not smaller.
  ///
  /// - Parameter seconds: the time of arrival of the packet, from a monotonic clock.
  public func regulate(with regulator: inout LeadRegulator, at seconds: Double) {
    state.withLock { state in
      regulator.step(level(state), at: seconds)
      setTarget(regulator.target, &state)
      setRatio(regulator.ratio, &state)
    }
  }

  /// The time in seconds until a frame that is pushed now is heard. This time includes the frames in the engine and in
  /// the device.
  public var lead: Double { level.lead }

  /// The lead, and the values that are needed to interpret the lead.
  public var level: Level { state.withLock { level($0) } }

  private func level(_ state: borrowing State) -> Level {
    let ahead = framesAhead(state)
    let lead = Double(ahead.queued + max(0, ahead.handedOver)) / Double(format.sampleRate)
    return Level(
      lead: lead, isSteady: state.queue.isOpen && state.player?.clock != nil,
      underruns: state.counts.underruns)
  }

  /// What has happened to the frames so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The track with which ``PlaybackEngine/play(_:at:)`` plays this input. A seek in this track drops the frames that
  /// were not heard.
  public func track(id: Int, description: TrackDescription) -> TrackRequest {
    TrackRequest(id: id) { () throws(DecodeError) in
      OpenedTrack(decoder: LiveDecoder(self), description: description)
    }
  }

  /// The numbers of frames of the source that are not heard yet: the frames in the queue, and the frames that the
  /// engine has taken.
  private func framesAhead(_ state: borrowing State) -> (queued: Int, handedOver: Int) {
    guard let player = state.player else { return (state.queue.count, 0) }
    guard let playbackClock = player.clock else { return (state.queue.count, state.taken) }
    let clock = playbackClock.read()
    let left = state.progress.end - playbackClock.heardPosition(now: player.now())
    let scale = Double(format.sampleRate) * state.ratio / Double(clock.sampleRate)
    return (state.queue.count, state.taken + Int(Double(left) * scale))
  }

  /// True if all frames that were written to the ring were heard.
  private func isAllHeard(_ state: borrowing State) -> Bool {
    guard let player = state.player, let clock = player.clock else { return false }
    return clock.heardPosition(now: player.now()) >= state.progress.written
  }

  // MARK: The engine

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
      // If the player has no clock, an overlay already plays the input.
      guard state.player?.clock != nil else { return }
      state.player = nil
      state.queue.restart()
    }
  }

  /// Call this when an overlay no longer plays the input. Does nothing if the engine already plays the input as a
  /// track.
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

  /// Moves at most `limit` frames to `samples`. Call this when all frames that were taken before are converted, and are
  /// in the ring up to `progress`.
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

/// The ring positions that the frames of a ``LiveInput`` have reached.
struct LiveProgress {
  /// The ring position after the frames that were written to the ring.
  var written = 0
  /// The ring position after all frames that were taken. The last of these frames can still be in the resampler.
  var end = 0
}

/// The parts of an engine that a ``LiveInput`` uses while the engine plays this input.
struct LivePlayer: Sendable {
  /// The decode thread sleeps until this is signalled.
  let wake: WakeUp
  /// Tells which frame is heard. Nil if an overlay plays the input: an overlay plays each frame as soon as possible, so
  /// the lead is not regulated.
  let clock: PlaybackClock?
  /// Returns the time on the monotonic clock, in nanoseconds.
  let now: @Sendable () -> Int64
}
