internal import AudioCodecs
public import AudioEngine
public import MusicFiles
public import NowPlaying

/// The local player as a source of Now Playing. It publishes the state of the player, and passes commands to the
/// player.
///
/// Used on the control thread only. This object publishes the whole state after each change. The session determines
/// which parts have changed (P1, P2, P7). A requested change of the sound is published when it is heard. If the change
/// is not heard within ``bufferingDelay``, the state *buffering* is published first.
public final class LocalSource {
  /// Identity of the session.
  public static let sessionID = SessionID("local")
  /// If the effect of a command is not heard within this time, the state is *buffering*.
  public static let bufferingDelay = Duration.milliseconds(300)
  /// The preferred interval of a skip, forwards and backwards. Call ``update()`` after a change.
  public var skipInterval: Duration

  /// Maximum number of commands whose effect is awaited. If there are more, the oldest commands are dropped. This
  /// happens if there is no output, because without an output no effect is ever heard.
  static let awaitedLimit = 32

  let player: LocalPlayer
  private let artwork: (_ contentID: String, MusicFile) -> Artwork?
  let clock: () -> MonotonicInstant
  private let configure: (inout NowPlayingTemplate) -> Void
  private(set) var session: MediaSession?
  var heldSeek: HeldSeek?
  /// The marks of songs. Nil if no marks are kept.
  public var marks: SongMarks? {
    didSet { player.avoidDisliked(marks) }
  }
  /// The music of the unit that is not in the queue.
  public struct OtherMusic {
    /// True if at least one song is present.
    public let isPresent: () -> Bool
    /// Plays this music instead of the queue.
    let play: (CommandReply) -> Void

    public init(isPresent: @escaping () -> Bool, play: @escaping (CommandReply) -> Void) {
      self.isPresent = isPresent
      self.play = play
    }
  }

  /// Plays if no song of the queue can play. Nil if there is no music besides the queue.
  public var otherMusic: OtherMusic?
  /// Whether the current song plays when its medium returns. Nil if it does not wait for its medium. *pause* and *stop*
  /// set the value to false.
  public var isPlayWantedOnReturn: Bool?
  /// The description that was published last.
  private var published: SessionDescription?
  /// True from the moment when the player sounds until the audio session is deactivated.
  private var hasSounded = false
  private var seeksCompleted = 0
  /// The ``LocalPlayer/playingID`` that was published last.
  private var publishedID = 0
  private var publishedPause = false
  /// The identity of the content that was published last.
  private var publishedContent: String?
  /// The ``LocalPlayer/playingID`` of a file that was requested again, was counted as a seek, and is not heard yet.
  private var restartedID = 0
  /// The index of the published track in the playing order, from 0. The index in the player's state can be different:
  /// it can already be the index of a requested track that is not heard yet.
  public private(set) var publishedIndex = 0
  /// The wait until a requested track or position is heard.
  private var seeking = Wait(limit: bufferingDelay)
  /// The wait for data while the storage of the current track delivers no data in time.
  private var starvation = Wait(limit: bufferingDelay)
  /// See ``takeStarved()``.
  private var starved: MusicFile?
  /// The list that a person has chosen last, until its songs arrive.
  var awaitedList: AwaitedList?
  var lastAwaited = 0
  /// Commands that were answered, but whose effect is not heard yet.
  var awaited: [(effect: Effect, reply: CommandReply)] = []

  /// Opens the session and activates it. After this, the player is permitted to play (E2).
  ///
  /// - Parameters:
  ///   - artwork: returns the cover of a file, or nil if the file has no cover. It must return the same cover as long
  ///     as the content is the same.
  ///   - configure: sets the screen's buttons. Called whenever a screen connects (T1).
  ///   - clock: returns the current time.
  public init(
    player: LocalPlayer, center: NowPlayingCenter,
    artwork: @escaping (_ contentID: String, MusicFile) -> Artwork? = { _, _ in nil },
    skipInterval: Duration = .seconds(15),
    configure: @escaping (inout NowPlayingTemplate) -> Void = defaultButtons,
    clock: @escaping () -> MonotonicInstant
  ) {
    self.player = player
    self.artwork = artwork
    self.skipInterval = skipInterval
    self.clock = clock
    self.configure = configure
    session = center.openSession(
      Self.sessionID,
      didConnect: { [weak self] _, template in self?.setUp(&template) },
      instruct: { [weak self] in self?.execute($0) }, at: clock())
    session?.activate(at: clock())
    update()
  }

