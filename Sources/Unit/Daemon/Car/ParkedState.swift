internal import Settings

/// Whether the car is parked, from the configuration and from what the unit was told.
struct ParkedState: Equatable {
  /// The value of the setting.
  var setting: Settings.Parked
  /// The state that a program has told in place of the wire of the car. Nil if unknown.
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

  /// Stores a state. Returns false if the setting does not permit it.
  mutating func tell(_ isParked: Bool?) -> Bool {
    guard setting == .line else { return false }
    told = isParked
    return true
  }
}
