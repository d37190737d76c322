// Numbers for people and programs.

extension Duration {
  /// The duration in seconds, rounded to a thousandth.
  package var roundedSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + (Double(attoseconds) / 1e15).rounded() / 1000
  }
}

extension Double {
  /// The number as text. A whole number has no decimal point: 2.0 becomes `2`.
  package var plain: String {
    self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
  }
}
