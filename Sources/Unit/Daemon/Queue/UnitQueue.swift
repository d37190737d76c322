internal import EventLoop
internal import Files
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import UnitState

/// The queue of the player, and the list from which the queue was made.
///
/// All code that replaces the queue or adds a list to it calls this object, so that the position in the old list is
/// saved. Edits of entries go directly to the player. This object decides neither which list is chosen nor when it
/// plays.
///
/// Used on the control thread; no call blocks.
final class UnitQueue {
  let player: LocalPlayer
  /// Carries out commands for the player.
  let source: LocalSource
  private let recentLists: RecentListSaver
  private let resumption: Resumption
  private let mounted: MountedVolumes
  private let turns: Turns
  /// The revision of the library in which the songs of the list were found. Nil if unknown.
  private(set) var songsRevision: Int64?

  init(
    _ unit: HeadUnit, _ recentLists: RecentListSaver, _ resumption: Resumption,
    _ mounted: MountedVolumes, _ turns: Turns
  ) {
    player = unit.player
    source = unit.source
    self.recentLists = recentLists
    self.resumption = resumption
    self.mounted = mounted
    self.turns = turns
  }

  /// True if the user has not chosen the queue, or if it is empty. All files of the unit can then become the queue.
  var isFree: Bool { !player.hasChosenQueue || player.count == 0 }

  // MARK: Songs of lists

  /// A list in the queue whose songs have not all arrived.
  struct Arrival: Equatable {
    fileprivate var number: Int
    /// See ``PlayQueue/generation``. The songs belong only to this queue.
    fileprivate var generation: Int
  }

  /// The list whose songs still arrive. Nil if all songs of the list have arrived.
  private(set) var arrival: Arrival?
  /// Number of times that a list has replaced the queue.
  private(set) var replacements = 0

  /// The keys of all songs in the queue.
  var songKeys: Set<UInt64> { Set(player.queue.entries.lazy.map { $0.item.reference.key }) }

  /// Replaces the queue with the files of a list, and plays.
  /// - Parameters:
  ///   - first: the index of the file that plays first. If nil, the first file plays first, or with shuffle any file.
  ///   - isWhole: false if more files of the list follow, with ``follow(_:in:)`` and ``end(_:revision:)``.
  func replace(
    with songs: TrackBatch, _ files: [MusicFile], first: Int?, isWhole: Bool = true,
    at seconds: Double,
    shuffled: Bool, parent: String, _ reply: CommandReply
  ) {
    recentLists.leave(player, awaited: resumption.awaitedPosition)
    replacements += 1
    songsRevision = isWhole ? songs.revision : Self.noRevision
    source.choose(
      files, first: first, at: seconds, shuffled: shuffled,
      from: QueueContext(list: songs.list.text, title: songs.title, parent: parent), reply)
    arrival =
      isWhole ? nil : Arrival(number: replacements, generation: player.queue.generation)
  }

  /// The value of ``songsRevision`` for an incomplete list. The library never has this revision, so the songs of the
  /// list are requested again.
  private static let noRevision: Int64 = -1

  /// Adds more files of the list `arrival`.
  func follow(_ files: [MusicFile], in arrival: Arrival) {
    guard arrival == self.arrival, arrival.generation == player.queue.generation,
      !player.queue.isEmptied, !files.isEmpty
    else { return }
    player.grow(with: files)
  }

  /// Must be called when no more files of the list arrive.
  /// - Parameter revision: the revision of the library in which all songs were found. Nil if songs are missing.
  func end(_ arrival: Arrival, revision: Int64?) {
    guard arrival == self.arrival else { return }
    self.arrival = nil
    songsRevision = revision ?? Self.noRevision
  }

  /// Adds the files of the next list at the end of the queue.
  func extend(with songs: TrackBatch, _ files: [MusicFile], parent: String) {
    player.extend(
      with: files,
      from: QueueContext(list: songs.list.text, title: songs.title, parent: parent))
    songsRevision = songs.revision
    turns.request()
  }

  /// Records that the library need not be asked again for the songs of this revision.
  func noteSongs(ofRevision songsRevision: Int64) { self.songsRevision = songsRevision }

  /// Saves the position in the list. Call this when the medium of the list was removed.
  /// - Parameter seconds: the position in the file; nil for the position of the player.
  func leaveList(at seconds: Double?) { recentLists.leave(player, at: seconds) }

  /// Saves the position at the end of the last run in the present list, because another song of this list plays.
  func keep(_ awaited: RecentListSaver.Awaited) {
    // A list that has replaced the queue has saved this position already.
    if replacements == 0 { recentLists.keep(awaited, player) }
  }

  // MARK: Volumes

  /// Must be called when volumes were mounted or unmounted.
  func volumesChanged() {
    player.setVolumes { [mounted] in mounted.present.volume($0) }
  }

  /// Replaces the queue with `files`, which are all files of the unit. Does nothing if ``isFree`` is false.
  func setAllFiles(_ files: [MusicFile]) {
    if isFree { player.setFiles(located(files)) }
  }

  /// In a queue of all files, makes the song current at which a present volume was left last.
  func cueLeftSong() {
    guard !player.hasChosenQueue, player.playingID == 0 else { return }
    let present = player.queue.entries.lazy.map(\.item).filter { !$0.isAbsent }
    for place in recentLists.lists.entries where place.context.list == "all" {
      guard let file = present.first(where: { $0.reference == place.reference }) else { continue }
      _ = player.cue(path: file.path, at: place.elapsed.seconds)
      return
    }
  }

  /// Replaces the queue with `files`, which are all files of the unit, even if the user has chosen the queue.
  func replaceWithAllFiles(_ files: [MusicFile]) {
    recentLists.leave(player, awaited: resumption.awaitedPosition)
    replacements += 1
    player.setFiles(located(files))
  }

  /// Returns the same files, each with its volume.
  private func located(_ files: [MusicFile]) -> [MusicFile] {
    // Songs of the library already have volumes. Then the list, which can be long, is not copied.
    guard files.contains(where: { $0.volume == nil }) else { return files }
    var moves = MusicFileMoves()
    return files.map { moves.located($0) { mounted.present.volume(containing: $0) } }
  }

  // MARK: Files that were renamed or moved

  /// The songs of a part of the queue. Empty after the end of the queue, and if the user has not chosen the queue.
  func references(_ range: Range<Int>) -> [SongReference] {
    guard !isFree else { return [] }
    return player.queue.playingOrder(range).map { $0.item.reference }
  }

  /// Replaces songs whose files were moved. Returns false if one of them plays and so was not replaced.
  func replaceMoved(_ moved: [SongReference: LibraryTrack]) -> Bool {
    let songs = SongFiles(mounted)
    songs.receive(moved.map(\.value), isFirst: true)
    let files = Dictionary(uniqueKeysWithValues: zip(moved.keys, songs.files()))
    player.replace { files[$0.reference] }
    turns.request()
    guard !player.state.isStopped, let playing = player.queue.current else { return true }
    return files[playing.item.reference] == nil
  }
}
