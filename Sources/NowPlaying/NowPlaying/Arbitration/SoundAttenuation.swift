/// How much the sound of the unit is lowered while the driver must hear the sounds of the car. The volume does not
/// change.
public enum SoundAttenuation: Int, Hashable, Sendable, Comparable {
  case none
  /// As quiet as the music under a prompt.
  case lowered
  case silent

  /// Compares two attenuations. The stronger attenuation is the greater one.
  public static func < (one: SoundAttenuation, other: SoundAttenuation) -> Bool {
    one.rawValue < other.rawValue
  }
}

extension SoundAttenuation {
  /// Who lowers the sound of the unit. Each one lowers and raises it on its own; the strongest attenuation applies.
  public enum Reason: Hashable, Sendable {
    case reverseGear
    /// A client that needs the ears of the people, such as a navigation program.
    case client
  }
}
