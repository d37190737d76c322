// Numbers as people and programs are told them.

extension Duration {
  /// In seconds, to a thousandth.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + (Double(attoseconds) / 1e15).rounded() / 1000
  }
}

extension Double {
  /// Without a fraction where there is none.
  package var plain: String {
    self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
  }
}
