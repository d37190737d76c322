internal import EventLoop
internal import Files
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

/// Restores the queue that the user has chosen or edited, and saves each change. The queue is restored as soon as its
/// file was read. The first sound does not wait for the restored queue. This object does not start playback:
/// ``takeFileToContinue()`` returns the file at which the queue continues, and the caller starts playback.
///
/// Used on the control thread. Only ``shutDown()`` blocks.
final class QueueSaver {
  /// The progress of restoring the saved queue.
  private enum Stage {
    /// The saved queue is being read. The value is the entry that the last run saved.
    case reading(UnitState.CurrentEntry?)
    /// Safe mode: the saved queue is neither read nor replaced. The value is the entry that the last run saved.
    case held(UnitState.CurrentEntry?)
    case ready
  }

  let store: StateStore
  private let player: LocalPlayer
  private let mounted: MountedVolumes
  private let turns: Turns
  private let log: UnitLog
  private var stage: Stage
  /// The file that the last run has saved as its current file.
  private let lastFile: FileLocation?
  /// The entries that the last run has saved as heard.
  private let lastHeard: [EntryID]
  /// The number of the queue that was saved or restored last. Each saved queue has a new number.
  private var number: UInt64
  /// The queue that was saved or restored last. Nil if no queue was saved or restored.
  private var last: (revision: Int, wishes: Int, context: QueueContext?)?
  /// The start time of the pending save; nil if no save is pending.
  private var savingSince: MonotonicInstant?
  private var sources: [DescriptorSource] = []
  /// The file that ``takeFileToContinue()`` returns.
  private var fileToContinue: FileLocation?
  /// The state of the unit refers to an entry of a saved queue. So the state is saved only after this queue, but the
  /// save waits at most for this time.
  private static let longestSave = Duration.seconds(2)

  /// Begins to read the saved queue on another thread.
  /// - Parameters:
  ///   - state: the state that the last run saved.
  ///   - isHeld: true in safe mode.
  init(
    _ player: LocalPlayer, _ mounted: MountedVolumes, folder: String, state: UnitState,
    isHeld: Bool, _ turns: Turns, log: UnitLog
  ) {
    self.player = player
    self.mounted = mounted
    self.turns = turns
    self.log = log
    store = StateStore(folder: folder, name: "queue", layout: .queue)
    stage = isHeld ? .held(state.queue) : .reading(state.queue)
    lastFile = state.file
    lastHeard = state.heard
    number = state.queue?.number ?? 0
  }

  /// Starts to handle the events of the store.
  func listen(_ loop: EventLoop) throws(SystemError) {
    let read = { [weak self] in
      if let file = self?.restoreSaved() { self?.fileToContinue = file }
    }
    let isHeld = if case .held = stage { true } else { false }
    sources = try store.events(
      loop, turns, .queueUnusable, "the queue", log: log, read: isHeld ? nil : read)
  }

  /// True if the saved queue was read.
  var isRead: Bool { if case .ready = stage { true } else { false } }

  /// The queue entry to save with the state. Nil if the current file does not belong to a saved queue.
  var currentEntry: UnitState.CurrentEntry? {
    switch stage {
    case .reading(let entry): return entry
    case .held(let entry): return player.state.file.map(isLastFile) == true ? entry : nil
    case .ready: break
    }
    guard player.hasChosenQueue, let id = player.queue.currentID else { return nil }
    return EntryID(id).map { UnitState.CurrentEntry(number: number, entry: $0) }
  }

  /// The entries to save as heard with the state.
  var heard: [EntryID] {
    switch stage {
    case .reading, .held: lastHeard
    case .ready: player.hasChosenQueue ? player.queue.heard.compactMap { EntryID($0) } : []
    }
  }

  // MARK: Restoring

  /// Returns once the file at which the restored queue continues. Nil if no queue was restored, or if the queue is not
  /// newer than the state, so that playback continues with the file of the state.
  func takeFileToContinue() -> FileLocation? {
    defer { fileToContinue = nil }
    return fileToContinue
  }

