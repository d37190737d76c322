internal import Control
internal import EventLoop
internal import Files
internal import LibraryExchange
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import UnitState

/// Carries out commands for the queue: reports its entries, plays lists and volumes, and continues lists that were
/// played before. If the user chooses a volume before the library knows its songs, the volume plays as soon as the
/// library knows the first songs.
///
/// Used on the control thread; no call blocks.
final class QueueCommands: ControlledQueue {
  /// A chosen volume of which the library knows no songs yet.
  private struct AwaitedVolume {
    var identity: String
    var reply: ListReply
  }

  private let queue: UnitQueue
  private let lists: UnitLists
  private let recentLists: RecentListSaver
  private let mounted: MountedVolumes
  private let turns: Turns
  private var awaitedVolume: AwaitedVolume?
  /// The volume that was chosen while the library does not answer. See ``takeFolderChoice()``.
  private var folderChoice: FolderChoice?

  init(
    _ queue: UnitQueue, _ lists: UnitLists, _ recentLists: RecentListSaver,
    _ mounted: MountedVolumes,
    _ turns: Turns
  ) {
    self.queue = queue
    self.lists = lists
    self.recentLists = recentLists
    self.mounted = mounted
    self.turns = turns
  }

  private var library: UnitLibrary { lists.library }

  func report(first: Int, limit: Int) -> QueueReport {
    let player = queue.player
    let queue = player.queue
    var report = QueueReport()
    report.revision = queue.revision
    report.count = queue.count
    report.absent = queue.absent.count
    report.position = queue.currentIndex
    report.first = min(max(first, 0), queue.count)
    let list = queue.currentList?.context ?? player.context
    report.list = list?.list ?? ""
    report.title = list?.title ?? ""
    report.isShuffled = queue.isShuffled
    report.canUndo = queue.canUndo
    let range = report.first..<min(queue.count, report.first + limit)
    report.entries = queue.playingOrder(range).map { entry in
      let file = entry.item
      var row = QueueReport.Entry(id: Int(entry.id), title: file.shownTitle)
      row.artist = file.artist
      row.album = file.album
      row.duration = file.declaredSeconds.map { .seconds($0) }
      row.isAbsent = queue.absent.contains(entry.id)
      return row
    }
    return report
  }

  func play(_ list: TrackList, row: RowReference?, _ mode: PlayMode, _ reply: ListReply) {
    if mode == .resume {
      reply.begin()
      let node = row?.node
      return resume(node.map { .node($0) } ?? list, reply)
    }
    play(list, row: row, mode, at: 0, parent: row?.node == nil ? "" : list.text, reply)
  }

  /// Plays a list from its beginning.
  func play(_ list: TrackList, parent: String, _ reply: ListReply) {
    play(list, row: nil, .now, at: 0, parent: parent, reply)
  }

  /// - Parameters:
  ///   - seconds: the position in the chosen song; 0 for the start that the list states.
  ///   - parent: the list in which the user chose this list; empty if unknown.
  ///   - otherwise: called instead of a refusal if the list does not contain `row`.
  private func play(
    _ list: TrackList, row: RowReference?, _ mode: PlayMode, at seconds: Double, parent: String,
    _ reply: ListReply, otherwise: (() -> Void)? = nil
  ) {
    switch mode {
    case .next: return add(list, row: row, .next, reply)
    case .last: return add(list, row: row, .last, reply)
    case .now, .shuffled, .resume: break
    }
    reply.begin()
    let isShuffled = mode == .shuffled
    let isSongChosen = row != nil && (!isShuffled || row?.node == nil)
    // With shuffle, a list that is chosen without a song begins with any song.
    let isRandom = !isSongChosen && (isShuffled || queue.player.queue.shuffleMode == .items)
    let seed = isRandom ? UInt64.random(in: 1...UInt64(Int64.max)) : 0
    let arrival = ListArrival(
      queue, mounted, shuffled: isShuffled, isSongChosen: isSongChosen, at: seconds,
      parent: parent, reply)
    lists.songs(list, row: row, isAlone: false, seed: seed, receive: arrival.receive) {
      [turns] result in
      if let otherwise, case .failure(let failure) = result,
        Refusal(failure).code == .noSuchItem
      {
        otherwise()
      } else {
        arrival.end(result)
      }
      turns.request()
    }
  }

  /// Adds the songs of a list to the queue. If the row is a song, only this song is added, and not the songs after it.
  private func add(
    _ list: TrackList, row: RowReference?, _ insertion: LocalPlayer.Insertion, _ reply: ListReply
  ) {
    let songs = SongFiles(mounted)
    lists.songs(list, row: row, isAlone: row?.kind == .song, receive: songs.receive) {
      [queue, turns] result in
      if case .failure(let failure) = result {
        reply.refuse(Refusal(failure))
      } else if let refusal = songs.refusal {
        reply.refuse(refusal)
      } else {
        queue.source.insert(songs.files(), insertion, reply.command)
      }
      turns.request()
    }
  }

  // MARK: Lists that were left

