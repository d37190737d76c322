public import NowPlaying

/// A command of a command center, like Apple's `MPRemoteCommand`. It is offered as long as it has a target.
public class RemoteCommand {
  /// A handler of a command.
  public typealias Handler = (RemoteCommandEvent) throws -> RemoteCommandHandlerStatus

  /// A handler that was added.
  public struct Target: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// The command.
  public let kind: CommandKind
  /// If false, surfaces show the command grey, and its handlers are not called.
  public var isEnabled = true { didSet { changed() } }
  private var targets: [(target: Target, handler: Handler)] = []
  private var lastTarget = 0
  fileprivate weak var center: RemoteCommandCenter?

  init(_ kind: CommandKind) { self.kind = kind }

  /// Adds a handler. All handlers are called. The answer is that of the last one.
  @discardableResult
  public func addTarget(handler: @escaping Handler) -> Target {
    lastTarget += 1
    let target = Target(number: lastTarget)
    targets.append((target, handler))
    changed()
    return target
  }

  /// Removes a handler; nil removes all.
  public func removeTarget(_ target: Target?) {
    targets.removeAll { target == nil || $0.target == target }
    changed()
  }

  func changed() { center?.session?.setNeedsPublishing() }

  var parameters: CommandOffer.Parameters { .none }

  func event(_ request: MediaRequest) -> RemoteCommandEvent { RemoteCommandEvent(self, request) }

  /// Nil without a target.
  fileprivate var offered: MediaCommand? {
    guard !targets.isEmpty else { return nil }
    return .forwarded(CommandOffer(kind, isEnabled: isEnabled, parameters: parameters)) {
      [self] request, reply in reply(answer(event(request)), at: .now())
    }
  }

  private func answer(_ event: RemoteCommandEvent) -> CommandAnswer {
    var answer = CommandAnswer.success
    for (_, handler) in targets {
      do { answer = try handler(event).answer } catch {
        answer = .failed(error as? Refusal ?? Refusal(.failed, "\(error)"))
      }
    }
    return answer
  }
}

/// A skip by one of several intervals.
public final class SkipIntervalCommand: RemoteCommand {
  /// Seconds, above 0. The first interval is the default.
  public var preferredIntervals: [Double] = [10] { didSet { changed() } }

  override var parameters: CommandOffer.Parameters {
    .intervals(preferredIntervals.filter { $0 > 0 }.compactMap(NowPlayingInfo.time))
  }
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    SkipIntervalCommandEvent(self, request)
  }
}

/// A seek while a key is held.
public final class SeekCommand: RemoteCommand {
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    SeekCommandEvent(self, request)
  }
}

/// A change of the position.
public final class ChangePlaybackPositionCommand: RemoteCommand {
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    ChangePlaybackPositionCommandEvent(self, request)
  }
}

/// A change of the rate.
public final class ChangePlaybackRateCommand: RemoteCommand {
  /// The rates that can be set.
  public var supportedPlaybackRates: [Double] = [] { didSet { changed() } }

  override var parameters: CommandOffer.Parameters { .rates(supportedPlaybackRates) }
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    ChangePlaybackRateCommandEvent(self, request)
  }
}

/// A change of the repeat mode.
public final class ChangeRepeatModeCommand: RemoteCommand {
  /// The present mode.
  public var currentRepeatType = MediaCommand.RepeatMode.off { didSet { changed() } }

  override var parameters: CommandOffer.Parameters {
    .repeatMode(currentRepeatType, supported: MediaCommand.RepeatMode.allCases)
  }
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    ChangeRepeatModeCommandEvent(self, request)
  }
}

/// A change of the shuffle mode.
public final class ChangeShuffleModeCommand: RemoteCommand {
  /// The present mode.
  public var currentShuffleType = MediaCommand.ShuffleMode.off { didSet { changed() } }

  override var parameters: CommandOffer.Parameters {
    .shuffleMode(currentShuffleType, supported: MediaCommand.ShuffleMode.allCases)
  }
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    ChangeShuffleModeCommandEvent(self, request)
  }
}

/// A rating with stars.
public final class RatingCommand: RemoteCommand {
  /// The largest number of stars.
  public var maximumRating = 5.0 { didSet { changed() } }
  /// The present number of stars. Nil without a rating.
  public var currentRating: Double? { didSet { changed() } }

