/// What a controller says of itself.
package struct ControllerDetails: Hashable, Sendable {
  /// What a car needs of one. The raw value is the bit's number on the first page of features.
  package enum Feature: Int, Hashable, Sendable, CaseIterable {
    /// Pairing by a number that both show.
    case simplePairing = 51
    /// Sound in both channels.
    case enhancedDataRate = 25
    /// Remotes on steering wheels.
    case lowEnergy = 38
    /// No one else listens.
    case encryption = 2

    /// In words.
    package var words: String {
      switch self {
      case .simplePairing: "pairing by number"
      case .enhancedDataRate: "enhanced data rate"
      case .lowEnergy: "low energy"
      case .encryption: "encryption"
      }
    }
  }

  /// Who made it, by the number that the Bluetooth SIG gave them.
  package var manufacturer: String
  /// Of Bluetooth, as it speaks it with the machine: `5.1`.
  package var version: String
  /// What it can.
  package var features: Set<Feature>

  /// See the fields.
  package init(manufacturer: String, version: String, features: Set<Feature>) {
    self.manufacturer = manufacturer
    self.version = version
    self.features = features
  }
}

/// How well a link is heard.
package struct LinkReading: Hashable, Sendable {
  /// The signal's strength. Of low energy in dBm. Of the classic radio it is how many dB it lies above
  /// or below the range in which the controller hears best; 0 is within (Core, Vol 4, Part E, 7.5.4).
  /// Nil where the controller does not say.
  package var signal: Int?
  /// Whether it is of low energy.
  package var isLowEnergy: Bool
  /// 0 to 255, more is better; what between means is each maker's. Nil where it does not say.
  package var quality: Int?

  /// See the fields.
  package init(signal: Int? = nil, isLowEnergy: Bool = false, quality: Int? = nil) {
    self.signal = signal
    self.isLowEnergy = isLowEnergy
    self.quality = quality
  }
}

/// What was read of one controller.
package struct RadioReading: Hashable, Sendable {
  /// Nil where it did not answer.
  package var details: ControllerDetails?
  /// By the address of who is at the other end, as `AA:BB:CC:DD:EE:FF`.
  package var links: [String: LinkReading]

  /// See the fields.
  package init(details: ControllerDetails? = nil, links: [String: LinkReading] = [:]) {
    self.details = details
    self.links = links
  }
}