  /// Restores the queue if it was read just now. Returns the file to continue with, if the queue is newer than the
  /// state.
  func restoreSaved() -> FileLocation? {
    // The descriptor is also signalled after a save, and stays readable until `takeOpening` is called.
    guard let opening = store.takeOpening(), case .reading(let lastEntry) = stage else {
      return nil
    }
    stage = .ready
    guard let payload = opening.payload else { return nil }
    do throws(UnitStateError) {
      var restored = RestoredEntries()
      let saved = try SavedQueue(decoding: payload) { entry in
        add(entry, to: &restored.list)
        restored.ids.append(entry.id)
        if restored.lastFile == nil, isLastFile(entry) {
          restored.lastFile = restored.ids.count - 1
        }
      }
      if !saved.damage.isEmpty {
        log(
          .queueRepaired, "parts of the saved queue cannot be used: \(saved.damage.reason)",
          at: .now())
      }
      number = max(number, saved.number)
      // If the user has already chosen other music, the saved queue is not used.
      guard !player.hasChosenQueue, !restored.ids.isEmpty else { return nil }
      return restore(saved, &restored, lastEntry)
    } catch {
      log(.queueUnusable, "the saved queue cannot be used: \(error.reason)", at: .now())
      return nil
    }
  }

  /// The entries of a saved queue, as files of the player.
  private struct RestoredEntries {
    var list = MusicFileList()
    var ids: [EntryID?] = []
    /// The index of the first entry with the file of the last run.
    var lastFile: Int?
  }

  private func restore(
    _ saved: SavedQueue, _ restored: inout RestoredEntries, _ lastEntry: UnitState.CurrentEntry?
  ) -> FileLocation? {
    let isNewer = saved.number > lastEntry?.number ?? 0
    let ids = EntryID.numbered(restored.ids)
    let current: EntryID?
    if let lastEntry, lastEntry.number == saved.number {
      current = lastEntry.entry
    } else if isNewer {
      // The power was cut after the queue was saved, but before the state was saved. So the current entry comes from
      // the queue.
      current = saved.current
    } else if let entry = restored.lastFile {
      current = ids[entry]
    } else {
      // The saved queue is older than the state, and does not contain the file of the state. So this file plays alone.
      return nil
    }
    let entries = zip(ids, restored.list.take()).map {
      LocalPlayer.Entry(id: $0.number, $1)
    }
    var queue = PlayQueue<MusicFile>.Saved()
    queue.currentID = current?.number
    queue.heard = lastHeard.map(\.number)
    queue.context = saved.context.map {
      QueueContext(list: $0.list, title: $0.title, parent: $0.parent, isReduced: $0.isReduced)
    }
    queue.lastList = saved.lastList?.number
    (queue.isEmptied, queue.hasEnded) = (saved.isEmptied, saved.hasEnded)
    for (id, wish) in saved.wishes { queue.wishes[id.number] = wish == .next ? .next : .last }
    if let shuffle = saved.shuffle {
      queue.shuffle = shuffle.isByAlbums ? .albums(seed: shuffle.seed) : .songs(seed: shuffle.seed)
      queue.order = saved.order.map { ids[$0].number }
    }
    player.restore(entries, queue)
    // A wish can end with the restart. It must not return at the next start.
    last = (player.queue.revision, saved.wishes.count, player.context)
    log(.queueRestored, "the saved queue was restored: \(entries.count) entries", at: .now())
    guard isNewer, let file = player.queue.current?.item else { return nil }
    return location(of: file)
  }

  private func location(of file: MusicFile) -> FileLocation? {
    let path = FileName.bytes(file.path)
    guard let volume = file.volume, let root = volume.path,
      !PresentVolumes.isFolder(volume.identity)
    else { return FileLocation(path: path, folderBytes: 0) }
    return FileLocation(path: path, folderBytes: 0, stick: (volume.identity, root.utf8.count))
  }

  private func isLastFile(_ file: MusicFile) -> Bool {
    if let song = lastFile?.reference { return song == file.reference }
    return lastFile?.path == FileName.bytes(file.path)
  }

  private func isLastFile(_ entry: SavedQueue.Entry) -> Bool {
    let (volume, path) = (entry.reference.volume, entry.reference.path)
    guard let lastFile, lastFile.path.reversed().starts(with: path.reversed()) else { return false }
    if let song = lastFile.reference, !volume.isEmpty { return song == entry.reference }
    let root = mounted.present.volume(volume).path.map { FileName.bytes($0) + [0x2F] } ?? []
    return root + path == lastFile.path
  }

