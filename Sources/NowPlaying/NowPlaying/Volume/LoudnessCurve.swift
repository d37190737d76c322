/// Converts perceived loudness to gain.
///
/// Perceived loudness follows a power law: ten decibels more sound twice as loud (Stevens' law, the
/// sone). So half the level is −10 dB and a quarter −20 dB, and equal movements of a slider are
/// perceived as equal changes.
enum LoudnessCurve {
  private static let decibelsPerDoubling = 10.0

  /// The gain: 0 dB for the loudest level; nil for silence.
  static func decibels(_ level: VolumeLevel) -> Double? {
    guard level > .silent else { return nil }
    return decibelsPerDoubling * binaryLogarithm(Double(level.thousandths) / 1000)
  }

  /// The standard library has no logarithm. The exponent of the number is the integer part. Each
  /// squaring of the rest gives one more binary digit. Exact for powers of two.
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
