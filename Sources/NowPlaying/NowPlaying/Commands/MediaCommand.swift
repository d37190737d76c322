/// A command with its handler, as a source declares it (C1, C4).
///
/// A source offers exactly the commands that it declares. With `.enabled(false)` a command stays visible, but surfaces
/// show it grey. Handlers run on the control thread. A handler answers through its ``CommandReply``, at once or later.
public struct MediaCommand {
  /// The part that repeats: nothing, the track, or the queue (S3).
  public enum RepeatMode: String, Hashable, Sendable, CaseIterable {
    case off, one, all
  }

  /// The order of playback (S3). MusicKit calls the mode `items` *songs*.
  public enum ShuffleMode: String, Hashable, Sendable, CaseIterable {
    case off, items, collections
  }

  /// The command as surfaces see it.
  public private(set) var offer: CommandOffer
  package let perform: (MediaRequest, CommandReply) -> Void

  private init(
    _ kind: CommandKind, _ parameters: CommandOffer.Parameters = .none,
    _ perform: @escaping (MediaRequest, CommandReply) -> Void
  ) {
    offer = CommandOffer(kind, parameters: parameters)
    self.perform = perform
  }

  /// A command of a source that is another program. `handler` gets each request, and passes it on to this program.
  public static func forwarded(
    _ offer: CommandOffer, _ handler: @escaping (MediaRequest, CommandReply) -> Void
  ) -> MediaCommand {
    var command = MediaCommand(offer.kind, offer.parameters, handler)
    command.offer.isEnabled = offer.isEnabled
    return command
  }

  /// The same command, enabled or disabled (C5).
  public func enabled(_ isEnabled: Bool) -> MediaCommand {
    var copy = self
    copy.offer.isEnabled = isEnabled
    return copy
  }

  /// False if the content makes the command impossible now. See ``possible(_:)``.
  public private(set) var isPossible = true

  /// The same command, disabled if the content makes it impossible now. Example: *next* on the last track. Surfaces
  /// show it like any disabled command. Only the diagnosis makes a difference: the refusal of an impossible command is
  /// not a fault.
  public func possible(_ isPossible: Bool) -> MediaCommand {
    var copy = enabled(isPossible)
    copy.isPossible = isPossible
    return copy
  }

  /// A handler that gets only the reply.
  public typealias Handler = (CommandReply) -> Void

  // MARK: Play and pause

  /// Starts or resumes playback. The handler is not called while the session plays (C9).
  public static func play(_ handler: @escaping Handler) -> MediaCommand {
    MediaCommand(.play) { handler($1) }
  }

  /// Pauses playback. The handler is not called while playback is paused (C9).
  public static func pause(_ handler: @escaping Handler) -> MediaCommand {
    MediaCommand(.pause) { handler($1) }
  }

  /// Toggles between play and pause. The head unit replaces a toggle with play or pause. If the source does not offer
  /// this replacement, or has disabled it, the head unit calls this handler instead.
  public static func togglePlayPause(_ handler: @escaping Handler) -> MediaCommand {
    MediaCommand(.togglePlayPause) { handler($1) }
  }

  /// Ends playback.
  public static func stop(_ handler: @escaping Handler) -> MediaCommand {
    MediaCommand(.stop) { handler($1) }
  }

  // MARK: Moving

  /// Changes to the next item.
  public static func next(_ handler: @escaping Handler) -> MediaCommand {
    MediaCommand(.next) { handler($1) }
  }

  /// Changes to the previous item, or to the start of the current item.
  public static func previous(_ handler: @escaping Handler) -> MediaCommand {
    MediaCommand(.previous) { handler($1) }
  }

  /// Skips forward. The handler gets an interval. This interval can differ from all preferred intervals (C3).
  public static func skipForward(
    preferredIntervals: [Duration], _ handler: @escaping (Duration, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.skipForward, .intervals(preferredIntervals)) { request, reply in
      if case .skipForward(let interval?) = request { handler(interval, reply) }
    }
  }

  /// Skips backward; see ``skipForward(preferredIntervals:_:)``.
  public static func skipBackward(
    preferredIntervals: [Duration] = [.seconds(10)],
    _ handler: @escaping (Duration, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.skipBackward, .intervals(preferredIntervals)) { request, reply in
      if case .skipBackward(let interval?) = request { handler(interval, reply) }
    }
  }

  /// Moves forward at high speed while a key is held.
  public static func seekForward(
    beginAction: @escaping Handler, endAction: @escaping Handler
  ) -> MediaCommand {
    MediaCommand(.seekForward) { request, reply in
      if case .seekForward(.begin) = request { beginAction(reply) } else { endAction(reply) }
    }
  }

  /// Moves backward at high speed while a key is held.
  public static func seekBackward(
    beginAction: @escaping Handler, endAction: @escaping Handler
  ) -> MediaCommand {
    MediaCommand(.seekBackward) { request, reply in
      if case .seekBackward(.begin) = request { beginAction(reply) } else { endAction(reply) }
    }
  }

  /// Moves to a position. The handler gets a gross position, with advertisements. The position is within the content
  /// and never within an advertisement (P8).
  public static func seekToPosition(
    _ handler: @escaping (Duration, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.seekToPosition) { request, reply in
      if case .seekToPosition(let position) = request { handler(position, reply) }
    }
  }

