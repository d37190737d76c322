/// How the sound of the unit is lowered while the car needs the ears of the driver. The volume stays as it is.
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