  /// Publishes the state. Must be called after each ``LocalPlayer/handleEvents()``, and at ``nextDeadline``.
  public func update() {
    let now = clock()
    player.dropOldSteps(at: now)
    checkStarvation(at: now)
    stepHeldSeek(at: now)
    if player.isSeeking, !player.state.isStopped {
      seeking.update(at: now)
      // If the session must be silent (`hold` is not nil), the head unit must silence it before its sound is heard
      // (E4). So the state is published at once. A pause is published at once too, because it is true even before it is
      // heard.
      guard
        seeking.isLong || isAwaitingList || session?.sound.hold != nil
          || player.state.isPaused != publishedPause
      else { return publishModes(at: now) }
    } else if seeking.isActive {
      seeking.end()
      // The beginning of another track is not a seek.
      if heldSeek == nil, player.playingID == publishedID, player.playingID != restartedID {
        seeksCompleted += 1
      }
      restartedID = 0
    }
    countRestart()
    publishedID = player.playingID
    publishedPause = player.state.isPaused
    publishedIndex = player.state.queueIndex
    publish(description(at: now), at: now)
  }

  /// Counts a seek if the current file begins again, because the content is then the same (P2).
  private func countRestart() {
    let content = player.state.file.map(contentID)
    if publishedID > 0, player.playingID != publishedID, content == publishedContent {
      seeksCompleted += 1
      if player.isSeeking { restartedID = player.playingID }
    }
    publishedContent = content
  }

  private func checkStarvation(at now: MonotonicInstant) {
    guard let file = player.awaited else { return starvation.end() }
    let wasLong = starvation.isLong
    starvation.update(at: now)
    if starvation.isLong, !wasLong { starved = file }
  }

  /// The file whose storage has delivered no data for ``bufferingDelay``. Each such wait is returned only once. Call
  /// this after each ``update()``.
  public func takeStarved() -> MusicFile? {
    defer { starved = nil }
    return starved
  }

  /// Publishes the state. The audio session is activated before the player sounds, and deactivated when it has stopped
  /// or the queue has ended (E2). No other session resumes then, because people listen to own music last.
  private func publish(_ description: SessionDescription, at now: MonotonicInstant) {
    published = description
    let sounds = awaitedList != nil || !player.state.isStopped
    if sounds { session?.activate(at: now) }
    session?.publish(description, at: now)
    if hasSounded, !sounds {
      hasSounded = session?.deactivate(notifyingOthers: false, at: now) == .stillPlaying
    } else {
      hasSounded = sounds
    }
  }

  private var awaitsContent: Bool { awaitedList != nil || isPlayWantedOnReturn == true }

  /// Publishes only the modes of repeat and shuffle, the marks, and the commands for the queue. Such a change has no
  /// audible effect, so it is published immediately.
  private func publishModes(at now: MonotonicInstant) {
    guard var description = published else { return }
    description.awaitsContent = awaitsContent
    description.commands = zip(description.commands, commands(canSeek: false)).map { old, new in
      switch new.offer.kind {
      case .changeRepeatMode, .changeShuffleMode, .like, .dislike, .stars, .bookmark,
        .playQueueItem, .moveQueueItem, .removeQueueItem, .clearQueue, .undoQueue:
        new
      default: old
      }
    }
    publish(description, at: now)
  }

  /// Call this when the engine reports that an effect is heard. This completes the trace of the commands with this
  /// effect.
  public func applied(
    _ effect: Effect, handedOver: MonotonicInstant, heard: MonotonicInstant
  ) {
    for (_, reply) in awaited.filter({ $0.effect.isSettled(by: effect) }) {
      reply.heard(at: heard, handedOver: handedOver)
    }
    awaited.removeAll { $0.effect.isSettled(by: effect) }
  }

  /// Must be called when the output cannot be used at present. Playback pauses, and resumes when the output can be used
  /// again (E7).
  public func outputLost() { session?.outputLost(at: clock()) }

  /// Must be called when the output can be used again.
  public func outputRegained() { session?.outputRegained(at: clock()) }

  /// Sets the buttons for shuffle and repeat.
  public static func defaultButtons(_ template: inout NowPlayingTemplate) {
    template.updateNowPlayingButtons([.shuffle(), .repeat()])
  }

  private func setUp(_ template: inout NowPlayingTemplate) {
    configure(&template)
    template.isUpNextButtonEnabled = true
    template.isAlbumArtistButtonEnabled = true
  }

  /// Sets the buttons of the screen again after a change of the configuration.
  public func configureAgain() {
    session?.updateTemplate(at: clock()) { [weak self] in self?.setUp(&$0) }
  }

  /// The time at which ``update()`` must be called even without an event; nil if there is no such time.
  public var nextDeadline: MonotonicInstant? {
    [heldSeek?.nextStep, seeking.deadline, starvation.deadline, player.queue.nextStepEnd]
      .compactMap { $0 }.min()
  }

  /// Ends the session with all its commands (C6).
  public func end() {
    session?.end(at: clock())
    session = nil
  }

  // MARK: Instructions

