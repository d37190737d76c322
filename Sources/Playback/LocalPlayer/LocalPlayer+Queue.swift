internal import AudioEngine
public import MusicFiles
public import NowPlaying

// The queue that a person chooses and edits.
extension LocalPlayer {
  /// An entry of the queue.
  public typealias Entry = PlayQueue<MusicFile>.Entry

  /// Where new files are put.
  public enum Insertion: Sendable {
    /// After the current file.
    case next
    case last
  }

  /// Replaces the queue and plays.
  ///
  /// - Parameters:
  ///   - files: at least one file.
  ///   - first: the index of the file that plays first. If nil, the first file plays first, or with shuffle any file.
  ///   - seconds: the position at which the first file begins. Ignored if this file cannot play.
  ///   - shuffled: if true, shuffle is turned on. If false, it stays as it is.
  ///   - paused: if true, the file is opened and paused; ``resume()`` then plays it.
  public func choose(
    _ files: [MusicFile], first: Int?, at seconds: Double = 0, shuffled: Bool,
    from context: QueueContext, paused: Bool = false
  ) {
    let mode = shuffled && !queue.isShuffled ? .items : queue.shuffleMode
    changeOrder {
      queue.choose(files, first: first, from: context, mode, seed: random.next(), at: moment)
      notePassedOver()
    }
    guard let entry = playable(from: queue.current, isRandom: first == nil) else {
      stop()
      return showCurrent()
    }
    begin(entry, at: entry.id == queue.currentID ? seconds : 0, paused: paused)
  }

  /// Plays an entry, or opens it and pauses.
  func begin(_ entry: Entry, at seconds: Double = 0, paused: Bool) {
    if paused {
      pause()
      open(entry, at: seconds)
    } else {
      unpause()
      play(entry, at: seconds, attempt: OpeningAttempt(wraps: true))
    }
  }

  /// Returns `entry` if it can play, otherwise the first entry after it that can play.
  /// - Parameter isRandom: true if no person has chosen this entry. A disliked entry then does not play.
  func playable(from entry: Entry?, isRandom: Bool = false) -> Entry? {
    guard let entry, entry.item.isAbsent || isRandom && queue.passesOver(entry.id) else {
      return entry
    }
    return following(entry, isAsked: true)
  }

  /// Inserts files into the queue. Playback does not start, even if the queue was empty.
  public func insert(_ files: [MusicFile], _ insertion: Insertion) {
    edit { queue, moment in
      switch insertion {
      case .next: queue.playNext(files, at: moment)
      case .last: queue.append(files, at: moment)
      }
    }
  }

  /// Maximum number of files before the current file that stay in the queue when another list is added.
  private static let keptFiles = 500

  /// Adds the songs of another list at the end of the queue.
  public func extend(with files: [MusicFile], from context: QueueContext) {
    edit { queue, _ in queue.extend(files, from: context, keeping: Self.keptFiles) }
    if hasRunOut { next() }
  }

  /// Adds files at the end of the queue: files of the chosen list that were not known when the list was chosen. This is
  /// not an edit, so it cannot be undone.
  public func grow(with files: [MusicFile]) {
    edit { queue, _ in queue.follow(with: files) }
  }

  /// True if no file follows the current file.
  public var isAtEnd: Bool { following(queue.current, isAsked: false) == nil }

  /// The time until the end of the current file. Nil if its duration is not known.
  public var remainingSeconds: Double? {
    state.description?.durationSeconds.map { $0 - elapsedSeconds }
  }

  /// Plays an entry. Returns false if the entry is not in the queue or is absent.
  public func play(entry id: Entry.ID, paused: Bool = false) -> Bool {
    guard let entry = queue.entry(id), !entry.item.isAbsent else { return false }
    if id != queue.currentID { leaveLongFile() }
    begin(entry, paused: paused)
    return true
  }

  /// Removes an entry. If it is the current entry, the next entry plays.
  public func remove(entry id: Entry.ID) -> Bool {
    guard queue.entry(id) != nil else { return false }
    let wasCurrent = queue.currentID == id
    changeOrder { editQueue { $0.remove(id, at: $1) } }
    if wasCurrent { currentWasReplaced() } else { edited() }
    return true
  }

  /// Moves an entry before the entry `other`, or to the end if `other` is nil. Returns false if one of the two entries
  /// is not in the queue.
  public func move(entry id: Entry.ID, before other: Entry.ID?) -> Bool {
    var isDone = false
    edit { isDone = $0.move(id, before: other, at: $1) }
    return isDone
  }

  /// Removes all entries except the current entry.
  public func clearQueue() {
    edit { $0.clear(at: $1) }
  }

