internal import AudioEngine
public import MusicFiles
public import NowPlaying

// What the owner of lists does with their songs.
extension LocalSource {
  /// A list that a person has chosen, and whose songs have not arrived.
  struct AwaitedList {
    let number: Int
    /// The source that played when the list was chosen, and that gives way to it.
    let formerSource: SessionID?
    /// True if surfaces show that the unit waits for it.
    var isLate = false
    /// False if a person has pressed *pause* or *stop* meanwhile.
    var isPlayWanted = true
  }

  /// Must be called when a person has chosen a list that exists. Returns a number for the other functions. A list that
  /// was awaited before does not count any more.
  public func awaitList() -> Int {
    lastAwaited += 1
    awaitedList = AwaitedList(number: lastAwaited, formerSource: playingSource)
    update()
    return lastAwaited
  }

  /// False if something else was chosen after this list.
  public func isAwaiting(_ number: Int) -> Bool { awaitedList?.number == number }

  /// The songs are late. From now on the state is *buffering*, unless the session must be silent.
  public func listIsLate(_ number: Int) {
    guard isAwaiting(number) else { return }
    awaitedList?.isLate = true
    update()
  }

  /// The list does not come.
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

  /// The other source that plays.
  private var playingSource: SessionID? {
    if case .takenOver(let other) = session?.sound.hold { other } else { nil }
  }

  /// Replaces the queue and plays. See ``LocalPlayer/choose(_:first:at:shuffled:from:paused:)``.
  public func choose(
    _ files: [MusicFile], first: Int, at seconds: Double, shuffled: Bool,
    from context: QueueContext, _ reply: CommandReply
  ) {
    begin(reply, isPlayWanted: isAwaitedListWanted) {
      $0.choose(
        files, first: first, at: seconds, shuffled: shuffled, from: context, paused: $1)
      return true
    }
  }

  /// Inserts files into the queue. An empty queue is not played.
  public func insert(
    _ files: [MusicFile], _ insertion: LocalPlayer.Insertion, _ reply: CommandReply
  ) {
    act(reply) {
      $0.insert(files, insertion)
      return .success
    }
  }

  /// Plays on.
  public func resume(_ reply: CommandReply) {
    begin(reply) { player, isPaused in isPaused || player.resume() }
  }

  /// Plays the first file of another album or folder of the queue. Returns false, and does not answer, if the queue has
  /// no other one there.
  public func move(to jump: ListJump, _ reply: CommandReply) -> Bool {
    let step: FolderStep = jump.isNext ? .next : .previous
    return switch jump {
    case .nextAlbum, .previousAlbum: begin(reply) { $0.moveToAlbum(step, paused: $1) }
    case .nextFolder, .previousFolder: begin(reply) { $0.moveToFolder(step, paused: $1) }
    case .nextPlaylist, .previousPlaylist: false
    }
  }

  /// Carries out a request to play something, in place of a list that is awaited. While the session must be silent, this
  /// is only what plays afterwards.
  ///
  /// - Parameter body: plays; or opens the file and pauses, if its second argument is true. Returns false if it can do
  ///   neither. Then this function does not answer.
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

  /// True during an interruption, and without an output. Another source that plays gives way instead.
  private var mustBeSilent: Bool {
    switch session?.sound.hold {
    case .interruption, .outputLost, .audioSessionInactive: true
    case .takenOver, nil: false
    }
  }
}
