internal import EventLoop
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
    /// The state of the library for which it has answered. It is asked once for each state, also if it says that the
    /// songs are from another one.
    var answered: Int64?
    /// True while the songs of the list are read.
    var isAsking = false
  }

  /// Handles a change of the library.
  func libraryChanged() {
    let state = library.state
    guard state.condition != .unavailable else { return }
    // A restored queue has the songs of the last run. The revision is 0 until the database is open.
    if growth.revision == nil, state.songsRevision > 0 { growth.revision = state.songsRevision }
    playAwaitedSource()
  }

  /// True if the library may have songs of the list that the queue does not have.
  func mayGrow(_ state: LibraryState) -> Bool {
    state.condition != .ready || isOutdated(state)
  }

  /// True if the library was not asked for the songs of the list since they may have changed.
  func isOutdated(_ state: LibraryState) -> Bool {
    growth.revision != state.songsRevision && growth.answered != state.songsRevision
  }

  /// Adds new songs of the list, if the library has read all files. Call this when the files that were moved are in the
  /// queue with their new places.
  func addNewSongs() {
    let state = library.state
    guard state.condition == .ready, isOutdated(state) else {
      return
    }
    askForNewSongs(state)
  }

  /// Adds new songs of the list behind those that were heard.
  func askForNewSongs(_ state: LibraryState) {
    guard !growth.isAsking, state.condition != .unavailable else { return }
    let room = TracksRequest.maximumTracks - unit.player.count
    guard let list = growingList, room > 0 else {
      growth.revision = state.songsRevision
      return
    }
    let (choice, context) = (choices, unit.player.context)
    growth.isAsking = true
    let known = Set(unit.player.queue.entries.lazy.map { SongFiles.key(of: $0.item) })
    let files = SongFiles(except: known) { [weak self] in self?.volumes ?? PresentVolumes() }
    library.songs(TracksRequest(list), take: files.take) { [weak self] result in
      guard let self else { return }
      growth.isAsking = false
      guard choice == choices, unit.player.context == context,
        case .success(let songs) = result
      else { return }
      growth.revision = songs.revision
      growth.answered = state.songsRevision
      // A list that is cut has other songs than those around the chosen one. A list without any song of the queue is
      // another one: in a database that was made again, a folder has another number.
      if songs.count < TracksRequest.maximumTracks, files.excludedCount > 0 {
        let new = files.files().prefix(room)
        if !new.isEmpty { unit.player.grow(with: Array(new)) }
      }
      turns.request()
      addNewSongs()
    }
  }

  /// The list of the queue, if its new songs belong into the queue. Songs that a person has removed do not return.
  private var growingList: TrackList? {
    guard !isFree, let context = unit.player.context, !context.isReduced,
      let list = TrackList(text: context.list)
    else { return nil }
    switch list {
    case .node(.own), .words, .keys, .rowAlone: return nil
    case .node, .everything: return list
    }
  }
}
