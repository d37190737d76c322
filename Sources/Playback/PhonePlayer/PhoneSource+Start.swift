internal import NowPlaying
internal import PhoneLink

extension PhoneSource {
  /// Whether the unit wants the phone to play, until when.
  enum Start {
    case none
    /// The phone is not ready yet: its sound and its player are connected one after the other, in some
    /// seconds. A phone that is told to play before its sound is connected plays through its own loudspeaker.
    /// At `dialsAt`, the unit connects the sound itself. Nil if it has begun to.
    case connecting(dialsAt: MonotonicInstant?, until: MonotonicInstant)
    /// The phone was told to play after an interruption. A phone may accept the command and stay silent.
    case resuming(until: MonotonicInstant)

    var deadline: MonotonicInstant? {
      switch self {
      case .none: nil
      case .connecting(let dialsAt, let until): dialsAt ?? until
      case .resuming(let until): until
      }
    }
  }

  /// True if the phone can be told to play: its sound is connected, and it has a player or streams.
  var isReady: Bool { link.hasSound(device) && (reading.player != nil || stream.reader != nil) }

  /// True if the phone has to play, and is not ready yet.
  var isConnecting: Bool { if case .connecting = starting { true } else { false } }
}
