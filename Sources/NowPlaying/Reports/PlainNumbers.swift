// Numbers for people and programs.

extension Duration {
  /// In seconds, to a thousandth.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + (Double(attoseconds) / 1e15).rounded() / 1000
  }
}

extension Double {
  /// Without a fraction if it is zero.
  package var plain: String {
    self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
  }
}
