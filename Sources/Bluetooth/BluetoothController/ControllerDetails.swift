/// Manufacturer, version and features of a controller.
package struct ControllerDetails: Hashable, Sendable {
  /// Features that a car needs. The raw value is the number of the bit on the first page of
  /// features.
  package enum Feature: Int, Hashable, Sendable, CaseIterable {
    /// Pairing with a number that both devices show.
    case simplePairing = 51
    /// Higher data rate, for stereo sound.
    case enhancedDataRate = 25
    /// Needed for remotes on steering wheels.
    case lowEnergy = 38
    /// Protects links against eavesdropping.
    case encryption = 2

    /// The text that people see.
    package var label: String {
      switch self {
      case .simplePairing: "pairing by number"
      case .enhancedDataRate: "enhanced data rate"
      case .lowEnergy: "low energy"
      case .encryption: "encryption"
      }
    }
  }

  /// The manufacturer, by the number that the Bluetooth SIG has assigned.
  package var manufacturer: String
  /// Bluetooth version of the host controller interface (HCI), such as `5.1`.
  package var version: String
  /// The features that the controller supports.
  package var features: Set<Feature>

  package init(manufacturer: String, version: String, features: Set<Feature>) {
    self.manufacturer = manufacturer
    self.version = version
    self.features = features
  }
}

/// Strength and quality of a link.
package struct LinkReading: Hashable, Sendable {
  /// Signal strength. For a low energy link: in dBm. For a classic link: the distance in dB above
  /// or below the range in which the controller receives best; 0 is within that range (Core, Vol 4,
  /// Part E, 7.5.4). Nil if the controller does not report the strength.
  package var signal: Int?
  /// True if the link is a low energy link.
  package var isLowEnergy: Bool
  /// The quality of the link, 0 to 255. A higher value is better. The manufacturer of the
  /// controller defines the scale. Nil if the controller does not report the quality.
  package var quality: Int?

  package init(signal: Int? = nil, isLowEnergy: Bool = false, quality: Int? = nil) {
    self.signal = signal
    self.isLowEnergy = isLowEnergy
    self.quality = quality
  }
}

/// The data that were read from one controller.
package struct ControllerReading: Hashable, Sendable {
  /// The details of the controller; nil if the controller did not answer.
  package var details: ControllerDetails?
  /// The links, by the address of the other device, such as `AA:BB:CC:DD:EE:FF`.
  package var links: [String: LinkReading]

  package init(details: ControllerDetails? = nil, links: [String: LinkReading] = [:]) {
    self.details = details
    self.links = links
  }
}