  private func add(_ entry: SavedQueue.Entry, to list: inout MusicFileList) {
    func text(_ text: String) -> String? { text.isEmpty ? nil : text }
    list.add(
      entry.reference.volume.isEmpty ? nil : mounted.present.volume(entry.reference.volume),
      path: FileName.text(entry.reference.path), title: text(entry.title),
      artist: text(entry.artist),
      album: text(entry.album),
      seconds: entry.duration == .zero ? nil : entry.duration.seconds,
      stamp: entry.stamp, numberInAlbum: entry.numberInAlbum)
  }

  // MARK: Saving

  /// Saves the queue if it has changed. Call this after each event.
  /// - Parameter isArriving: true while songs of the list still arrive. The queue is then saved when its first songs
  ///   have arrived, and again when all have arrived.
  func update(isArriving: Bool = false, at now: MonotonicInstant) {
    if savingSince != nil, !store.isSaving { savingSince = nil }
    guard case .ready = stage else { return }
    guard player.hasChosenQueue else {
      // *Undo* has brought back the queue of all files, so the saved queue must not return at the next start.
      if last != nil { save(SavedQueue(), [], at: now) }
      last = nil
      return
    }
    // A wish ends when its song plays or cannot be opened, which is not an edit. The song need not be among those that
    // were heard: there are at most 100 of them, and *previous* takes one away.
    let present = (player.queue.revision, player.queue.wishCount, player.context)
    if let last, last == present { return }
    if isArriving, let last, last.context == player.context { return }
    last = present
    save(saved(), player.queue.entries.lazy.map { Self.savedEntry($0) }, at: now)
  }

  private func save(
    _ queue: SavedQueue, _ entries: some Collection<SavedQueue.Entry>, at now: MonotonicInstant
  ) {
    number = SavedQueue.number(after: number)
    var queue = queue
    queue.number = number
    let (bytes, left) = queue.encoded(entries, limit: StateLayout.queue.maximumPayload)
    if left > 0 { log(.queueCut, "the last \(left) entries of the queue are not saved", at: now) }
    store.save(bytes)
    savingSince = now
  }

  /// True while the state must not be saved, because it would refer to a queue that is not on the storage yet.
  func isSaving(at now: MonotonicInstant) -> Bool {
    savingSince.map { now.awake - $0.awake < Self.longestSave && store.isSaving } ?? false
  }

  /// The queue to save, without its entries.
  private func saved() -> SavedQueue {
    let queue = player.queue
    var saved = SavedQueue()
    saved.current = queue.currentID.flatMap { EntryID($0) }
    saved.context = player.context.map {
      SavedQueue.Context(
        list: $0.list, title: $0.title, parent: $0.parent, isReduced: $0.isReduced)
    }
    let values = queue.saved
    saved.lastList = values.lastList.flatMap { EntryID($0) }
    (saved.isEmptied, saved.hasEnded) = (values.isEmptied, values.hasEnded)
    for (id, wish) in values.wishes {
      if let id = EntryID(id) { saved.wishes[id] = wish == .next ? .next : .last }
    }
    if let shuffle = values.shuffle {
      saved.shuffle = .init(seed: shuffle.seed, isByAlbums: shuffle.mode == .collections)
      var indices: [LocalPlayer.Entry.ID: Int] = [:]
      for (index, entry) in queue.entries.enumerated() { indices[entry.id] = index }
      saved.order = queue.ids.compactMap { indices[$0] }
    }
    return saved
  }

  private static func savedEntry(_ entry: LocalPlayer.Entry) -> SavedQueue.Entry {
    let file = entry.item
    return SavedQueue.Entry(
      id: EntryID(entry.id), file.reference, title: file.title ?? "", artist: file.artist ?? "",
      album: file.album ?? "", duration: file.declaredTime, stamp: file.stamp,
      numberInAlbum: file.numberInAlbum)
  }

  /// Ends the thread of the store. Waits for at most two seconds.
  func shutDown() {
    if !store.shutDown(within: 2000), last != nil {
      log(.stateLost, "the last queue was not saved", at: .now())
    }
  }
}
