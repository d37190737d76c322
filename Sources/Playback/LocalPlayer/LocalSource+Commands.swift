internal import AudioEngine
public import MusicFiles
public import NowPlaying

// The commands of the session, and their execution by the player.
extension LocalSource {
  func commands(canSeek: Bool) -> [MediaCommand] {
    transportCommands(canSeek: canSeek && player.canSeek) + queueCommands + markCommands
  }

  private func transportCommands(canSeek: Bool) -> [MediaCommand] {
    [
      .play { [weak self] reply in
        self?.awaitedList?.isPlayWanted = true
        self?.play(reply)
      },
      .pause { [weak self] reply in self?.silence(reply) { $0.pause() } },
      .stop { [weak self] reply in self?.silence(reply) { $0.stop() } },
      .next { [weak self] reply in self?.next(reply) }
        .possible(player.hasNext || isOtherMusicNeeded),
      .previous { [weak self] reply in self?.move(reply) { $0.previous() } }
        .possible(player.canSeek || player.hasPrevious),
      .skipForward(preferredIntervals: [skipInterval]) { [weak self] interval, reply in
        self?.move(reply) { $0.skip(by: interval.inSeconds) }
      }.possible(player.canSeek),
      .skipBackward(preferredIntervals: [skipInterval]) { [weak self] interval, reply in
        self?.move(reply) { $0.skip(by: -interval.inSeconds) }
      }.possible(player.canSeek),
      .seekForward(
        beginAction: { [weak self] in self?.beginSeek(1, $0) },
        endAction: { [weak self] in self?.endSeek($0) }
      ).possible(canSeek),
      .seekBackward(
        beginAction: { [weak self] in self?.beginSeek(-1, $0) },
        endAction: { [weak self] in self?.endSeek($0) }
      ).possible(canSeek),
      .seekToPosition { [weak self] position, reply in
        self?.move(reply) { $0.seek(to: position.inSeconds) }
      }.possible(canSeek),
      .changeRepeatMode(current: player.queue.repeatMode) { [weak self] mode, reply in
        self?.act(reply) { $0.setRepeat(mode) }
      },
      .changeShuffleMode(
        current: player.queue.shuffleMode, supported: [.off, .items, .collections]
      ) { [weak self] mode, reply in
        self?.act(reply) { $0.setShuffle(mode) }
      },
    ]
  }

  private static let sourceAbsent = CommandAnswer.noSuchContent(
    Refusal(
      .sourceAbsent, "the music is on a stick that is not there", remedy: "plug it in"))

  /// Resumes. If the queue has no song that can play, plays other music.
  private func play(_ reply: CommandReply) {
    if !player.canResume, let otherMusic, otherMusic.isPresent() { return otherMusic.play(reply) }
    act(reply) { $0.resume() ? .success : Self.sourceAbsent }
  }

  /// True if the queue has no song that can play, but other music is present.
  private var isOtherMusicNeeded: Bool { !player.hasMusic && otherMusic?.isPresent() == true }

  private func silence(_ reply: CommandReply, _ body: (LocalPlayer) -> Void) {
    awaitedList?.isPlayWanted = false
    if isPlayWantedOnReturn == true { isPlayWantedOnReturn = false }
    act(reply, body)
  }

  private func act(_ reply: CommandReply, _ body: (LocalPlayer) -> Void) {
    act(reply) {
      body($0)
      return .success
    }
  }

  private func act(_ reply: CommandReply, _ body: (LocalPlayer) -> CommandAnswer) {
    let before = player.lastEffect
    reply(body(player), at: clock())
    awaitEffect(since: before, reply)
    update()
  }

  /// If a command changes the sound, keeps its reply, so that the trace gets the time at which the effect is heard.
  private func awaitEffect(since before: Effect, _ reply: CommandReply) {
    let effect = player.lastEffect
    guard effect != before else { return }
    // A command with an effect on the sound ends a held seek.
    heldSeek = nil
    // A track that was selected during a pause is heard only after the pause. So this effect is not awaited.
    if effect.isImmediate || !player.state.isPaused {
      awaited.append((effect, reply))
      if awaited.count > Self.awaitedLimit { awaited.removeFirst() }
    }
  }

  /// Carries out a command that is possible only after a track has played.
  private func move(_ reply: CommandReply, _ body: (LocalPlayer) -> Bool) {
    act(reply) { body($0) ? .success : .nothingPlaying }
  }

  private static let nothingFollows = CommandAnswer.noSuchContent(
    Refusal(.noSuchContent, CommandRefusal.notPossible(.next).description))

  private func next(_ reply: CommandReply) {
    if isOtherMusicNeeded { return play(reply) }
    act(reply) { $0.next() ? .success : Self.nothingFollows }
  }

