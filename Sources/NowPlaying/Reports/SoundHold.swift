package import NowPlaying

/// A request of a client to silence or lower all sound of the unit, because the people in the car must hear something
/// else. A hold has a name, so that another client can end it.
package enum SoundHold: Hashable, Sendable {
  /// Silences what plays (E4).
  case interruption(Interruption.Reason)
  /// Lowers the volume of what plays. The value is the name of the hold.
  case duck(String)

  /// The name, which is unique among the holds of the same kind.
  package var name: String {
    switch self {
    case .interruption(let reason): reason.description
    case .duck(let name): name
    }
  }

  /// True if the sound is lowered, not silenced.
  package var isDuck: Bool { if case .duck = self { true } else { false } }

  /// The duration of a hold that outlives its client, if the client has set no duration.
  package static let standardTime = Duration.seconds(30 * 60)
  /// The maximum duration of a hold.
  package static let longestTime = Duration.seconds(24 * 60 * 60)
}
