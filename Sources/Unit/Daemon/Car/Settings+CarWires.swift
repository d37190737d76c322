internal import CarLines
internal import GPIO
internal import Settings

extension Settings {
  /// The line of a wire. Nil if the wire is not configured.
  func line(_ wire: CarWires.Wire) -> GPIOLineChoice? {
    switch wire {
    case .headlights: headlightLine
    case .reverse: reverseLine
    case .parking: parkingLine
    case .ignition: ignitionLine
    }
  }

  /// The configured rotary encoder. Nil if one of its two contacts has no line.
  var encoder: RotaryEncoder.Configuration? {
    guard let encoderFirst, let encoderSecond else { return nil }
    let detents: QuadratureDecoder.Detents =
      switch encoderDetents {
      case .full: .full
      case .half: .half
      case .quarter: .quarter
      }
    return .init(first: encoderFirst, second: encoderSecond, detents: detents)
  }
}
