/// All commands (C4).
public enum CommandKind: String, Hashable, Sendable, CaseIterable {
  case play, pause, togglePlayPause, stop
  case next, previous
  case skipForward, skipBackward
  case seekForward, seekBackward, seekToPosition
  case changePlaybackRate, changeRepeatMode, changeShuffleMode
  case stars, like, dislike, bookmark
  case enableLanguageOption, disableLanguageOption
  case playQueueItem, moveQueueItem, removeQueueItem, clearQueue, undoQueue

  /// True for commands that act on the items of a queue.
  var isOfQueue: Bool {
    switch self {
    case .playQueueItem, .moveQueueItem, .removeQueueItem, .clearQueue, .undoQueue: true
    default: false
    }
  }

  /// True for commands that live content does not offer (P6): no content exists after the position, and content before
  /// the position is not kept.
  var movesWithinContent: Bool {
    switch self {
    case .skipForward, .skipBackward, .seekForward, .seekBackward, .seekToPosition,
      .changePlaybackRate:
      true
    default: false
    }
  }
}
