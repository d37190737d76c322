internal import Control
internal import Files
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports

// The queue on the control socket.
extension UnitQueue: ControlledQueue {
  func report(first: Int, limit: Int) -> QueueReport {
    let queue = unit.player.queue
    var report = QueueReport()
    report.revision = queue.revision
    report.count = queue.count
    report.absent = queue.absent.count
    report.position = queue.currentID.flatMap(queue.place)
    report.first = min(max(first, 0), queue.count)
    report.list = unit.player.context?.list ?? ""
    report.title = unit.player.context?.title ?? ""
    report.isShuffled = queue.isShuffled
    report.canUndo = queue.canUndo
    let range = report.first..<min(queue.count, report.first + limit)
    report.entries = queue.playingOrder(range).map { entry in
      let file = entry.item
      var row = QueueReport.Entry(id: entry.id, title: file.shownTitle)
      row.artist = file.artist
      row.album = file.album
      row.duration = file.declaredSeconds.map { .seconds($0) }
      row.isAbsent = queue.absent.contains(entry.id)
      return row
    }
    return report
  }

  func play(
    _ list: TrackList, row: RowReference?, _ mode: PlayMode,
    completion: @escaping (Refusal?) -> Void
  ) {
    if mode == .resume {
      let node = row?.node
      return resume(node.map { .node($0) } ?? list, completion: completion)
    }
    play(list, row: row, mode, at: 0, parent: row?.node == nil ? "" : list.text, completion)
  }

  /// - Parameters:
  ///   - seconds: the position in the song that is chosen.
  ///   - parent: the list in which the list was chosen; empty if it is not known.
  func play(
    _ list: TrackList, row: RowReference?, _ mode: PlayMode, at seconds: Double, parent: String,
    _ completion: @escaping (Refusal?) -> Void
  ) {
    let replaces = mode == .now || mode == .shuffled
    if replaces { choices += 1 }
    let choice = choices
    let seed = mode == .shuffled ? UInt64.random(in: 1...UInt64(Int64.max)) : 0
    // A song that is added comes without those behind it.
    let isAlone = !replaces && row?.kind == .song
    let files = SongFiles { [weak self] in self?.volumes ?? PresentVolumes() }
    lists.songs(list, row: row, isAlone: isAlone, seed: seed, take: files.take) {
      [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): completion(Refusal(failure))
      case .success(let songs):
        // Of two presses, only the latest one decides what plays.
        if replaces, choice != choices {
          return completion(Refusal(.superseded, "something else was chosen meanwhile"))
        }
        let start = seconds > 0 ? seconds : Double(songs.startMilliseconds) / 1000
        completion(take(songs, files.files(), mode, at: start, parent: parent))
      }
    }
  }

  private func take(
    _ songs: TracksPage, _ files: [MusicFile], _ mode: PlayMode, at seconds: Double,
    parent: String
  ) -> Refusal? {
    guard !files.isEmpty else { return Refusal(.noSuchContent, "there are no songs to play") }
    guard files.contains(where: { !$0.isAbsent }) else {
      return Refusal(
        .sourceAbsent, "the songs are on a stick that is not there", remedy: "plug it in")
    }
    switch mode {
    case .now, .shuffled, .resume:
      choose(songs, files, at: seconds, shuffled: mode == .shuffled, parent: parent)
    case .next: unit.player.insert(files, .next)
    case .last: unit.player.insert(files, .last)
    }
    return nil
  }

  /// Replaces the queue with the files of a list, and plays.
  func choose(
    _ songs: TracksPage, _ files: [MusicFile], at seconds: Double, shuffled: Bool, parent: String
  ) {
    places.leave(unit.player, awaited: awaited)
    growth.revision = songs.revision
    unit.player.choose(
      files, first: songs.chosen, at: seconds, shuffled: shuffled,
      from: QueueContext(list: songs.list.text, title: songs.title, parent: parent))
  }
}
