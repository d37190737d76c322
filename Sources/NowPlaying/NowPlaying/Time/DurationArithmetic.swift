/// Arithmetic that `Duration` does not have. These functions do not trap for any number that a surface sends.
extension Duration {
  /// The limit of a product: about thirty years. The limit replaces a larger product, because the exact multiplication
  /// could trap.
  private static let limitSeconds = 1e9

  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// The duration multiplied by a rate. The result is exact for the rate 1.
  func scaled(by rate: Double) -> Duration {
    if rate == 1 { return self }
    let seconds = inSeconds * rate
    guard seconds.magnitude < Self.limitSeconds else {
      return .seconds(seconds < 0 ? -Self.limitSeconds : Self.limitSeconds)
    }
    return self * rate
  }

  func clamped(from lowest: Duration, to highest: Duration?) -> Duration {
    let value = max(self, lowest)
    return highest.map { min(value, max($0, lowest)) } ?? value
  }

  var magnitude: Duration { self < .zero ? .zero - self : self }

  /// Hours, minutes and seconds as on a display, without fractions: `1:23`, `1:02:03`.
  var clockText: String {
    let whole = components.seconds
    let (sign, seconds) = whole < 0 ? ("-", -whole) : ("", whole)
    let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60 % 60
    return seconds < 3600
      ? "\(sign)\(minutes):\(two(seconds % 60))"
      : "\(sign)\(seconds / 3600):\(two(minutes)):\(two(seconds % 60))"
  }

  /// The duration in milliseconds, without fractions, as a trace shows it.
  var millisecondText: String {
    let (seconds, attoseconds) = components
    return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}

extension Double {
  /// Text for a rate or a gain, rounded to two digits after the point. Zeros at the end of the fraction are omitted:
  /// `1`, `1.5`, `1.25`.
  var shortText: String {
    guard isFinite, magnitude < 1e9 else { return "\(self)" }
    let hundredths = Int((self * 100).rounded())
    let (whole, fraction) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
    let sign = hundredths < 0 ? "-" : ""
    if fraction == 0 { return "\(sign)\(whole)" }
    if fraction % 10 == 0 { return "\(sign)\(whole).\(fraction / 10)" }
    return "\(sign)\(whole).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
