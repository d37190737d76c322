/// What the unit knows about the car, from GPIO lines.
public struct VehicleState: Equatable, Sendable {
  /// True if the headlights are on. Nil if no line is configured, or if the line cannot be read.
  public var headlightsAreOn: Bool?

  /// Creates a state.
  public init(headlightsAreOn: Bool? = nil) { self.headlightsAreOn = headlightsAreOn }
}
