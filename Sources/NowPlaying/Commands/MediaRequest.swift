/// A media command as a surface sends it: one case per command, with what goes with it (C4).
public enum MediaRequest: Hashable, Sendable {
  /// Of holding a key down: pressed, let go.
  public enum SeekPhase: String, Hashable, Sendable {
    case begin, end
  }

  case play
  case pause
  case togglePlayPause
  case stop
  case next
  case previous
  /// By an interval above zero; nil is the first one that the source prefers (C3).
  case skipForward(Duration?)
  /// See `skipForward`.
  case skipBackward(Duration?)
  case seekForward(SeekPhase)
  case seekBackward(SeekPhase)
  /// To a net time, as it is shown; what lies outside the content is cut off (P8).
  case seekToPosition(Duration)
  /// To one of the rates that are offered.
  case changePlaybackRate(Double)
  case changeRepeatMode(MediaCommand.RepeatMode)
  case changeShuffleMode(MediaCommand.ShuffleMode)
  /// Stars, from 0 to the offered maximum.
  case rate(Double)
  /// Sets or takes back.
  case like(Bool)
  /// Sets or takes back.
  case dislike(Bool)
  /// Sets or takes back.
  case bookmark(Bool)
  /// By identity.
  case enableLanguageOption(String)
  /// By identity.
  case disableLanguageOption(String)

  /// Which command that is.
  public var kind: CommandKind {
    switch self {
    case .play: .play
    case .pause: .pause
    case .togglePlayPause: .togglePlayPause
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .skipForward: .skipForward
    case .skipBackward: .skipBackward
    case .seekForward: .seekForward
    case .seekBackward: .seekBackward
    case .seekToPosition: .seekToPosition
    case .changePlaybackRate: .changePlaybackRate
    case .changeRepeatMode: .changeRepeatMode
    case .changeShuffleMode: .changeShuffleMode
    case .rate: .rate
    case .like: .like
    case .dislike: .dislike
    case .bookmark: .bookmark
    case .enableLanguageOption: .enableLanguageOption
    case .disableLanguageOption: .disableLanguageOption
    }
  }
}
