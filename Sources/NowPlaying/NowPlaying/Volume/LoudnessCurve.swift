/// From how loud it should seem to how much the signal is turned down.
///
/// Loudness is felt in powers: ten decibels more sound twice as loud (Stevens' law, the sone). So
/// half the level is −10 dB, a quarter −20 dB, and equal ways of a slider are felt as equal.
enum LoudnessCurve {
  private static let decibelsPerDoubling = 10.0

  /// 0 dB at the loudest; nil for silence.
  static func decibels(_ level: VolumeLevel) -> Double? {
    guard level > .silent else { return nil }
    return decibelsPerDoubling * binaryLogarithm(Double(level.thousandths) / 1000)
  }

  /// The standard library has none. The exponent is there to read; each squaring of what is left
  /// tells one more binary digit. Exact for powers of two.
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