  override var parameters: CommandOffer.Parameters {
    .rating(maximum: maximumRating, current: currentRating)
  }
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    RatingCommandEvent(self, request)
  }
}

/// A like, dislike or bookmark.
public final class FeedbackCommand: RemoteCommand {
  /// True if the content has the mark.
  public var isActive = false { didSet { changed() } }
  /// The title of the mark.
  public var localizedTitle: String? { didSet { changed() } }

  override var parameters: CommandOffer.Parameters {
    .feedback(isActive: isActive, title: localizedTitle)
  }
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    FeedbackCommandEvent(self, request)
  }
}

/// A choice of a sound track or of subtitles.
public final class ChangeLanguageOptionCommand: RemoteCommand {
  /// The options that can be chosen.
  public var availableLanguageOptions: [LanguageOption] = [] { didSet { changed() } }
  /// The identities of the enabled options.
  public var currentLanguageOptions: [String] = [] { didSet { changed() } }

  override var parameters: CommandOffer.Parameters {
    .languages(availableLanguageOptions, enabled: currentLanguageOptions)
  }
  override func event(_ request: MediaRequest) -> RemoteCommandEvent {
    ChangeLanguageOptionCommandEvent(self, request)
  }
}

/// The commands of a session, like Apple's `MPRemoteCommandCenter`.
public final class RemoteCommandCenter {
  /// Starts or resumes playback.
  public let playCommand = RemoteCommand(.play)
  /// Pauses playback.
  public let pauseCommand = RemoteCommand(.pause)
  /// Toggles between play and pause.
  public let togglePlayPauseCommand = RemoteCommand(.togglePlayPause)
  /// Ends playback.
  public let stopCommand = RemoteCommand(.stop)
  /// Changes to the next item.
  public let nextTrackCommand = RemoteCommand(.next)
  /// Changes to the previous item.
  public let previousTrackCommand = RemoteCommand(.previous)
  /// Skips forward.
  public let skipForwardCommand = SkipIntervalCommand(.skipForward)
  /// Skips backward.
  public let skipBackwardCommand = SkipIntervalCommand(.skipBackward)
  /// Moves forward at high speed while a key is held.
  public let seekForwardCommand = SeekCommand(.seekForward)
  /// Moves backward at high speed while a key is held.
  public let seekBackwardCommand = SeekCommand(.seekBackward)
  /// Moves to a position.
  public let changePlaybackPositionCommand = ChangePlaybackPositionCommand(.seekToPosition)
  /// Changes the rate.
  public let changePlaybackRateCommand = ChangePlaybackRateCommand(.changePlaybackRate)
  /// Changes the repeat mode.
  public let changeRepeatModeCommand = ChangeRepeatModeCommand(.changeRepeatMode)
  /// Changes the shuffle mode.
  public let changeShuffleModeCommand = ChangeShuffleModeCommand(.changeShuffleMode)
  /// Rates the content.
  public let ratingCommand = RatingCommand(.stars)
  /// Sets or clears a like.
  public let likeCommand = FeedbackCommand(.like)
  /// Sets or clears a dislike.
  public let dislikeCommand = FeedbackCommand(.dislike)
  /// Sets or clears a bookmark.
  public let bookmarkCommand = FeedbackCommand(.bookmark)
  /// Switches a sound track or subtitles on.
  public let enableLanguageOptionCommand = ChangeLanguageOptionCommand(.enableLanguageOption)
  /// Switches a sound track or subtitles off.
  public let disableLanguageOptionCommand = ChangeLanguageOptionCommand(.disableLanguageOption)

  weak var session: SourceSession?
  private let all: [RemoteCommand]

  init() {
    all = [
      playCommand, pauseCommand, togglePlayPauseCommand, stopCommand, nextTrackCommand,
      previousTrackCommand, skipForwardCommand, skipBackwardCommand, seekForwardCommand,
      seekBackwardCommand, changePlaybackPositionCommand, changePlaybackRateCommand,
      changeRepeatModeCommand, changeShuffleModeCommand, ratingCommand, likeCommand,
      dislikeCommand, bookmarkCommand, enableLanguageOptionCommand, disableLanguageOptionCommand,
    ]
    for command in all { command.center = self }
  }

  /// The command center of a session without players, for a program with one session.
  public static func shared() -> RemoteCommandCenter {
    NowPlayingSession.shared.remoteCommandCenter
  }

  var offered: [MediaCommand] { all.compactMap(\.offered) }
}