  // MARK: Modes

  /// Changes to one of the `supported` rates. The snapshot contains the current rate (P10).
  public static func changePlaybackRate(
    supported: [Double], _ handler: @escaping (Double, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.changePlaybackRate, .rates(supported)) { request, reply in
      if case .changePlaybackRate(let rate) = request { handler(rate, reply) }
    }
  }

  /// Changes the repeat mode. If `supported` is nil, all modes are supported (S3).
  public static func changeRepeatMode(
    current: RepeatMode, supported: [RepeatMode]? = nil,
    _ handler: @escaping (RepeatMode, CommandReply) -> Void
  ) -> MediaCommand {
    let parameters = CommandOffer.Parameters.repeatMode(
      current, supported: supported ?? RepeatMode.allCases)
    return MediaCommand(.changeRepeatMode, parameters) { request, reply in
      if case .changeRepeatMode(let mode) = request { handler(mode, reply) }
    }
  }

  /// Changes the shuffle mode. If `supported` is nil, all modes are supported (S3).
  public static func changeShuffleMode(
    current: ShuffleMode, supported: [ShuffleMode]? = nil,
    _ handler: @escaping (ShuffleMode, CommandReply) -> Void
  ) -> MediaCommand {
    let parameters = CommandOffer.Parameters.shuffleMode(
      current, supported: supported ?? ShuffleMode.allCases)
    return MediaCommand(.changeShuffleMode, parameters) { request, reply in
      if case .changeShuffleMode(let mode) = request { handler(mode, reply) }
    }
  }

  // MARK: Opinions

  /// Rates the content with 0 to `maximum` stars.
  public static func stars(
    maximum: Double = 5, current: Double? = nil,
    _ handler: @escaping (Double, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.stars, .rating(maximum: maximum, current: current)) { request, reply in
      if case .stars(let stars) = request { handler(stars, reply) }
    }
  }

  /// Sets or clears a like.
  public static func like(
    isActive: Bool, title: String? = nil, _ handler: @escaping (Bool, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.like, .feedback(isActive: isActive, title: title)) { request, reply in
      if case .like(let isSet) = request { handler(isSet, reply) }
    }
  }

  /// Sets or clears a dislike.
  public static func dislike(
    isActive: Bool, title: String? = nil, _ handler: @escaping (Bool, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.dislike, .feedback(isActive: isActive, title: title)) { request, reply in
      if case .dislike(let isSet) = request { handler(isSet, reply) }
    }
  }

  /// Sets or clears a bookmark.
  public static func bookmark(
    isActive: Bool, title: String? = nil, _ handler: @escaping (Bool, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.bookmark, .feedback(isActive: isActive, title: title)) { request, reply in
      if case .bookmark(let isSet) = request { handler(isSet, reply) }
    }
  }

  // MARK: Languages

  /// Switches a sound track or subtitles on.
  public static func enableLanguageOption(
    available: [LanguageOption], enabled: [String] = [],
    _ handler: @escaping (String, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.enableLanguageOption, .languages(available, enabled: enabled)) {
      if case .enableLanguageOption(let id) = $0 { handler(id, $1) }
    }
  }

  /// Switches a sound track or subtitles off.
  public static func disableLanguageOption(
    available: [LanguageOption], enabled: [String] = [],
    _ handler: @escaping (String, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.disableLanguageOption, .languages(available, enabled: enabled)) {
      if case .disableLanguageOption(let id) = $0 { handler(id, $1) }
    }
  }

  // MARK: Queue

  /// Plays an item of the queue. The handler gets the identity of the item.
  public static func playQueueItem(
    _ handler: @escaping (String, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.playQueueItem) {
      if case .playQueueItem(let id) = $0 { handler(id, $1) }
    }
  }

  /// Moves an item of the queue before another item, or to the end. The handler gets both identities and the revision
  /// of the queue that the sender has seen.
  public static func moveQueueItem(
    _ handler: @escaping (String, _ before: String?, _ revision: Int, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.moveQueueItem) {
      if case .moveQueueItem(let id, let other, let revision) = $0 {
        handler(id, other, revision, $1)
      }
    }
  }

  /// Removes an item of the queue. The handler gets the identity of the item and the revision that the sender has seen.
  public static func removeQueueItem(
    _ handler: @escaping (String, _ revision: Int, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.removeQueueItem) {
      if case .removeQueueItem(let id, let revision) = $0 { handler(id, revision, $1) }
    }
  }

  /// Removes all items except the current item. The handler gets the revision that the sender has seen.
  public static func clearQueue(
    _ handler: @escaping (_ revision: Int, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.clearQueue) {
      if case .clearQueue(let revision) = $0 { handler(revision, $1) }
    }
  }

  /// Undoes the last edit of the queue. The handler gets the revision that the sender has seen.
  public static func undoQueue(
    _ handler: @escaping (_ revision: Int, CommandReply) -> Void
  ) -> MediaCommand {
    MediaCommand(.undoQueue) {
      if case .undoQueue(let revision) = $0 { handler(revision, $1) }
    }
  }
}
