extension PhonesState {
  /// The signal of a connected phone.
  package struct Signal: Hashable, Sendable {
    /// The signal strength in dBm if ``isAbsolute`` is true. Otherwise the distance in dB above or
    /// below the range in which the controller receives best; 0 is inside this range. Nil if the
    /// controller reports nothing.
    package var decibels: Int?
    /// True for a Low Energy link. The classic radio reports no dBm (Core, Vol 4, Part E, 7.5.4).
    package var isAbsolute: Bool
    /// The quality of the link, 0 to 255. A higher value is better. Each maker defines the values
    /// in between. Nil if unknown.
    package var quality: Int?

    package init(decibels: Int? = nil, isAbsolute: Bool = false, quality: Int? = nil) {
      self.decibels = decibels
      self.isAbsolute = isAbsolute
      self.quality = quality
    }

    /// The text for people.
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
