/// Decides the target of the lead of a ``LiveInput``, and the ratio with which the input plays. A value without I/O,
/// which allocates nothing. Create a new value for each stream.
///
/// The target follows the holes, that is the times without a packet. A longer hole or an underrun raises the target at
/// once. If no such hole follows for two minutes, the target goes down by 1 ms in a second.
///
/// The ratio follows the level, that is the average of the lead over about one second. The ratio stays exactly 1 while
/// the level is near the target, because then the frames are bit-exact. The first time that the level is farther away,
/// the regulator *engages*: from then on, it keeps the level at the target. Before, it does not lower the target,
/// because that would end the bit-exact sound without need.
public struct LeadRegulator: Sendable {
  /// The target at the start. It absorbs holes of 50 ms, which interference often causes.
  private static let start = 0.08
  /// The smallest target. Phones send a packet every 20 ms.
  private static let floor = 0.04
  /// The largest target. With more, picture and sound are noticed apart.
  private static let ceiling = 0.25
  /// The target is at least this number of times the longest hole.
  private static let reserve = 1.5
  /// The target is longer than the longest hole by at least this, and by the delay of the device: 5 ms for a fade of
  /// the input, 5 ms for a fade of the renderer, 5 ms for the filters of the resampler, and the rest for the threads.
  private static let engineSeconds = 0.025
  /// The largest delay of the device that counts. A longer one comes from the source.
  private static let largestDelay = 0.05
  /// By how much the target goes up after an underrun that no hole explains.
  private static let raise = 0.02
  /// A source that sends nothing for longer than this has paused. This says nothing about later holes.
  private static let pause = 1.0
  /// By how much the target goes down in a second.
  private static let lowering = 0.001

  /// The regulator engages if the level is farther from the target than this.
  private static let tolerance = 0.015
  /// The part of an error of the level that is corrected in a second. A level that varies by 1 ms changes the pitch by
  /// 50 ppm, which is not heard.
  private static let gain = 0.05
  /// The gain of the integral of the error. With this value the level does not oscillate (critical damping).
  private static let integralGain = gain * gain / 4
  /// A larger error comes from a new target or from a hole, so it says nothing about the clocks.
  private static let largestDriftError = 0.02
  /// The clocks of phones and cards differ by less than 300 ppm.
  private static let largestDrift = 0.001
  private static let largestCorrection = 0.005
  /// Larger changes of the ratio in 100 ms are heard.
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
  /// How long the device holds frames. Because of this, the lead of the first second is above the target (36 ms were
  /// measured with periods, and 6 ms with a device that is rewritten). Nil before.
  private var deviceDelay: Double?
  private var holes = SlidingMaximum()
  /// The target that the holes need.
  private var needed = start
  /// The smallest target of this stream.
  private var least = floor
  private var underruns = 0
  /// The time of the last step.
  private var last: Double?

  /// Creates the regulator of a stream that begins.
  public init() {}

  /// The lead for a new ``LiveInput``, with enough memory for each target of the regulator.
  public static var lead: LiveInput.Lead { LiveInput.Lead(target: start, limit: 2 * ceiling) }

  /// Call this once for each packet, after its frames were pushed. Then give ``target`` and ``ratio`` to the input.
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
    // The level may be this far below the target.
    if !isEngaged { engine += Self.tolerance }
    let wanted = max(longest * Self.reserve, longest + engine)
    // While the level is below the target, an underrun says nothing about the target.
    let isFull = average.value.map { $0 > target - Self.tolerance } ?? false
    if isUnderrun, isFull, hole > 0, wanted <= target {
      // The threads need more time, or several short holes came one after another.
      least = target + Self.raise
    }
    needed = min(max(wanted, least), Self.ceiling)
    target = max(target, needed)
  }

  /// Sets the ratio, after each slot of the average.
  private mutating func regulate(elapsed: Double) {
    if let level = average.value, deviceDelay == nil {
      let delay = min(max(0, level - target), Self.largestDelay)
      deviceDelay = delay
      // Otherwise, the regulator would engage at the start.
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
      // The level follows without an error.
      correction += Self.lowering
    }
    let wanted = 1 + clamp(correction, Self.largestCorrection)
    ratio += clamp(wanted - ratio, Self.largestStep)
  }

  private func clamp(_ value: Double, _ limit: Double) -> Double { min(max(value, -limit), limit) }
}
