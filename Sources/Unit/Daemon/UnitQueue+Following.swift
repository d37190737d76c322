internal import Control
internal import EventLoop
internal import Files
internal import HeadUnit
internal import LibraryExchange
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

// What follows at the end of the queue, jumps to other lists, and lists that were left.
extension UnitQueue {
  // MARK: The end of the queue

  /// What the answer depends on.
  struct FollowingQuestion: Equatable {
    var choice: Int
    var context: QueueContext
    var revision: Int64
    var present: Set<String>
  }

  /// If the last track of a list plays, gets the list that follows, so that it joins without a gap. Asks once for each
  /// state of the library. Call this after each event.
  func prepareFollowing() {
    let player = unit.player
    guard goesOn, player.hasChosenQueue, needsMore, player.queue.repeatMode == .off,
      let context = player.context, let node = LibraryNode(text: context.list)
    else { return }
    let state = library.state
    if case .own = node {
    } else {
      guard state.condition != .unavailable else { return }
      if mayGrow(state) {
        // New songs of the list come before the next list, but not after the end of the last song.
        guard endsSoon else { return }
        if isOutdated(state) { return askForNewSongs(state) }
      }
    }
    let choice = choices
    let question = FollowingQuestion(
      choice: choice, context: context, revision: state.songsRevision,
      present: library.presentSources)
    guard question != followingQuestion else { return }
    followingQuestion = question
    follow(node, context.parent, isNext: true) { [weak self] in
      // The next event asks again.
      if self?.followingQuestion == question { self?.followingQuestion = nil }
    } body: { [weak self] songs, files, parent in
      guard let self, choice == choices, needsMore, player.context == context else { return }
      player.extend(
        with: files,
        from: QueueContext(list: songs.list.text, title: songs.title, parent: parent))
      growth.revision = songs.revision
      turns.request()
    }
  }

  /// True if the last song plays. If the medium of this song was pulled out, the queue waits for it.
  private var needsMore: Bool {
    let player = unit.player
    return !player.state.isStopped && player.isAtEnd
      && player.queue.current?.item.isAbsent == false
  }

  /// The last part of a track, in which the list that follows is asked for in any case.
  private static let lastSeconds = 15.0

  private var endsSoon: Bool {
    unit.player.remainingSeconds.map { $0 < Self.lastSeconds } ?? true
  }

  /// Passes the songs of the list after or before a list to `body`. Neither closure is called if there is none.
  private func follow(
    _ node: LibraryNode, _ parent: String, isNext: Bool, failed: @escaping () -> Void = {},
    body: @escaping (TracksPage, [MusicFile], _ parent: String) -> Void
  ) {
    let take = { [weak self] (found: LibraryNode) in
      guard let lists = self?.lists else { return }
      let collected = SongFiles { self?.volumes ?? PresentVolumes() }
      lists.songs(.node(found), row: nil, isAlone: false, take: collected.take) { result in
        guard case .success(let songs) = result else { return failed() }
        let files = collected.files()
        if !files.isEmpty { body(songs, files, parent) }
      }
    }
    if case .own(let id) = node { return neighbour(ofOwn: id, isNext: isNext, take) }
    library.link.neighbour(of: node, in: LibraryNode(text: parent), isNext: isNext) {
      [weak self] result in
      guard case .success(let found) = result else { return failed() }
      if let found { return take(found) }
      // The playlists of the unit are before those of the library.
      if case .playlist = node, !isNext { self?.neighbour(ofOwn: nil, isNext: false, take) }
    }
  }

  // MARK: Jumps

  /// Plays the next or previous album, folder or playlist.
  func jump(_ kind: QueueJump) {
    let isNext = kind.isNext
    switch kind {
    case .nextAlbum, .previousAlbum:
      if unit.player.moveToAlbum(isNext ? .next : .previous) { return turns.request() }
    case .nextFolder, .previousFolder:
      if unit.player.moveToFolder(isNext ? .next : .previous) { return turns.request() }
    case .nextPlaylist, .previousPlaylist: return jumpToPlaylist(isNext: isNext)
    }
    // The queue has no other album or folder, so the library decides.
    guard let file = unit.player.state.file, let volume = file.volume else { return }
    let context = unit.player.context
    library.link.entries(
      ofFile: FileName.bytes(file.pathInVolume), on: volume.identity
    ) { [weak self] result in
      guard let self, case .success(let entries) = result else { return }
      let wanted: LibraryRow.Kind =
        kind == .nextAlbum || kind == .previousAlbum ? .album : .folder
      guard let node = entries.first(where: { $0.kind == wanted })?.node else { return }
      // The order is that of the list in which the album was chosen.
      let parent = context?.list == node.text ? context?.parent ?? "" : ""
      jump(from: node, parent, isNext: isNext)
    }
  }