  private func execute(_ instruction: SessionInstruction) {
    switch instruction {
    case .pause:
      heldSeek = nil
      player.pause()
    // If an awaited list is shown as *buffering*, nothing is resumed, because this list plays when its songs arrive.
    case .resume:
      if !isAwaitingList, !player.resume(), isPlayWantedOnReturn != nil {
        isPlayWantedOnReturn = true
      }
    // These instructions need no action: the engine ducks the music itself while an overlay plays, at an exact frame.
    // See ``ChimeSource``.
    case .duck, .unduck: break
    }
    update()
  }

  // MARK: The published state

  func description(at now: MonotonicInstant) -> SessionDescription {
    guard let file = player.state.file else { return SessionDescription() }
    // The first content is published before it plays. Otherwise no surface could send a play command for this content
    // (E1).
    let id = contentID(file)
    // Before the file is open, the duration is that of the library.
    let seconds =
      if let opened = player.state.description { opened.durationSeconds } else {
        file.declaredSeconds
      }
    let duration = seconds.map { MediaDuration.finite(.seconds($0)) }
    var description = SessionDescription(
      content: .music(content(id, file, duration)),
      playback: .players(SessionPlayers(report(id, duration, at: now))),
      commands: commands(canSeek: duration != nil),
      upNext: player.upNext(limit: NowPlayingState.upNextLimit).map { item($0, besides: file, id) })
    description.awaitsContent = awaitsContent
    return description
  }

  /// Creates an item of *Up Next*. Tracks of the same album in the same folder share a cover. The cover of any other
  /// track is unknown until that track plays.
  private func item(
    _ entry: LocalPlayer.Entry, besides current: MusicFile, _ contentID: String
  ) -> UpNextItem {
    let file = entry.item
    return UpNextItem(
      id: Self.itemID(entry.id), title: file.shownTitle, artist: file.artist,
      duration: file.declaredSeconds.map { .seconds($0) },
      artworkID: file.sharesCover(with: current) ? artwork(contentID, current)?.id : nil)
  }

  /// The title and the tracks of the current album, in unshuffled order. If the current track has no album, the title
  /// is the name of the folder, and the tracks are the tracks of the folder that have no album. The identity of the
  /// item of the current track is the identity of the current content. Nil if there is no current track.
  public func album(limit: Int) -> (title: String, items: [UpNextItem])? {
    guard let file = player.state.file else { return nil }
    let id = contentID(file)
    let items = player.album(of: file, limit: limit).map { other in
      let item = item(other, besides: file, id)
      return other.id == player.queue.currentID
        ? UpNextItem(
          id: id, title: item.title, artist: item.artist, duration: item.duration,
          artworkID: artwork(id, file)?.id) : item
    }
    return (file.album ?? file.folderName, items)
  }

  private static let itemPrefix = "queue:"

  private static func itemID(_ entry: LocalPlayer.Entry.ID) -> String { "\(itemPrefix)\(entry)" }

  /// The number of the entry with this identity in *Up Next*. Nil if `id` is not the identity of an item of *Up Next*.
  static func entry(ofItem id: String) -> LocalPlayer.Entry.ID? {
    id.hasPrefix(itemPrefix) ? LocalPlayer.Entry.ID(id.dropFirst(itemPrefix.count)) : nil
  }

  /// The identity of a file as content. It is the same in each run. If the file was replaced since the last scan, its
  /// identity changes as soon as the file is opened.
  func contentID(_ file: MusicFile) -> String {
    let stamp = player.state.description?.stamp ?? 0
    return "local-" + String(file.identity(stamp: stamp == 0 ? file.stamp : stamp), radix: 16)
  }

  private func content(
    _ id: String, _ file: MusicFile, _ duration: MediaDuration?
  ) -> MusicContent {
    var items = MetadataItems(
      player.state.metadata.comments.entries.compactMap {
        MetadataItem(tag: $0.name, value: $0.value)
      })
    if items.text(.title) == nil { items.append(MetadataItem(.title, file.shownTitle)) }
    return MusicContent(
      id: id, metadata: items, duration: duration, artwork: artwork(id, file))
  }

  private func report(
    _ id: String, _ duration: MediaDuration?, at now: MonotonicInstant
  ) -> PlayerReport {
    let state = player.state
    let isWaiting = seeking.isActive || starvation.isLong
    let condition: PlayerReport.Condition =
      if isAwaitingList { .buffering } else if state.isStopped { .stopped } else {
        isWaiting && !state.isPaused ? .buffering : .ready
      }
    return PlayerReport(
      contentID: id, duration: duration, position: .seconds(player.elapsedSeconds),
      rate: state.isPaused || state.isStopped ? 0 : heldSeek?.rate ?? 1, condition: condition,
      seeksCompleted: seeksCompleted, timestamp: now)
  }
}
