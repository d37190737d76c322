internal import Settings

/// Decides whether the car is parked, from the configuration and from reports of a wire or a client.
struct ParkedState: Equatable {
  /// The value of the setting `parked`.
  var setting: Settings.Parked
  /// The last state that the wire or a client has reported. Nil if unknown.
  private(set) var told: Bool?

  init(_ setting: Settings.Parked) { self.setting = setting }

  /// True if the car is parked, or the unit is not in a car. Nil if unknown.
  var isParked: Bool? {
    switch setting {
    case .always: true
    case .never: false
    case .line: told
    }
  }

  /// Stores a reported state. Returns false if ``setting`` does not permit reports.
  mutating func tell(_ isParked: Bool?) -> Bool {
    guard setting == .line else { return false }
    told = isParked
    return true
  }
}
