internal import BusMethods
internal import EventLoop
internal import Reports

/// Encodes the state of the vehicle as an `a{sv}`. The dictionary contains no entry for an unknown value.
enum VehicleCoding {
  static func value(of state: VehicleState) -> BusValue {
    var fields = WireBuilder()
    fields.add("headlights", state.headlightsAreOn.map { .boolean($0) })
    fields.add("isParked", state.isParked.map { .boolean($0) })
    fields.add("isReversing", state.isReversing.map { .boolean($0) })
    return fields.value
  }

  static func state(_ value: BusValue) throws(WireError) -> VehicleState {
    let fields = try WireFields(value, "vehicle")
    return VehicleState(
      headlightsAreOn: try fields.flag("headlights"), isParked: try fields.flag("isParked"),
      isReversing: try fields.flag("isReversing"))
  }

  /// Decodes the word that says whether the car is parked. Nil means that the state is unknown.
  static func isParked(_ word: String) throws(WireError) -> Bool? {
    switch word {
    case "yes": return true
    case "no": return false
    case "unknown": return nil
    default: throw WireError("state", "expected 'yes', 'no' or 'unknown'")
    }
  }

  static func word(isParked: Bool?) -> String { isParked.map { $0 ? "yes" : "no" } ?? "unknown" }
}
