/// Decides the target of the lead of a ``LiveInput``, and the ratio with which the input plays. A value without I/O,
/// which allocates nothing. Create a new value for each stream.
///
/// The target follows the holes, that is the times without a packet. A longer hole or an underrun raises the target at
/// once. If no hole of this length follows for two minutes, the target decreases by 1 ms per second.
///
/// The ratio follows the level, that is the average of the lead over about one second. While the level is near the
/// target, the ratio stays exactly 1, so that the frames are bit-exact. When the level is farther from the target for
/// the first time, the regulator *engages*. From then on, the regulator keeps the level at the target. Before it
/// engages, it does not lower the target, because a lower target would end the bit-exact sound without need.
public struct LeadRegulator: Sendable {
  /// The target at the start, in seconds. It absorbs holes of 50 ms, which interference often causes.
  private static let start = 0.08
  /// The smallest target. Phones send a packet every 20 ms.
  private static let floor = 0.04
  /// The largest target. With a larger target, users notice that the sound is later than the picture.
  private static let ceiling = 0.25
  /// The target is at least this number of times the longest hole.
  private static let reserve = 1.5
  /// The target is at least the longest hole plus the delay of the device plus this time. This time consists of 5 ms
  /// for a fade of the input, 5 ms for a fade of the renderer, 5 ms for the filters of the resampler, and 10 ms for the
  /// threads.
  private static let engineSeconds = 0.025
  /// The largest delay that counts as the delay of the device. The rest of a longer delay comes from the source.
  private static let largestDelay = 0.05
  /// The increase of the target after an underrun that no hole explains.
  private static let raise = 0.02
  /// A source that sends nothing for longer than this has paused. A pause does not count as a hole.
  private static let pause = 1.0
  /// The decrease of the target per second.
  private static let lowering = 0.001

  /// The regulator engages if the level differs from the target by more than this time.
  private static let tolerance = 0.015
  /// The part of an error of the level that is corrected in a second. A level that varies by 1 ms changes the pitch by
  /// 50 ppm, which is not audible.
  private static let gain = 0.05
  /// The gain of the integral of the error. With this value the level does not oscillate (critical damping).
  private static let integralGain = gain * gain / 4
  /// A larger error is not used to estimate the drift, because it comes from a new target or from a hole.
  private static let largestDriftError = 0.02
  /// The largest drift. The clocks of phones and cards differ by less than 300 ppm.
  private static let largestDrift = 0.001
  private static let largestCorrection = 0.005
  /// The largest change of the ratio in 100 ms. A larger change is audible.
  private static let largestStep = 0.000_09

  /// The target of the lead, in seconds. See ``LiveInput/setTarget(_:)``.
  public private(set) var target = start
  /// The level that is regulated: the lead after a packet, averaged over about one second. Nil before the first second
  /// is complete.
  public var level: Double? { average.value }
  /// See ``LiveInput/setRatio(_:)``.
  public private(set) var ratio = 1.0
  /// False as long as the ratio is exactly 1.
  public private(set) var isEngaged = false
  /// By how much the clock of the source is faster than the clock of the device, in parts per million. The estimate
  /// needs about two minutes. Nil if the regulator is not engaged.
  public var driftPPM: Double? { isEngaged ? drift * 1e6 : nil }

  private var drift = 0.0
  private var average = LeadAverage()
  /// The delay of the device. The level of the first second is above the target by this time (measured: 36 ms with
  /// periods, 6 ms with a device that is rewritten). Nil before the first second is complete.
  private var deviceDelay: Double?
  private var holes = SlidingMaximum()
  /// The smallest target that absorbs the recent holes.
  private var needed = start
  /// The smallest target of this stream: ``floor``, or more after an underrun that no hole explains.
  private var least = floor
  private var underruns = 0
  /// The time of the last step.
  private var last: Double?

  /// Creates the regulator of a stream that begins.
  public init() {}

  /// The target and the limit with which to create a ``LiveInput``. The limit permits each target of the regulator.
  public static var lead: LiveInput.Lead { LiveInput.Lead(target: start, limit: 2 * ceiling) }

  /// Call this once for each packet, after its frames were pushed. After the call, set ``target`` and ``ratio`` at the
  /// input.
  ///
  /// - Parameters:
  ///   - level: the level of the input after the push.
  ///   - seconds: the time of arrival of the packet, from a monotonic clock.
  public mutating func step(_ level: LiveInput.Level, at seconds: Double) {
    noteHole(isUnderrun: level.underruns != underruns, at: seconds)
    underruns = level.underruns
    last = seconds
    guard level.isSteady else {
      average = LeadAverage()
      return
    }
    guard let elapsed = average.add(level.lead, at: seconds) else { return }
    regulate(elapsed: min(elapsed, Self.pause))
  }

  private mutating func noteHole(isUnderrun: Bool, at seconds: Double) {
    let gap = max(0, seconds - (last ?? seconds))
    let hole = gap <= Self.pause ? gap : 0
    let longest = holes.add(hole, at: seconds)
    var engine = Self.engineSeconds + (deviceDelay ?? 0)
    // Before the regulator engages, the level can be below the target by the tolerance, so the target must be higher.
    if !isEngaged { engine += Self.tolerance }
    let wanted = max(longest * Self.reserve, longest + engine)
    // An underrun shows that the target is too small only if the level was at the target.
    let isFull = average.value.map { $0 > target - Self.tolerance } ?? false
    if isUnderrun, isFull, hole > 0, wanted <= target {
      // The threads need more time, or several short holes followed one another.
      least = target + Self.raise
    }
    needed = min(max(wanted, least), Self.ceiling)
    target = max(target, needed)
  }

  /// Updates the drift, the target and the ratio. Called every 100 ms, when the average has a new value.
  private mutating func regulate(elapsed: Double) {
    if let level = average.value, deviceDelay == nil {
      let delay = min(max(0, level - target), Self.largestDelay)
      deviceDelay = delay
      // Without this change of the target, the regulator would engage at the start.
      target = min(target + delay, Self.ceiling)
    }
    let error = average.value.map { $0 - target } ?? 0
    if abs(error) > Self.tolerance { isEngaged = true }
    guard isEngaged else { return }
    if abs(error) <= Self.largestDriftError {
      drift = clamp(drift + error * Self.integralGain * elapsed, Self.largestDrift)
    }
    var correction = drift + error * Self.gain
    if target > needed, error > -Self.tolerance / 3 {
      target = max(needed, target - Self.lowering * elapsed)
      // With this term, the level follows the decreasing target without an error.
      correction += Self.lowering
    }
    let wanted = 1 + clamp(correction, Self.largestCorrection)
    ratio += clamp(wanted - ratio, Self.largestStep)
  }

  private func clamp(_ value: Double, _ limit: Double) -> Double { min(max(value, -limit), limit) }
}
