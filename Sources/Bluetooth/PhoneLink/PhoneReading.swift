package import Bluez
package import NowPlaying

/// A snapshot of all that is known about a phone that is a source of sound.
package struct PhoneReading: Equatable {
  /// The address, such as `AA:BB:CC:DD:EE:FF`.
  package let address: String
  package let name: String
  /// The addressed player of the phone (``BluezDevice/player``). Nil if the phone has no player.
  package var player: BluezMediaPlayer?
  /// The position of `player`. Nil if it is unknown.
  package var position: Position?

  /// A position, and when it was measured.
  package struct Position: Equatable {
    package let time: Duration
    package let at: MonotonicInstant
    /// The number of the report, which increases with each position that the phone or BlueZ has reported.
    package let number: Int
  }
}

/// A command to the player of a phone.
package enum PhoneCommand: Equatable, Sendable {
  case play, pause, next, previous
  /// The phone seeks until ``endSeek``.
  case seekForward, seekBackward
  case endSeek
  case setRepeat(BluezMediaPlayer.Repeat)
  case setShuffle(BluezMediaPlayer.Shuffle)
}
