/// A media command as a surface sends it: one case per command, with its values (C4).
public enum MediaRequest: Hashable, Sendable, CustomStringConvertible {
  /// The two moments of a held key: pressed, released.
  public enum SeekPhase: String, Hashable, Sendable {
    case begin, end
  }

  case play
  case pause
  case togglePlayPause
  case stop
  case next
  case previous
  /// Skips forward by an interval above zero. If the interval is nil, the first interval that the source prefers is
  /// used (C3).
  case skipForward(Duration?)
  /// Skips backward; see `skipForward`.
  case skipBackward(Duration?)
  case seekForward(SeekPhase)
  case seekBackward(SeekPhase)
  /// Moves to a net time (without advertisements), as surfaces show it. A time before the start or after the end
  /// becomes the start or the end (P8).
  case seekToPosition(Duration)
  /// Changes to one of the offered rates.
  case changePlaybackRate(Double)
  case changeRepeatMode(MediaCommand.RepeatMode)
  case changeShuffleMode(MediaCommand.ShuffleMode)
  /// The number of stars, from 0 to the offered maximum.
  case stars(Double)
  /// Sets or clears the mark *like*.
  case like(Bool)
  /// Sets or clears the mark *dislike*.
  case dislike(Bool)
  /// Sets or clears the mark *bookmark*.
  case bookmark(Bool)
  /// Switches a sound track or subtitles on. The value is the identity of the language option.
  case enableLanguageOption(String)
  /// Switches a sound track or subtitles off. The value is the identity of the language option.
  case disableLanguageOption(String)
  /// Plays an item of *Up Next*, of the album, or of the queue. The value is the identity of the item.
  case playQueueItem(String)
  /// Moves an item of the queue before another item, or to the end. Each edit of the queue contains the revision of the
  /// queue that the sender has seen, so that the source can refuse an outdated edit.
  case moveQueueItem(String, before: String?, revision: Int)
  case removeQueueItem(String, revision: Int)
  /// Removes all items except the current item.
  case clearQueue(revision: Int)
  /// Undoes the last edit of the queue.
  case undoQueue(revision: Int)

  /// Text for traces: `next`, `seekToPosition 1:23`.
  public var description: String {
    let value: String?
    switch self {
    case .skipForward(let interval), .skipBackward(let interval):
      value = interval.map { "\($0.inSeconds.shortText) s" }
    case .seekForward(let phase), .seekBackward(let phase): value = phase.rawValue
    case .seekToPosition(let position): value = position.clockText
    case .changePlaybackRate(let rate): value = rate.shortText
    case .changeRepeatMode(let mode): value = mode.rawValue
    case .changeShuffleMode(let mode): value = mode.rawValue
    case .stars(let stars): value = stars.shortText
    case .like(let isSet), .dislike(let isSet), .bookmark(let isSet): value = isSet ? "on" : "off"
    case .enableLanguageOption(let id), .disableLanguageOption(let id): value = id
    case .playQueueItem(let id), .removeQueueItem(let id, _): value = id
    case .moveQueueItem(let id, let other, _): value = "\(id) before \(other ?? "the end")"
    case .play, .pause, .togglePlayPause, .stop, .next, .previous, .clearQueue, .undoQueue:
      value = nil
    }
    return value.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue
  }

  /// The command of this request.
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
    case .stars: .stars
    case .like: .like
    case .dislike: .dislike
    case .bookmark: .bookmark
    case .enableLanguageOption: .enableLanguageOption
    case .disableLanguageOption: .disableLanguageOption
    case .playQueueItem: .playQueueItem
    case .moveQueueItem: .moveQueueItem
    case .removeQueueItem: .removeQueueItem
    case .clearQueue: .clearQueue
    case .undoQueue: .undoQueue
    }
  }
}
