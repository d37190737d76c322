internal import EventLoop
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying

/// Adds songs to the queue that the library has found after their list was chosen. Decides which lists grow: songs that
/// a person has removed do not return.
///
/// Used on the control thread; no call blocks.
final class QueueGrowth {
  private let queue: UnitQueue
  private let library: UnitLibrary
  private let mounted: MountedVolumes
  private let turns: Turns
  /// The state of the library for which it has answered. It is asked once for each state, also if it says that the
  /// songs are from another one.
  private var answered: Int64?
  /// True while the songs of the list are read.
  private var isAsking = false

  init(_ queue: UnitQueue, _ library: UnitLibrary, _ mounted: MountedVolumes, _ turns: Turns) {
    self.queue = queue
    self.library = library
    self.mounted = mounted
    self.turns = turns
  }

  /// Handles a change of the library.
  func libraryChanged() {
    let state = library.state
    guard state.condition != .unavailable else { return }
    // A restored queue has the songs of the last run. The revision is 0 until the database is open.
    if queue.songsRevision == nil, state.songsRevision > 0 {
      queue.noteSongs(ofRevision: state.songsRevision)
    }
  }

  /// True if the library may have songs of the list that the queue does not have.
  var mayHaveSongs: Bool { library.state.condition != .ready || isOutdated }

  /// True if the library was not asked for the songs of the list since they may have changed.
  var isOutdated: Bool {
    let revision = library.state.songsRevision
    return queue.songsRevision != revision && answered != revision
  }

  /// Adds new songs of the list, if the library has read all files. Call this when the files that were moved are in the
  /// queue with their new paths.
  func addNewSongs() {
    if library.state.condition == .ready, isOutdated { askForNewSongs() }
  }

  /// Adds new songs of the list behind those that were heard.
  func askForNewSongs() {
    let state = library.state
    guard !isAsking, queue.arrival == nil, state.condition != .unavailable else { return }
    let player = queue.player
    let room = TracksRequest.maximumTracks - player.count
    guard let list, room > 0 else { return queue.noteSongs(ofRevision: state.songsRevision) }
    let (replacements, context) = (queue.replacements, player.context)
    isAsking = true
    let files = SongFiles(mounted, except: queue.songKeys)
    library.songs(TracksRequest(list), receive: files.receive) { [weak self] result in
      guard let self else { return }
      isAsking = false
      guard replacements == queue.replacements, player.context == context,
        case .success(let songs) = result
      else { return }
      queue.noteSongs(ofRevision: songs.revision)
      answered = state.songsRevision
      // A list that is cut has other songs than those around the chosen one. A list without any song of the queue is
      // another one: in a database that was made again, a folder has another number.
      if songs.count < TracksRequest.maximumTracks, files.excludedCount > 0 {
        let new = files.files().prefix(room)
        if !new.isEmpty { player.grow(with: Array(new)) }
      }
      turns.request()
      addNewSongs()
    }
  }

  /// The list of the queue, if its new songs belong into the queue.
  private var list: TrackList? {
    guard !queue.isFree, let context = queue.player.context, !context.isReduced,
      let list = TrackList(text: context.list)
    else { return nil }
    switch list {
    case .node(.own), .words, .keys, .rowAlone: return nil
    case .node, .everything: return list
    }
  }
}