  private func beginSeek(_ direction: Double, _ reply: CommandReply) {
    guard !player.state.isStopped else { return reply(.nothingPlaying, at: clock()) }
    heldSeek = HeldSeek(
      of: player.playingID, from: player.elapsedSeconds, direction: direction, at: clock())
    reply(.success, at: clock())
    update()
  }

  private func endSeek(_ reply: CommandReply) {
    heldSeek = nil
    reply(.success, at: clock())
    update()
  }

  func stepHeldSeek(at now: MonotonicInstant) {
    guard var seek = heldSeek else { return }
    let end = player.state.description?.durationSeconds
    if player.playingID != seek.playingID || player.state.isStopped {
      heldSeek = nil
    } else if let position = seek.step(at: now, end: end) {
      heldSeek = seek
      player.seek(to: position)
    }
  }

  // MARK: The commands for the queue

  private var queueCommands: [MediaCommand] {
    [
      .playQueueItem { [weak self] id, reply in self?.play(id, reply) }.possible(player.count > 0),
      .moveQueueItem { [weak self] id, other, revision, reply in
        self?.edit(revision, reply) { Self.move(id, before: other, in: $0) }
      }.possible(player.count > 1),
      .removeQueueItem { [weak self] id, revision, reply in
        self?.edit(revision, reply) { player in
          Self.entry(ofItem: id).map { player.remove(entry: $0) } ?? false
            ? .success : Self.noSuchItem
        }
      }.possible(player.count > 0),
      .clearQueue { [weak self] revision, reply in
        self?.edit(revision, reply) {
          $0.clearQueue()
          return .success
        }
      }.possible(player.count > 1),
      .undoQueue { [weak self] revision, reply in
        self?.edit(revision, reply) { $0.undoQueue() ? .success : Self.nothingToUndo }
      }.possible(player.queue.canUndo),
    ]
  }

  private static let noSuchItem = CommandAnswer.noSuchContent(
    Refusal(.noSuchItem, "the queue has no such item"))
  private static let nothingToUndo = CommandAnswer.failed(
    CommandRefusal.notPossible(.undoQueue).refusal)

  private func play(_ id: String, _ reply: CommandReply) {
    // The item of the current track has the identity of the content, which differs from the identities in *Up Next*.
    let entry =
      id == player.state.file.map(contentID) ? player.queue.currentID : Self.entry(ofItem: id)
    guard let entry, begin(reply, { $0.play(entry: entry, paused: $1) }) else {
      return reply(Self.noSuchItem, at: clock())
    }
  }

  private static func move(
    _ id: String, before other: String?, in player: LocalPlayer
  ) -> CommandAnswer {
    guard let entry = entry(ofItem: id) else { return noSuchItem }
    let before = other.map { Self.entry(ofItem: $0) }
    // If `other` is not an item of the queue, this is an error. Only nil stands for the end of the queue.
    if case .some(nil) = before { return noSuchItem }
    return player.move(entry: entry, before: before ?? nil) ? .success : noSuchItem
  }

  /// Carries out an edit. If the queue has changed since the sender read it, the edit is refused, because it could
  /// change a different item.
  private func edit(
    _ revision: Int, _ reply: CommandReply, _ body: (LocalPlayer) -> CommandAnswer
  ) {
    act(reply) { player in
      guard revision >= player.queue.editRevision, revision <= player.queue.revision else {
        return .failed(
          Refusal(
            .queueChanged, "the queue has changed", remedy: "read the queue, and try again"))
      }
      return body(player)
    }
  }

  // MARK: The commands for the marks of songs

  /// Empty if no marks are kept, or if there is no current song. Otherwise always the same commands in the same order.
  private var markCommands: [MediaCommand] {
    guard let marks, let file = player.state.file else { return [] }
    let values = marks.of(file)
    return [
      .like(isActive: values.isLiked) { [weak self] in self?.mark(file, .like($0), $1) },
      .dislike(isActive: values.isDisliked) { [weak self] in self?.mark(file, .dislike($0), $1) },
      .stars(current: values.stars ?? TagRating.stars(player.state.metadata)) {
        [weak self] stars, reply in
        self?.mark(file, .stars((stars * 2).rounded() / 2), reply)
      },
      .bookmark(isActive: values.hasBookmark) { [weak self] isSet, reply in
        guard let self else { return }
        mark(file, .bookmark(at: isSet ? player.elapsedSeconds : nil), reply)
      },
    ]
  }

  private func mark(_ file: MusicFile, _ change: SongMarks.Change, _ reply: CommandReply) {
    marks?.set(file, change) { [weak self] refusal in
      guard let self else { return }
      reply(refusal.map { .failed($0) } ?? .success, at: clock())
      update()
    }
  }

  /// Must be called when marks have changed, even if this source has changed them.
  public func marksChanged() {
    player.avoidDisliked(marks)
    update()
  }

