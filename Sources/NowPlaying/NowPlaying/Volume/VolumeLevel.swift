/// Perceived loudness in thousandths: 0 is silence, 1000 is the loudest level.
///
/// AVRCP has 127 steps, and a screen has 100. If one of these steps is converted to thousandths and back, the result is
/// the same step. So no slider jumps after a person releases it.
public struct VolumeLevel: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The loudness, 0 … 1000.
  public let thousandths: Int

  /// Creates a level. Values outside 0 … 1000 are limited to this range.
  public init(thousandths: Int) { self.thousandths = min(max(thousandths, 0), 1000) }

  /// The level of step `step` on a scale whose last step is `last` (127 for AVRCP, 100 for per cent). If `last` is
  /// below 1, it counts as 1.
  public init(step: Int, of last: Int) {
    let last = max(last, 1)
    self.init(thousandths: (min(max(step, 0), last) * 1000 + last / 2) / last)
  }

  /// The nearest step on a scale whose last step is `last`. If the level was made from a step of the same scale, and
  /// `last` is at most 1000, the result is exactly this step.
  public func step(of last: Int) -> Int { (thousandths * max(last, 1) + 500) / 1000 }

  /// Silence.
  public static let silent = VolumeLevel(thousandths: 0)
  /// The loudest level.
  public static let loudest = VolumeLevel(thousandths: 1000)

  /// Compares the loudness.
  public static func < (left: VolumeLevel, right: VolumeLevel) -> Bool {
    left.thousandths < right.thousandths
  }

  /// The level as a person reads it, 0 … 100. Only silence is 0.
  public var percent: Int { self == .silent ? 0 : max(1, step(of: 100)) }

  /// The level as text: `43 %`.
  public var description: String { "\(percent) %" }
}
