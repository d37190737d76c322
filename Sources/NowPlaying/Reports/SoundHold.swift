package import NowPlaying

/// What a client of the unit does to all sound of the unit while it needs the ears of the people in the car. A hold has
/// a name, so that another client can end it.
package enum SoundHold: Hashable, Sendable {
  /// Silences what plays (E4).
  case interruption(Interruption.Reason)
  /// Lowers what plays.
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

  /// The time after which a hold ends if it outlives its client and has no time of its own.
  package static let standardTime = Duration.seconds(30 * 60)
  /// The longest time of a hold.
  package static let longestTime = Duration.seconds(24 * 60 * 60)
}
