internal import CarLines
internal import GPIO
internal import Settings

extension Settings {
  /// The line of a wire; nil for none.
  func line(_ wire: CarWires.Wire) -> GPIOLineChoice? {
    switch wire {
    case .headlights: headlightLine
    case .reverse: reverseLine
    case .parking: parkingLine
    case .ignition: ignitionLine
    }
  }

  /// The encoder; nil if a contact has no line.
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
