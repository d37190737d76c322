internal import EventLoop
internal import Reports

/// Encodes the state of the vehicle as an `a{sv}`. An unknown value is absent.
enum VehicleCoding {
  static func value(of state: VehicleState) -> BusValue {
    var fields = WireBuilder()
    fields.add("headlights", state.headlightsAreOn.map { .boolean($0) })
    return fields.value
  }

  static func state(_ value: BusValue) throws(WireError) -> VehicleState {
    VehicleState(headlightsAreOn: try WireFields(value, "vehicle").flag("headlights"))
  }
}