  // MARK: Lists

  /// A list of songs, such as an album, that a person has chosen, while its songs have not arrived from the library.
  struct AwaitedList {
    let number: Int
    /// The source that played when the list was chosen. This source gives way to the list.
    let formerSource: SessionID?
    /// True if surfaces show that the unit waits for the list.
    var isLate = false
    /// False if a person has pressed *pause* or *stop* since the list was chosen.
    var isPlayWanted = true
  }

  /// Must be called when a person has chosen a list that exists. Returns a number that identifies this list in the
  /// functions below. The wait for an earlier list ends.
  public func awaitList() -> Int {
    lastAwaited += 1
    awaitedList = AwaitedList(number: lastAwaited, formerSource: playingSource)
    update()
    return lastAwaited
  }

  /// False if the wait for this list has ended, for example because a person has chosen another list.
  public func isAwaiting(_ number: Int) -> Bool { awaitedList?.number == number }

  /// Must be called when the songs are late. From now on the state is *buffering*, unless the session must be silent.
  public func listIsLate(_ number: Int) {
    guard isAwaiting(number) else { return }
    awaitedList?.isLate = true
    update()
  }

  /// Ends the wait for the list, because its songs will not arrive.
  public func endAwaiting(_ number: Int) {
    guard isAwaiting(number) else { return }
    awaitedList = nil
    update()
  }

  /// True if the state shows that a list is awaited.
  var isAwaitingList: Bool {
    awaitedList?.isLate == true && isAwaitedListWanted && !mustBeSilent
  }

  /// False if a person has silenced the unit, or has chosen another source, since the list was chosen.
  private var isAwaitedListWanted: Bool {
    guard let awaitedList else { return true }
    return awaitedList.isPlayWanted
      && (playingSource == nil || playingSource == awaitedList.formerSource)
  }

  /// The other source that plays. Nil if no other source plays.
  private var playingSource: SessionID? {
    if case .takenOver(let other) = session?.sound.hold { other } else { nil }
  }

  /// Replaces the queue and plays. See ``LocalPlayer/choose(_:first:at:shuffled:from:paused:)``.
  public func choose(
    _ files: [MusicFile], first: Int?, at seconds: Double, shuffled: Bool,
    from context: QueueContext, _ reply: CommandReply
  ) {
    begin(reply, isPlayWanted: isAwaitedListWanted) {
      $0.choose(
        files, first: first, at: seconds, shuffled: shuffled, from: context, paused: $1)
      return true
    }
  }

  /// Inserts files into the queue. Playback does not start, even if the queue was empty.
  public func insert(
    _ files: [MusicFile], _ insertion: LocalPlayer.Insertion, _ reply: CommandReply
  ) {
    act(reply) {
      $0.insert(files, insertion)
      return .success
    }
  }

  /// Resumes playback. While the session must be silent, playback resumes only afterwards.
  public func resume(_ reply: CommandReply) {
    begin(reply) { player, isPaused in isPaused || player.resume() }
  }

  /// Plays the first file of another album or folder of the queue. If the queue has no other album or folder in this
  /// direction, returns false and does not answer the command.
  public func move(to jump: ListJump, _ reply: CommandReply) -> Bool {
    let step: FolderStep = jump.isNext ? .next : .previous
    return switch jump {
    case .nextAlbum, .previousAlbum: begin(reply) { $0.moveToAlbum(step, paused: $1) }
    case .nextFolder, .previousFolder: begin(reply) { $0.moveToFolder(step, paused: $1) }
    case .nextPlaylist, .previousPlaylist: false
    }
  }

  /// Carries out a request to play something. The request replaces a list that is awaited. While the session must be
  /// silent, the file is only opened; it plays afterwards.
  ///
  /// - Parameter body: plays a file. If its second argument is true, it opens the file and pauses instead. If it
  ///   returns false, nothing can play, and this function does not answer the command.
  @discardableResult
  func begin(
    _ reply: CommandReply, isPlayWanted: Bool = true, _ body: (LocalPlayer, Bool) -> Bool
  ) -> Bool {
    let before = player.lastEffect
    guard body(player, mustBeSilent || !isPlayWanted) else { return false }
    awaitedList = nil
    if mustBeSilent, isPlayWanted { session?.requestPlay(at: clock()) }
    reply(.success, at: clock())
    awaitEffect(since: before, reply)
    update()
    return true
  }

  /// True if there is an interruption or no output. False if another source plays, because that source gives way, and
  /// after the end of the queue, because the audio session is activated before the next sound.
  private var mustBeSilent: Bool {
    switch session?.sound.hold {
    case .interruption, .outputLost: true
    case .takenOver, .audioSessionInactive, .silenced, nil: false
    }
  }
}
