/// What the unit knows about the car, from GPIO lines and from the configuration.
public struct VehicleState: Equatable, Sendable {
  /// True if the headlights are on. Nil if no line is configured, or if the line cannot be read.
  public var headlightsAreOn: Bool?
  /// True if the car is parked, or the unit is not in a car. Nil if unknown. For lists, search and texts, unknown
  /// counts as driving.
  public var isParked: Bool?
  /// True if the reverse gear is engaged. Nil if no line is configured, or if the line cannot be read.
  public var isReversing: Bool?

  /// Creates a state.
  public init(
    headlightsAreOn: Bool? = nil, isParked: Bool? = nil, isReversing: Bool? = nil
  ) {
    self.headlightsAreOn = headlightsAreOn
    self.isParked = isParked
    self.isReversing = isReversing
  }
}
