/// Converts perceived loudness to gain.
///
/// Perceived loudness follows a power law: a sound with 10 dB more is perceived as twice as loud (Stevens' law, the
/// sone). So half the level is −10 dB, and a quarter of the level is −20 dB. So people perceive equal movements of a
/// slider as equal changes.
enum LoudnessCurve {
  private static let decibelsPerDoubling = 10.0

  /// The gain: 0 dB for the loudest level; nil for silence.
  static func decibels(_ level: VolumeLevel) -> Double? {
    guard level > .silent else { return nil }
    return decibelsPerDoubling * binaryLogarithm(Double(level.thousandths) / 1000)
  }

  /// The logarithm to base 2. The standard library of Swift has no logarithm. The exponent of `value` is the integer
  /// part of the result. Then each squaring of the significand gives one more binary digit. The result is exact for
  /// powers of two.
  static func binaryLogarithm(_ value: Double) -> Double {
    var result = Double(value.exponent)
    var rest = value.significand
    var digit = 0.5
    while digit > 1e-12 {
      rest *= rest
      if rest >= 2 {
        rest /= 2
        result += digit
      }
      digit /= 2
    }
    return result
  }
}
