internal import Files
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import UnitState

// Songs that the library finds after their list was chosen.
extension UnitQueue {
  /// How far the queue has the songs of its list.
  struct ListGrowth {
    /// The state of the library from which the songs of the queue are. Nil until the library answers.
    var revision: Int64?
    /// True while the songs of the list are read.
    var isAsking = false
  }

  /// Handles a change of the library.
  func libraryChanged() {
    guard let state = library()?.state, state.condition != .unavailable else { return }
    // A restored queue has the songs of the last run.
    if growth.revision == nil { growth.revision = state.songsRevision }
    playAwaitedSource()
    prepareFollowing()
  }

  /// True if the library may have songs of the list that the queue does not have.
  func mayGrow(_ state: LibraryState) -> Bool {
    state.condition != .ready || growth.revision != state.songsRevision
  }

  /// Adds new songs of the list at the end of the queue, and then what follows. What was heard is not reordered. Call
  /// this when the files that were moved are in the queue with their new places.
  func addNewSongs() {
    guard let state = library()?.state, state.condition == .ready, !growth.isAsking,
      mayGrow(state)
    else { return }
    guard let list = growingList else {
      growth.revision = state.songsRevision
      return prepareFollowing()
    }
    let (choice, context) = (choices, unit.player.context)
    growth.isAsking = true
    let files = SongFiles(
      except: Set(unit.player.queue.entries.lazy.map { SongFiles.key(of: $0.item) })
    ) {
      [weak self] in self?.volumes ?? PresentVolumes()
    }
    library()?.songs(TracksRequest(list), take: files.take) { [weak self] result in
      guard let self else { return }
      growth.isAsking = false
      guard choice == choices, unit.player.context == context else { return addNewSongs() }
      growth.revision = state.songsRevision
      let room = TracksRequest.maximumTracks - unit.player.count
      // Of a longer list the library has passed other songs than those around the chosen one.
      if case .success(let songs) = result, songs.count < TracksRequest.maximumTracks, room > 0 {
        let new = files.files().prefix(room)
        if !new.isEmpty { unit.player.grow(with: Array(new)) }
      }
      prepareFollowing()
      onChange()
      addNewSongs()
    }
  }

  /// The list of the queue, if its new songs belong into the queue. A queue from which a person has removed songs does
  /// not grow, because the removed songs would return.
  private var growingList: TrackList? {
    let queue = unit.player.queue
    guard !isFree, let list = unit.player.context.flatMap({ TrackList(text: $0.list) }) else {
      return nil
    }
    switch list {
    case .node(.own), .words, .keys, .rowAlone: return nil
    case .node, .everything: break
    }
    // Entries are numbered in the order in which they were added.
    var (first, last) = (Int.max, 0)
    for id in queue.ids { (first, last) = (min(first, id), max(last, id)) }
    return last - first + 1 == queue.count ? list : nil
  }
}
