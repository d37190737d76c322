extension PhonesState {
  /// The signal of a connected phone.
  package struct Signal: Hashable, Sendable {
    /// If ``isAbsolute`` is true, this is the signal strength in dBm. Otherwise it is the distance
    /// in dB from the range in which the controller receives best: positive above this range,
    /// negative below it, and 0 inside it. Nil if the controller reports no value.
    package var decibels: Int?
    /// True for a Low Energy link. For a link of classic Bluetooth, the controller does not report
    /// the strength in dBm (Bluetooth Core Specification, Vol 4, Part E, 7.5.4).
    package var isAbsolute: Bool
    /// The quality of the link, 0 to 255. A higher value is better. The maker of the controller
    /// defines what the values between 0 and 255 mean. Nil if the quality is unknown.
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
