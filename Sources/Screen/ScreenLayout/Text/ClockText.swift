/// Times as they stand beside the bar.
enum ClockText {
  /// Whole seconds: `0:07`, `1:02:03`. Cut off at a hundred hours, which no column has room for.
  static func text(_ seconds: Int) -> String {
    let seconds = min(max(seconds, 0), 359_999)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60 % 60
    return seconds < 3600
      ? "\(minutes):\(two(seconds % 60))"
      : "\(seconds / 3600):\(two(minutes)):\(two(seconds % 60))"
  }

  /// With the sign of a length that counts down; nothing is left without it.
  static func remaining(_ seconds: Int) -> String { "\u{2212}" + text(seconds) }

  /// At most one decimal: `1.5×`, `8×`.
  static func rate(_ rate: Double) -> String {
    let tenths = Int((min(rate, 999) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)×" : "\(tenths / 10).\(tenths % 10)×"
  }
}
