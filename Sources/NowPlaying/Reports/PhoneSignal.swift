extension PhonesState {
  /// How well a phone is heard that is connected.
  package struct Signal: Hashable, Sendable {
    /// In dBm where ``isAbsolute``; else how many dB it lies above or below the range in which the
    /// controller hears best, 0 being within. Nil where the controller does not say.
    package var decibels: Int?
    /// Whether it is a link of low energy: the classic radio tells no dBm (Core, Vol 4, Part E,
    /// 7.5.4).
    package var isAbsolute: Bool
    /// 0 to 255, more is better; what between means is each maker's. Nil where nobody knows.
    package var quality: Int?

    /// See the fields.
    package init(decibels: Int? = nil, isAbsolute: Bool = false, quality: Int? = nil) {
      self.decibels = decibels
      self.isAbsolute = isAbsolute
      self.quality = quality
    }

    /// For people.
    package var words: String {
      let strength =
        switch decibels {
        case nil: "signal unknown"
        case let level? where isAbsolute: "signal \(level) dBm"
        case 0?: "signal in the best range"
        case let level?:
          "signal \(level.magnitude) dB \(level < 0 ? "below" : "above") the best range"
        }
      return quality.map { "\(strength), quality \($0) of 255" } ?? strength
    }
  }
}
