internal import AudioEngine
internal import EventLoop
internal import Files
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

/// When another list replaces a list, saves the replaced list with the position in it. The position in the present list
/// is saved in the state of the unit.
///
/// Used on the control thread. Only ``shutDown()`` blocks.
final class RecentListSaver {
  let store: StateStore
  private let isHeld: Bool
  private let turns: Turns
  private let log: UnitLog
  private var sources: [DescriptorSource] = []
  private(set) var isRead = false
  private(set) var lists = RecentLists()

  /// - Parameter isHeld: true in safe mode. The saved lists are then neither read nor replaced.
  init(folder: String, isHeld: Bool, _ turns: Turns, log: UnitLog) {
    store = StateStore(folder: folder, name: "recent")
    self.isHeld = isHeld
    self.turns = turns
    self.log = log
  }

  /// Starts to handle the events of the store.
  func listen(_ loop: EventLoop) throws(SystemError) {
    let read = { [weak self] in self?.restoreSaved() ?? () }
    sources = try store.events(
      loop, turns, .positionsUnusable, "the lists that were left", log: log,
      read: isHeld ? nil : read)
  }

  /// Restores the saved lists if their file was read just now.
  func restoreSaved() {
    // The descriptor is also signalled after a save, and stays readable until `takeOpening` is called.
    guard let opening = store.takeOpening(), !isRead else { return }
    isRead = true
    guard let payload = opening.payload else { return }
    do throws(UnitStateError) {
      let new = lists.entries
      lists = try RecentLists(decoding: payload)
      if !lists.damage.isEmpty {
        log(
          .positionsRepaired, "parts of the saved positions cannot be used: \(lists.damage.reason)",
          at: .now())
      }
      // Entries that were added before the file was read are newer than the saved entries.
      for entry in new.reversed() { lists.add(entry) }
    } catch {
      log(.positionsUnusable, "the saved positions cannot be used: \(error.reason)", at: .now())
    }
  }

  /// The position at the end of the last run. It is kept while the medium of its song is missing.
  struct Awaited {
    var song: SongReference
    var elapsed: SongTime
  }

  /// Adds an entry for the present list. Call this before another list plays, and when the medium was removed.
  ///
  /// - Parameters:
  ///   - seconds: the position in the file; nil for the position of the player.
  ///   - awaited: the position to save if nothing has played yet.
  func leave(_ player: LocalPlayer, at seconds: Double? = nil, awaited: Awaited? = nil) {
    guard let list = Self.list(player) else { return }
    if keepsFartherPosition(player, list.list, at: seconds) { return }
    if player.playingID > 0, let file = player.state.file {
      let elapsed = seconds ?? (player.state.isStopped ? nil : player.elapsedSeconds)
      add(
        RecentLists.Entry(
          context: list, file.reference, title: file.shownTitle, elapsed: .zero,
          heard: Self.heard(player, elapsed ?? 0)), at: elapsed)
    } else if let awaited {
      keep(awaited, player)
    }
  }

  /// Saves the position in the list, because *undo* brings back another queue. A list that was chosen by mistake is not
  /// a list that was left.
  func leaveForUndo(_ player: LocalPlayer) {
    if player.elapsedSeconds > Self.shortTime { leave(player) }
  }

  /// A list that was begun by mistake is left after a short time. It then keeps a position that is far in it.
  private static let shortTime = 30.0
  private static let farTime = 300.0

  /// True if the present position is at most 30 s from the beginning of the list, or of its song, and the saved
  /// position is more than 5 minutes from there.
  private func keepsFartherPosition(
    _ player: LocalPlayer, _ list: String, at seconds: Double?
  ) -> Bool {
    let elapsed = seconds ?? player.elapsedSeconds
    guard player.playingID > 0, elapsed <= Self.shortTime, let file = player.state.file,
      let saved = lists.entries.first(where: {
        $0.context.list == list && $0.reference.volume == file.reference.volume
      })
    else { return false }
    if saved.reference == file.reference, saved.elapsed.seconds > Self.farTime { return true }
    guard player.queue.isAtBeginning else { return false }
    let songs = player.queue.currentList.map { player.queue.entries[$0.indices].map(\.item) } ?? []
    let before = songs.prefix { $0.reference != saved.reference }
    // A song that the list does not have any more is not a position in it.
    guard before.count < songs.count else { return false }
    let start = before.reduce(0) { $0 + ($1.declaredSeconds ?? 0) }
    return start + saved.elapsed.seconds > Self.farTime
  }

  /// Adds an entry for the present list with the position at the end of the last run.
  func keep(_ awaited: Awaited, _ player: LocalPlayer) {
    guard let list = Self.list(player) else { return }
    let file = player.queue.entries.first { $0.item.reference == awaited.song }?.item
    add(
      RecentLists.Entry(
        context: list, awaited.song,
        title: file?.shownTitle ?? OwnPlaylist.Entry(awaited.song).shownTitle, elapsed: .zero),
      at: awaited.elapsed.seconds)
  }

  /// The present list. Nil if it has no name.
  private static func list(_ player: LocalPlayer) -> SavedQueue.Context? {
    let context =
      player.queue.currentList?.context
      ?? (player.hasChosenQueue ? nil : QueueContext(list: "all", title: ""))
    return context.map { SavedQueue.Context(list: $0.list, title: $0.title, parent: $0.parent) }
  }

  /// The heard part of the list in thousandths: all songs before the present song, and the heard part of the present
  /// song. With shuffle, the list is the whole queue.
  private static func heard(_ player: LocalPlayer, _ elapsed: Double) -> UInt16? {
    let queue = player.queue
    guard var index = queue.currentIndex, let list = queue.currentList?.indices else { return nil }
    var count = queue.count
    if !queue.isShuffled { (index, count) = (index - list.lowerBound, list.count) }
    let duration =
      player.state.description?.durationSeconds ?? player.state.file?.declaredSeconds ?? 0
    let part = duration > 0 ? min(max(elapsed / duration, 0), 1) : 0
    let heard = (Double(index) + part) / Double(count)
    return UInt16(exactly: (heard * Double(RecentLists.Entry.wholeList)).rounded(.down))
  }

  /// Adds an entry to the saved lists.
  /// - Parameter seconds: nil if the player has stopped. The entry then gets the position of an earlier entry with the
  ///   same list and file. The earlier entry was added when the medium was removed.
  private func add(_ entry: RecentLists.Entry, at seconds: Double?) {
    var entry = entry
    if let seconds {
      entry.elapsed = SongTime(nearestSeconds: seconds)
    } else {
      let earlier = lists.entries.first {
        $0.context.list == entry.context.list && $0.reference == entry.reference
      }
      entry.elapsed = earlier?.elapsed ?? .zero
      if let earlier { entry.heard = earlier.heard }
    }
    lists.add(entry)
    if isRead { store.save(lists.encoded(limit: StateLayout.state.maximumPayload)) }
  }

  func shutDown() {
    if !store.shutDown(within: 2000), !lists.entries.isEmpty {
      log(.stateLost, "the last positions were not saved", at: .now())
    }
  }
}
