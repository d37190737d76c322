/// Quantities as text for people: times, sample rates, sizes, decibels.
///
/// A value is first rounded and then formatted with integers. So a value that rounds up to the next unit is never shown
/// as `60` seconds or `1000 kB`.
package enum TimeText {
  /// The time as `m:ss`, or as `h:mm:ss` from one hour on. It is rounded down to whole seconds. Negative values and NaN
  /// give `0:00`.
  package static func clock(_ seconds: Double) -> String {
    // The upper limit (about 30 million years) prevents a trap in the conversion to `Int`.
    let whole = seconds > 0 ? Int(min(seconds, 1e15)) : 0
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0
      ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
  }

  /// A sample rate in Hz as exact text: `44.1 kHz`, `96 kHz`, `35.467 kHz`. A rate below 1 kHz is shown in Hz: `999
  /// Hz`.
  package static func kilohertz(_ hertz: Int) -> String {
    hertz < 1000 ? "\(hertz) Hz" : "\(thousandths(hertz)) kHz"
  }

  /// A size in decimal units: `999 bytes`, `1.5 kB`, `348 kB`, `1.2 MB`, `4.0 GB`. A number below ten has one decimal,
  /// a larger number has none.
  package static func bytes(_ count: Int64) -> String {
    if count == 1 { return "1 byte" }
    if count < 1000 { return "\(count) bytes" }
    var unit: Int64 = 1000
    for name in ["kB", "MB", "GB"] {
      let tenths = rounded(count, unit / 10)
      if tenths < 100 { return "\(tenths / 10).\(tenths % 10) \(name)" }
      let whole = rounded(count, unit)
      if whole < 1000 { return "\(whole) \(name)" }
      unit *= 1000
    }
    let tenths = rounded(count, unit / 10)
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) TB" : "\(rounded(count, unit)) TB"
  }

  /// A level in decibels with its sign: `−3.5 dB`, `+2.0 dB`, `0.0 dB`. Silence gives `−∞ dB`.
  ///
  /// - Parameter decimals: 0 to 3.
  package static func decibels(_ value: Double, decimals: Int = 1) -> String {
    precondition((0...3).contains(decimals))
    guard !value.isNaN else { return "? dB" }
    let scale = [1, 10, 100, 1000][decimals]
    let sign = value < 0 ? "−" : "+"
    // No real level exceeds a million decibels. Without this limit, the conversion to `Int` could trap.
    guard abs(value) < 1e6 else { return "\(sign)∞ dB" }
    let steps = Int((abs(value) * Double(scale)).rounded())
    let fraction = decimals == 0 ? "" : ".\(zeroPadded(steps % scale, decimals))"
    return "\(steps == 0 ? "" : sign)\(steps / scale)\(fraction) dB"
  }

  /// `value` divided by 1000, with as many decimals as needed.
  private static func thousandths(_ value: Int) -> String {
    var decimals = zeroPadded(value % 1000, 3)[...]
    while decimals.last == "0" { decimals.removeLast() }
    return decimals.isEmpty ? "\(value / 1000)" : "\(value / 1000).\(decimals)"
  }

  /// `count / unit`, rounded half up. The remainder is used because an addition before the division could overflow.
  private static func rounded(_ count: Int64, _ unit: Int64) -> Int64 {
    count / unit + (count % unit >= (unit + 1) / 2 ? 1 : 0)
  }

  private static func twoDigits(_ value: Int) -> String { zeroPadded(value, 2) }

  private static func zeroPadded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
