internal import HeadUnit
internal import LibraryExchange
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

/// Finds renamed and moved files of the queue, of the last run and of the playlists. The library recognises a moved
/// file by its sound, even if the file is now on another volume. If a file was replaced by the same song in another
/// quality, the library recognises the song by its tags.
///
/// Asks the library again after each of its changes, in small parts. Used on the control thread; no call blocks.
final class MovedFileSearch {
  /// The values on which the answers of the library depend.
  private struct Basis: Equatable {
    var revision: Int64
    var present: Set<String>
  }

  private let library: UnitLibrary
  private let queue: UnitQueue
  private let growth: QueueGrowth
  private let music: MusicFolders
  private let playlists: UnitPlaylists
  private let mounted: MountedVolumes
  private let log: UnitLog
  private var isSearching = false
  private var searched: Basis?
  private var found = 0
  /// `searches` is the number of searches that are permitted now. `earned` is the time of its last increase. The number
  /// grows by one per ``searchInterval``. The searches are limited, because each search can rewrite the queue and the
  /// playlists on the storage.
  private var searches = maximumSearches
  private var earned = MonotonicInstant.now()
  private static let maximumSearches = 20
  private static let searchInterval = Duration.seconds(60)

  init(
    _ library: UnitLibrary, _ queue: UnitQueue, _ growth: QueueGrowth, _ music: MusicFolders,
    _ playlists: UnitPlaylists, _ mounted: MountedVolumes, log: UnitLog
  ) {
    self.growth = growth
    self.mounted = mounted
    self.library = library
    self.queue = queue
    self.music = music
    self.playlists = playlists
    self.log = log
  }

  /// Searches if the library has read new files. Call this after each change of the library. Call this also after each
  /// start of a track, so that a failed search is repeated.
  func update() {
    let state = library.state
    guard !isSearching, state.condition == .ready else { return }
    let basis = Basis(revision: state.songsRevision, present: library.presentVolumes)
    guard basis != searched, maySearch(at: .now()) else { return }
    searched = basis
    isSearching = true
    found = 0
    // The file of the last run is looked up in the queue, so the queue must get its new paths first.
    searchQueue(from: 0, queue.player.queue.revision, [:])
  }

  private func maySearch(at now: MonotonicInstant) -> Bool {
    let new = Int((now.awake - earned.awake) / Self.searchInterval)
    if new > 0 { earned = now }
    searches = min(Self.maximumSearches, searches + new)
    guard searches > 0 else { return false }
    searches -= 1
    return true
  }

  // MARK: Steps

  private func searchQueue(
    from first: Int, _ revision: Int, _ moved: [SongReference: LibraryTrack]
  ) {
    // If the queue has changed meanwhile, the search begins again.
    let present = queue.player.queue.revision
    guard present == revision else { return searchQueue(from: 0, present, moved) }
    let songs = queue.references(first..<first + MovedRequest.maximumPaths)
    guard !songs.isEmpty else {
      if !moved.isEmpty {
        found += moved.count
        // The queue does not replace the file that plays. The search for this file is repeated when a different file
        // plays.
        if !queue.replaceMoved(moved) { searched = nil }
      }
      return searchAwaited()
    }
    ask(songs[...], moved) { [weak self] moved in
      self?.searchQueue(from: first + songs.count, revision, moved)
    }
  }

  private func searchAwaited() {
    guard let song = music.awaitedSong else { return searchLists() }
    ask([song], [:]) { [weak self] moved in
      guard let self else { return }
      if let track = moved[song] {
        if music.awaitedSong == song { music.awaitedFileMoved(to: track) }
      } else {
        music.songIsMissing(song)
      }
      searchLists()
    }
  }

  private func searchLists() {
    playlists.whenLoaded { [weak self] in
      guard let self else { return }
      // Moved songs also keep their opinions. The list of the opinions is internal and not in `playlists.lists`, so it
      // is added here.
      let names = playlists.lists.map(\.summary.name) + [.opinions]
      search(names.map(\.identity)[...])
    }
  }

  private func search(_ lists: ArraySlice<Int64>) {
    guard let list = lists.first else { return end() }
    playlists.references(list) { [weak self] songs in
      guard let self else { return }
      ask(songs[...], [:]) { [weak self] moved in
        guard let self else { return }
        found += moved.count
        playlists.replaceMoved(moved, in: list) { [weak self] in self?.search(lists.dropFirst()) }
      }
    }
  }

  private func end() {
    isSearching = false
    if found > 0 { log(.musicMoved, "\(found) files were moved and found again", at: .now()) }
    // If the library has changed meanwhile, this call begins a new search.
    if searched != nil { update() }
    // Now the queue has the new paths of all its files, so only songs that are really new are added.
    if searched != nil, !isSearching { growth.addNewSongs() }
  }

  // MARK: Questions

  /// Asks the library in parts for the present paths of the files.
  private func ask(
    _ songs: ArraySlice<SongReference>, _ found: [SongReference: LibraryTrack],
    _ completion: @escaping ([SongReference: LibraryTrack]) -> Void
  ) {
    guard let first = songs.first else { return completion(found) }
    var bytes = 0
    let part = songs.prefix(MovedRequest.maximumPaths).prefix { song in
      let isFirst = bytes == 0
      bytes += max(1, song.path.count)
      return song.volume == first.volume && (isFirst || bytes <= MovedRequest.maximumPathBytes)
    }
    library.link.ask(
      LibraryProcess1.findMoved, MovedRequest(volume: first.volume, paths: part.map(\.path))
    ) { [weak self] result in
      guard let self else { return }
      guard case .success(let moved) = result else {
        searched = nil
        isSearching = false
        return
      }
      var all = found
      for file in moved.files where part.indices.contains(part.startIndex + file.index) {
        // A file whose medium was removed meanwhile is left out.
        guard mounted.present.volume(file.track.reference.volume).path != nil else { continue }
        all[part[part.startIndex + file.index]] = file.track
      }
      ask(songs.dropFirst(max(1, moved.examined)), all, completion)
    }
  }
}
