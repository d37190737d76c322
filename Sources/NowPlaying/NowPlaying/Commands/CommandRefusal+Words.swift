// The reasons in the words of a driver. The names of the protocol, such as `changePlaybackRate`, are not in them.
extension CommandRefusal {
  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .nothingPlaying: "nothing is playing"
    case .notOffered(.changePlaybackRate): "the speed of this source cannot be changed"
    case .notOffered(let kind): "this source cannot \(kind.deed)"
    case .notPossible(.undoQueue): "there is no change of the queue to undo"
    case .notPossible(.next): "there is no song after this one"
    case .notPossible(.previous): "there is no song before this one"
    case .disabled(let kind), .notPossible(let kind): "this source cannot \(kind.deed) now"
    case .source(let refusal): refusal.sentence
    case .liveContent(let kind): "a live program cannot \(kind.deed)"
    case .noPreferredInterval: "the time of the skip is missing"
    case .unsupported(let text): text
    case .noSuchOption(let id): "there is no sound track and no subtitle '\(id)'"
    case .keyRepeat: "the key is held"
    case .notConnected: "the surface is not connected"
    case .noButton(let index): "the screen has no button \(index)"
    case .buttonDisabled: "this button has no effect on what plays now"
    case .noObserver: "this button is switched off, or nothing handles it"
    case .noListOwner: "nothing provides this list now"
    }
  }
}

extension CommandKind {
  /// What a source cannot do that refuses this command: the end of the sentence *this source cannot …*.
  fileprivate var deed: String {
    switch self {
    case .play: "begin"
    case .pause, .togglePlayPause: "be halted"
    case .stop: "be ended"
    case .next: "go on to another song"
    case .previous: "go back to another song"
    case .skipForward, .skipBackward: "skip"
    case .seekForward: "wind forward"
    case .seekBackward: "wind back"
    case .seekToPosition: "go to another position"
    case .changePlaybackRate: "change its speed"
    case .changeRepeatMode: "begin again at its end"
    case .changeShuffleMode: "be shuffled"
    case .stars: "keep ratings"
    case .like: "have favourites"
    case .dislike: "leave songs out"
    case .bookmark: "keep marks of positions"
    case .enableLanguageOption, .disableLanguageOption: "change its language"
    case .playQueueItem: "choose from a queue"
    case .moveQueueItem, .removeQueueItem, .clearQueue, .undoQueue: "have its queue changed"
    }
  }
}

extension CommandOffer {
  /// The reason why a source does not set this value.
  static func reason(_ mode: MediaCommand.RepeatMode) -> String {
    switch mode {
    case .off: "this source always begins again at its end"
    case .one: "this source cannot repeat one song"
    case .all: "this source cannot repeat all songs"
    }
  }

  /// The reason why a source does not set this value.
  static func reason(_ mode: MediaCommand.ShuffleMode) -> String {
    switch mode {
    case .off: "this source is always shuffled"
    case .items: "the songs of this source cannot be shuffled"
    case .collections: "the albums of this source cannot be shuffled"
    }
  }

  /// The reason why a source does not set this rate.
  static func reason(_ rate: Double, supported: [Double]) -> String {
    let known = supported.map(\.shortText).joined(separator: ", ")
    return "the speed \(rate.shortText) is not possible; possible are: \(known)"
  }
}
