/// The texts of the times beside the progress bar.
enum ClockText {
  /// The longest time that is shown, in seconds.
  private static let longest = 359_999

  /// A time in whole seconds as text, such as `0:07` or `1:02:03`. The time is limited to less than a hundred hours,
  /// because the screen has no room for more digits.
  static func text(_ seconds: Int) -> String {
    let seconds = min(max(seconds, 0), longest)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60 % 60
    return seconds < 3600
      ? "\(minutes):\(two(seconds % 60))"
      : "\(seconds / 3600):\(two(minutes)):\(two(seconds % 60))"
  }

  /// The remaining time, always with a minus sign.
  static func remaining(_ seconds: Int) -> String { "\u{2212}" + text(seconds) }

  /// Reads the whole seconds from a text that ``text(_:)`` or ``remaining(_:)`` has made. Nil for any other text. Also
  /// nil for the longest time, because its text stands for longer times too.
  static func seconds(_ text: String) -> Int? {
    let digits = text.hasPrefix("\u{2212}") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), !parts.contains(nil) else { return nil }
    let seconds = parts.reduce(0) { $0 * 60 + ($1 ?? 0) }
    return seconds == longest ? nil : seconds
  }

  /// A rate as text with at most one decimal, such as `1.5×` or `8×`.
  static func rate(_ rate: Double) -> String {
    let tenths = Int((min(rate, 999) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)×" : "\(tenths / 10).\(tenths % 10)×"
  }
}
