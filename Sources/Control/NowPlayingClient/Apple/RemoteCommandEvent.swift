public import NowPlaying

/// A command of a person, like Apple's `MPRemoteCommandEvent`.
public class RemoteCommandEvent {
  /// The command.
  public let command: RemoteCommand
  /// What the person has requested.
  public let request: MediaRequest

  init(_ command: RemoteCommand, _ request: MediaRequest) {
    self.command = command
    self.request = request
  }
}

/// The answer of a handler, like Apple's `MPRemoteCommandHandlerStatus`. A handler can also throw a `Refusal`, whose
/// sentence is shown to people.
public enum RemoteCommandHandlerStatus: Hashable, Sendable {
  case success
  case noSuchContent
  case noActionableNowPlayingItem
  case deviceNotFound
  case commandFailed

  var answer: CommandAnswer {
    switch self {
    case .success: .success
    case .noSuchContent: .noSuchContent()
    case .noActionableNowPlayingItem: .failed(Refusal(.failed, "the app plays nothing now"))
    case .deviceNotFound: .failed(Refusal(.failed, "the app finds no output"))
    case .commandFailed: .failed(Refusal(.failed, "the app could not carry out the command"))
    }
  }
}

/// A skip by an interval.
public final class SkipIntervalCommandEvent: RemoteCommandEvent {
  /// Seconds, above 0.
  public var interval: Double {
    switch request {
    case .skipForward(let interval?), .skipBackward(let interval?): interval / .seconds(1)
    default: 0
    }
  }
}

/// The beginning or the end of a seek.
public final class SeekCommandEvent: RemoteCommandEvent {
  /// The moment of the key.
  public enum SeekType: Hashable, Sendable {
    case beginSeeking, endSeeking
  }

  /// `beginSeeking` when the key is pressed, `endSeeking` when it is released.
  public var type: SeekType {
    switch request {
    case .seekForward(.begin), .seekBackward(.begin): .beginSeeking
    default: .endSeeking
    }
  }
}

/// A change of the position.
public final class ChangePlaybackPositionCommandEvent: RemoteCommandEvent {
  /// The position in seconds, with advertisements.
  public var positionTime: Double {
    if case .seekToPosition(let position) = request { position / .seconds(1) } else { 0 }
  }
}

/// A change of the rate.
public final class ChangePlaybackRateCommandEvent: RemoteCommandEvent {
  /// One of the supported rates.
  public var playbackRate: Double {
    if case .changePlaybackRate(let rate) = request { rate } else { 1 }
  }
}

/// A change of the repeat mode.
public final class ChangeRepeatModeCommandEvent: RemoteCommandEvent {
  /// The requested mode.
  public var repeatType: MediaCommand.RepeatMode {
    if case .changeRepeatMode(let mode) = request { mode } else { .off }
  }
}

/// A change of the shuffle mode.
public final class ChangeShuffleModeCommandEvent: RemoteCommandEvent {
  /// The requested mode.
  public var shuffleType: MediaCommand.ShuffleMode {
    if case .changeShuffleMode(let mode) = request { mode } else { .off }
  }
}

/// A rating.
public final class RatingCommandEvent: RemoteCommandEvent {
  /// The number of stars.
  public var rating: Double { if case .stars(let stars) = request { stars } else { 0 } }
}

/// A like, dislike or bookmark.
public final class FeedbackCommandEvent: RemoteCommandEvent {
  /// True if the mark is to be removed.
  public var isNegative: Bool {
    switch request {
    case .like(let isSet), .dislike(let isSet), .bookmark(let isSet): !isSet
    default: false
    }
  }
}

/// A choice of a sound track or of subtitles.
public final class ChangeLanguageOptionCommandEvent: RemoteCommandEvent {
  /// The identity of the option.
  public var languageOption: String {
    switch request {
    case .enableLanguageOption(let id), .disableLanguageOption(let id): id
    default: ""
    }
  }
}
