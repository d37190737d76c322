/// Perceived loudness in thousandths: 0 is silence, 1000 is the loudest level.
///
/// The scale is so fine that each of the 127 steps of AVRCP and of the 100 steps of a screen
/// converts to thousandths and back to the same step. So no slider jumps after its release.
public struct VolumeLevel: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 0 … 1000.
  public let thousandths: Int

  /// Values outside 0 … 1000 are limited to this range.
  public init(thousandths: Int) { self.thousandths = min(max(thousandths, 0), 1000) }

  /// Step `step` of a scale whose last step is `last` (127 for AVRCP, 100 for per cent), at least
  /// 1.
  public init(step: Int, of last: Int) {
    let last = max(last, 1)
    self.init(thousandths: (min(max(step, 0), last) * 1000 + last / 2) / last)
  }

  /// The nearest step of a scale whose last step is `last`. A scale with fewer than a thousand
  /// steps gets back exactly the step that it set.
  public func step(of last: Int) -> Int { (thousandths * max(last, 1) + 500) / 1000 }

  /// Silence.
  public static let silent = VolumeLevel(thousandths: 0)
  /// The loudest level.
  public static let loudest = VolumeLevel(thousandths: 1000)

  /// Compares the loudness.
  public static func < (left: VolumeLevel, right: VolumeLevel) -> Bool {
    left.thousandths < right.thousandths
  }

  /// `42.5 %`.
  public var description: String { "\((Double(thousandths) / 10).shortText) %" }
}