  /// Undoes the last edit, or the last replacing of the queue. A queue that returns continues at its position: it plays
  /// if the player plays. Returns false if there is nothing to undo.
  public func undoQueue() -> Bool {
    queue.dropOldSteps(at: clock())
    if queue.undoReplaces { onListLeft(self) }
    var undone: PlayQueue<MusicFile>.Undone?
    changeOrder { editQueue { queue, _ in undone = queue.undo() } }
    guard let undone else { return false }
    if undone.keepsCurrent { edited() } else { currentWasReplaced(at: undone.seconds) }
    return true
  }

  /// Forgets the changes that are too old to be undone.
  func dropOldSteps(at now: MonotonicInstant) {
    if let end = queue.nextStepEnd, end <= now { queue.dropOldSteps(at: now) }
  }

  /// Restores a saved queue. If its current file is playing already, playback continues.
  ///
  /// - Parameter entries: the entries in the list's own order.
  public func restore(_ entries: some Sequence<Entry>, _ saved: PlayQueue<MusicFile>.Saved) {
    changeOrder {
      queue.restore(entries, saved)
      notePassedOver()
      tracks.renumber(queue.entries, preferring: queue.current)
    }
    if state.isStopped { showCurrent() } else { updateQueueIndex() }
  }

  /// Updates the files after volumes were mounted or removed. Files of a volume that is not mounted become absent.
  public func setVolumes(_ mount: (_ identity: String) -> VolumeMount) {
    var moves = MusicFileMoves()
    var isChanged = false
    changeOrder {
      updateQueue { file in
        let moved = moves.moved(file, to: mount)
        isChanged = isChanged || moved != nil
        return moved
      }
      if isChanged { tracks.renumber(queue.entries, preferring: queue.current) }
    }
    if isChanged { unopened = [] }
    if isChanged, state.isStopped { showCurrent() }
  }

  /// Replaces files whose paths have changed. The order of the queue stays. The file that plays is not replaced,
  /// because playback resumes at its path if its medium is removed and inserted again.
  public func replace(_ new: (MusicFile) -> MusicFile?) {
    let playing = state.isStopped ? nil : queue.current?.item.path
    changeOrder {
      updateQueue(isEdit: true) { file in
        if let playing, file.isAt(playing) { nil } else { new(file) }
      }
      tracks.renumber(queue.entries, preferring: queue.current)
    }
    unopened = []
    if state.isStopped { showCurrent() } else { updateQueueIndex() }
  }

  // MARK: Modes

  /// Sets the repeat mode.
  public func setRepeat(_ mode: MediaCommand.RepeatMode) {
    changeOrder { queue.repeatMode = mode }
    dropWrongSuccessor()
  }

  /// If the decode thread has already taken a track that does not follow any more, drops this track: the current track
  /// is decoded again from its present position.
  private func dropWrongSuccessor() {
    guard hasEngine, !state.isStopped, let taken = tracks.queued.first,
      taken.id != following(queue.current, isAsked: false)?.id
    else { return }
    seek(to: elapsedSeconds)
  }

  /// Shuffles the tracks that follow, or restores their original order.
  public func setShuffle(_ mode: MediaCommand.ShuffleMode) {
    // A song that the decode thread has taken already must not interrupt an album.
    changeOrder {
      let planned = mode == .items ? tracks.queued.map(\.id) : []
      queue.setShuffle(mode, planned: planned, seed: random.next())
    }
    dropWrongSuccessor()
    updateQueueIndex()
  }

  /// Selects a random track and shuffles the other tracks. Call this before anything has played.
  public func shuffleFromTheStart() {
    setShuffle(.items)
    let id = queue.ids.filter { !queue.passesOver($0) }.randomElement(using: &random)
    if let id { queue.select(id) }
    if state.isStopped { showCurrent() }
  }

  // MARK: Parts

  /// Changes the queue. The change gets the present moment, to which *undo* returns.
  private func editQueue(_ change: (inout PlayQueue<MusicFile>, QueueMoment) -> Void) {
    let moment = moment
    change(&queue, moment)
    notePassedOver()
  }

  private var moment: QueueMoment { QueueMoment(time: clock(), seconds: elapsedSeconds) }

  /// Replaces files. The order of the queue stays.
  private func updateQueue(isEdit: Bool = false, _ change: (MusicFile) -> MusicFile?) {
    queue.update(isEdit: isEdit, change)
    notePassedOver()
  }

  /// Tells the queue which entries are absent, and which entries shuffle leaves out.
  func notePassedOver() {
    queue.setAbsent(\.isAbsent)
    if let isDisliked { queue.setAvoided(isDisliked) }
  }

