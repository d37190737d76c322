/// How loud it should seem, in thousandths: 0 is silence, 1000 is the loudest.
///
/// Fine enough that the 127 steps of AVRCP and the 100 of a screen come back as they went in, so
/// that no slider jumps after it was let go.
public struct VolumeLevel: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 0 … 1000.
  public let thousandths: Int

  /// Anything outside 0 … 1000 is cut off.
  public init(thousandths: Int) { self.thousandths = min(max(thousandths, 0), 1000) }

  /// A step of a scale: `of` is its last one (127 for AVRCP, 100 for per cent), at least 1.
  public init(step: Int, of last: Int) {
    let last = max(last, 1)
    self.init(thousandths: (min(max(step, 0), last) * 1000 + last / 2) / last)
  }

  /// The nearest step of a scale whose last one is `last`. A scale of fewer than a thousand
  /// steps gets back exactly what it gave.
  public func step(of last: Int) -> Int { (thousandths * max(last, 1) + 500) / 1000 }

  /// Silence.
  public static let silent = VolumeLevel(thousandths: 0)
  /// The loudest.
  public static let loudest = VolumeLevel(thousandths: 1000)

  /// Quieter before louder.
  public static func < (left: VolumeLevel, right: VolumeLevel) -> Bool {
    left.thousandths < right.thousandths
  }

  /// `42.5 %`.
  public var description: String { "\((Double(thousandths) / 10).shortText) %" }
}
