extension Settings {
  /// The rule of the setting `screen-light`. With `auto`, it follows from what the car has.
  public var lightRule: LightRule {
    switch screenLight {
    case .auto: headlightLine != nil ? .headlights : lightSensor != nil ? .sensor : .clock
    case .clock: .clock
    case .sensor: .sensor
    case .headlights: .headlights
    case .day: .day
    case .night: .night
    }
  }
}
