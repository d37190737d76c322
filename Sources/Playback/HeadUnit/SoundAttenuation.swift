/// How the sound of the unit is lowered while the car needs the ears of the driver. The volume stays as it is.
public enum SoundAttenuation: Hashable, Sendable {
  case none
  /// As quiet as the music under a prompt.
  case lowered
  case silent
}
