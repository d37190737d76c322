/// Manufacturer, version and features of a controller.
package struct ControllerDetails: Hashable, Sendable {
  /// Features that a car needs. The raw value is the number of the bit on the first page of features.
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

  /// The name of the manufacturer, found by the number that the Bluetooth SIG has assigned.
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