  private func jump(from node: LibraryNode, _ parent: String, isNext: Bool) {
    choices += 1
    let choice = choices
    follow(node, parent, isNext: isNext) { [weak self] songs, files, parent in
      guard let self, choice == choices else { return }
      choose(songs, files, at: 0, shuffled: false, parent: parent)
      turns.request()
    }
  }

  private func jumpToPlaylist(isNext: Bool) {
    switch unit.player.context.flatMap({ LibraryNode(text: $0.list) }) {
    case .playlist(let id)?: return jump(from: .playlist(id), "", isNext: isNext)
    case .own(let id)?: return jump(from: .own(id), "", isNext: isNext)
    default: break
    }
    lists.page(PageRequest(.playlists, limit: 100)) { [weak self] result in
      guard let self, case .success(let page) = result,
        let node = page.rows.firstPlayableList
      else { return }
      play(.node(node), row: nil, .now) { [weak self] _ in self?.turns.request() }
    }
  }

  // MARK: Lists that were left

  var recent: [RecentReport] {
    let present = unit.player.context?.list ?? (unit.player.hasChosenQueue ? "" : "all")
    var lists: Set<String> = [present]
    // A list has a place for each volume; the latest one counts.
    return places.places.places.filter { lists.insert($0.context.list).inserted }.map { place in
      RecentReport(
        list: place.context.list, title: place.context.title, song: place.title,
        elapsed: .milliseconds(place.elapsed.milliseconds),
        isAbsent: volumes.place(of: place.volume).path == nil,
        heard: place.heard.map { Double($0) / 1000 })
    }
  }

  func choose(_ source: String, completion: @escaping (Refusal?) -> Void) {
    if let absence = library.absence { return completion(Refusal(absence)) }
    if let refusal = library.refusal(ofSource: source) { return completion(refusal) }
    let player = unit.player
    if player.state.file?.volume?.identity == source, !player.state.isStopped {
      player.resume()
      return completion(nil)
    }
    if let place = places.places.places.first(where: { $0.volume == source }) {
      return resume(place, completion)
    }
    choices += 1
    awaitedSource = AwaitedSource(identity: source, choice: choices)
    playAwaitedSource(completion)
  }

  /// A source whose songs the library does not know yet.
  struct AwaitedSource {
    var identity: String
    var choice: Int
  }

  /// Plays the source that was chosen, once the library knows songs of it.
  func playAwaitedSource(_ completion: @escaping (Refusal?) -> Void = { _ in }) {
    guard let awaited = awaitedSource else { return completion(nil) }
    guard awaited.choice == choices,
      let source = library.state.sources.first(where: {
        $0.volume.identity == awaited.identity
      }), source.path != nil
    else {
      awaitedSource = nil
      return completion(nil)
    }
    switch source.volume.condition {
    case .waiting, .listing, .reading:
      if source.volume.folder == 0 || source.volume.songs == 0 { return completion(nil) }
    case .absent, .unreadable, .refused, .empty, .ready: break
    }
    awaitedSource = nil
    // The node 0 has the folders of all sources.
    guard source.volume.folder != 0 else {
      return completion(
        Refusal(.noSuchContent, "\(source.volume.label) has no songs that can be played"))
    }
    play(.node(.folder(source.volume.folder)), row: nil, .now) { [weak self] refusal in
      self?.turns.request()
      completion(refusal)
    }
  }

  /// Plays a list where it was left; from its beginning if it was not left.
  func resume(_ list: TrackList, completion: @escaping (Refusal?) -> Void) {
    let found = places.places.places.filter { $0.context.list == list.text }
    let present = found.first { volumes.place(of: $0.volume).path != nil }
    guard let place = present ?? found.first else {
      return play(list, row: nil, .now, completion: completion)
    }
    resume(place, completion)
  }

  private func resume(_ place: SavedPlaces.Place, _ completion: @escaping (Refusal?) -> Void) {
    if let list = TrackList(text: place.context.list), case .node(.own) = list {
      return resume(place, inOwn: list, completion)
    }
    if let absence = library.absence { return completion(Refusal(absence)) }
    guard let list = TrackList(text: place.context.list) else { return completion(Refusal(.off)) }
    library.link.entries(ofFile: place.path, on: place.volume) { [weak self] result in
      guard let self else { return }
      let song = try? result.get().first { $0.kind == .song }
      let seconds = song == nil ? 0 : place.elapsed.seconds
      play(list, row: song, .now, at: seconds, parent: place.context.parent, completion)
    }
  }
}