  /// Updates the songs that shuffle leaves out: the disliked songs. Must be called when marks have changed.
  func avoidDisliked(_ marks: SongMarks?) {
    let hadDisliked = isDisliked != nil
    isDisliked = marks?.hasDisliked() == true ? marks?.isDisliked : nil
    guard hadDisliked || isDisliked != nil else { return }
    changeOrder { queue.setAvoided(isDisliked ?? { _ in false }) }
    dropWrongSuccessor()
  }

  private func currentWasReplaced(at seconds: Double = 0) {
    guard !state.isStopped else {
      showCurrent()
      return cue(at: seconds)
    }
    guard let entry = playable(from: queue.current) else {
      stop()
      return showCurrent()
    }
    open(entry, at: entry.id == queue.currentID ? seconds : 0)
  }

  private func edit(_ change: (inout PlayQueue<MusicFile>, QueueMoment) -> Void) {
    changeOrder { editQueue(change) }
    edited()
  }

  private func edited() {
    dropWrongSuccessor()
    if state.isStopped { showCurrent() } else { updateQueueIndex() }
  }

  // MARK: Albums and folders

  // Albums and folders are collected in the unshuffled order. Only ``moveToAlbum(_:paused:)`` uses the playing order.

  /// The entries of the same album and folder, but at most `limit` entries.
  func album(of file: MusicFile, limit: Int) -> [Entry] {
    Array(queue.entries.lazy.filter { $0.item.isOfAlbum(of: file) }.prefix(limit))
  }

  /// Plays the first file of the next or previous album in the playing order. Returns false if the queue has no other
  /// album in this direction.
  public func moveToAlbum(_ step: FolderStep, paused: Bool = false) -> Bool {
    let entries = queue.playingOrder
    guard let current = queue.current, let index = queue.index(of: current.id) else { return false }
    func isOther(_ entry: Entry) -> Bool {
      !entry.item.isOfAlbum(of: current.item) && !entry.item.isAbsent
    }
    switch step {
    case .next:
      guard let next = entries[(index + 1)...].first(where: isOther),
        play(entry: next.id, paused: paused)
      else { return false }
      changeOrder { queue.passAlbum(of: current.id) }
      edited()
      return true
    case .previous:
      guard let last = entries[..<index].last(where: isOther) else { return false }
      let album = entries[..<index].reversed().drop { $0.id != last.id }
        .prefix { $0.item.isOfAlbum(of: last.item) }
      return album.last { !$0.item.isAbsent }.map { play(entry: $0.id, paused: paused) } ?? false
    }
  }

  /// Plays the first file of the next or previous folder. Returns false if there is no such folder.
  public func moveToFolder(_ step: FolderStep, paused: Bool = false) -> Bool {
    let files = queue.entries.map(\.item)
    guard let current = state.file else { return false }
    let path = current.path
    guard let index = files.firstIndex(where: { $0.isAt(path) }) else { return false }
    let directory = current.directory
    let target: MusicFile?
    switch step {
    case .next: target = files[index...].first { $0.directory != directory }
    case .previous:
      let before = files[..<index].last { $0.directory != directory }?.directory
      target = before.flatMap { before in files.first { $0.directory == before } }
    }
    guard let target else { return false }
    leaveLongFile()
    return play(path: target.path, paused: paused)
  }

  // MARK: What was heard before

  // The queue of all files is not saved. Even so, after a restart *previous* goes to the file that was heard before the
  // current file.

  /// Stores which file was heard before another file.
  struct HeardBefore {
    /// The possible paths of the file that was heard before.
    var paths: [String]
    /// The path of the file that was heard after it.
    var current: String
  }

  /// The file to which *previous* goes from the start of the current file. Nil in an unshuffled order, because that
  /// order can be restored without this file.
  public var shuffledPreceding: MusicFile? {
    queue.isShuffled ? queue.preceding.flatMap(queue.entry)?.item : nil
  }

  /// Stores which file was heard before the file `current` in an earlier run.
  ///
  /// - Parameters:
  ///   - paths: the possible paths of the file that was heard before.
  ///   - current: the path of the file that was heard after it.
  public func setPreceding(_ paths: [String], of current: String) {
    heardBefore = HeardBefore(paths: paths, current: current)
    usePreceding()
  }

  /// If the queue contains both stored files, makes *previous* go to the file that was heard before.
  func usePreceding() {
    guard let noted = heardBefore, let current = queue.current, current.item.isAt(noted.current)
    else { return }
    guard queue.heard.isEmpty else {
      heardBefore = nil
      return
    }
    let entries = queue.entries
    for path in noted.paths {
      guard let entry = entries.first(where: { $0.item.isAt(path) }) else { continue }
      queue.setHeard([entry.id])
      heardBefore = nil
      return
    }
  }
}

/// The direction of a move to another album or folder.
public enum FolderStep: Hashable, Sendable {
  case next, previous
}