  var recent: [RecentReport] {
    let player = queue.player
    let present =
      player.queue.currentList?.context?.list ?? (player.hasChosenQueue ? "" : "all")
    var lists: Set<String> = [present]
    // The saved lists can contain several entries of one list, one for each volume. Only the latest entry of a list is
    // shown.
    return recentLists.lists.entries.filter { lists.insert($0.context.list).inserted }.map {
      entry in
      RecentReport(
        list: entry.context.list, title: entry.context.title, song: entry.title,
        elapsed: .milliseconds(entry.elapsed.milliseconds),
        isAbsent: mounted.present.volume(entry.reference.volume).path == nil,
        heard: entry.heard.map { Double($0) / 1000 })
    }
  }

  /// Continues a volume at the position at which it stopped playing last.
  func playVolume(_ volume: String, _ reply: ListReply) {
    let player = queue.player
    let isAbsent = library.absence != nil || library.state.condition == .unavailable
    if isAbsent, mounted.present.volumes[volume] != nil {
      reply.begin()
      let place = recentLists.lists.entries.first { $0.reference.volume == volume }
      folderChoice = FolderChoice(volume: volume, place: place, reply: reply)
      return turns.request()
    }
    if let absence = library.absence { return reply.refuse(Refusal(absence)) }
    if let refusal = library.refusal(ofVolume: volume) { return reply.refuse(refusal) }
    if player.state.file?.volume?.identity == volume, !player.state.isStopped {
      return queue.source.resume(reply.command)
    }
    reply.begin()
    if let entry = recentLists.lists.entries.first(where: { $0.reference.volume == volume }) {
      return resume(entry, reply) { [weak self] in self?.begin(volume, reply) }
    }
    begin(volume, reply)
  }

  /// Returns once the volume that was chosen while the library does not answer. ``MusicFolders`` then plays it.
  func takeFolderChoice() -> FolderChoice? {
    defer { folderChoice = nil }
    return folderChoice
  }

  /// Plays a volume from its beginning.
  private func begin(_ volume: String, _ reply: ListReply) {
    awaitedVolume = AwaitedVolume(identity: volume, reply: reply)
    playAwaitedVolume()
    // The library knows no songs of the volume yet, so the volume plays later.
    if awaitedVolume != nil { reply.accept() }
  }

  /// Plays the chosen volume if the library now knows songs of this volume.
  func playAwaitedVolume() {
    guard let awaited = awaitedVolume, library.state.condition != .unavailable else { return }
    guard awaited.reply.isLatest else {
      awaitedVolume = nil
      return awaited.reply.refuse(.superseded)
    }
    guard
      let volume = library.state.volumes.first(where: {
        $0.report.identity == awaited.identity
      }), volume.path != nil
    else {
      awaitedVolume = nil
      return awaited.reply.refuse(.songsAbsent)
    }
    switch volume.report.condition {
    case .waiting, .listing, .reading:
      if volume.report.folder == 0 || volume.report.songs == 0 { return }
    case .absent, .unreadable, .refused, .empty, .ready: break
    }
    awaitedVolume = nil
    // In the library, the number 0 stands for the folder of all volumes. In a report about a volume, it means that the
    // volume has no folder with songs.
    guard volume.report.folder != 0 else {
      return awaited.reply.refuse(
        Refusal(.noSuchContent, "\(volume.report.label) has no songs that can be played"))
    }
    play(.node(.folder(volume.report.folder)), row: nil, .now, awaited.reply)
  }

  /// Continues a list at its saved position. If no position is saved, plays the list from its beginning.
  private func resume(_ list: TrackList, _ reply: ListReply) {
    let found = recentLists.lists.entries.filter { $0.context.list == list.text }
    let present = found.first { mounted.present.volume($0.reference.volume).path != nil }
    guard let entry = present ?? found.first else {
      return play(list, row: nil, .now, reply)
    }
    resume(entry, reply)
  }

  /// - Parameter otherwise: called instead of a refusal if the list does not exist any more.
  private func resume(
    _ entry: RecentLists.Entry, _ reply: ListReply, otherwise: (() -> Void)? = nil
  ) {
    if let list = TrackList(text: entry.context.list), case .node(.own) = list {
      return resume(entry, inOwn: list, reply)
    }
    if let absence = library.absence { return reply.refuse(Refusal(absence)) }
    guard let list = TrackList(text: entry.context.list) else {
      return reply.refuse(Refusal(LibraryFailure.off))
    }
    library.link.ask(LibraryProcess1.getEntries, entry.reference) { [weak self] result in
      guard let self else { return }
      let song = try? result.get().first { $0.kind == .song }
      let seconds = song == nil ? 0 : entry.elapsed.seconds
      play(
        list, row: song, .now, at: seconds, parent: entry.context.parent, reply,
        otherwise: otherwise)
    }
  }

  /// Continues a playlist of the unit at the song that played last. If the playlist no longer contains this song, plays
  /// the playlist from its beginning.
  private func resume(
    _ entry: RecentLists.Entry, inOwn list: TrackList, _ reply: ListReply
  ) {
    let row = RowReference(kind: .song, id: OwnPlaylist.identity(of: entry.reference))
    let parent = entry.context.parent
    let seconds = entry.elapsed.seconds
    play(list, row: row, .now, at: seconds, parent: parent, reply) { [weak self] in
      self?.play(list, row: nil, .now, at: 0, parent: parent, reply)
    }
  }
}
