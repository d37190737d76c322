internal import EventLoop
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying

/// Adds to the queue the songs of its list that the library finds after the list was chosen. Decides which lists grow
/// in this way. Songs that the user has removed do not return.
///
/// Used on the control thread; no call blocks.
final class QueueGrowth {
  private let queue: UnitQueue
  private let library: UnitLibrary
  private let mounted: MountedVolumes
  private let turns: Turns
  /// The revision of the songs for which the library was asked last and has answered. The library is asked once for
  /// each revision, even if the answer contains another revision.
  private var answered: Int64?
  /// True while the songs of the queue's list are requested.
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
    // A restored queue contains the songs of the last run. It counts as made from the first revision of the library in
    // this run, so only later changes of the library add songs. The revision is 0 until the database is open.
    if queue.songsRevision == nil, state.songsRevision > 0 {
      queue.noteSongs(ofRevision: state.songsRevision)
    }
  }

  /// True if songs of the list can be missing in the queue, because the library has changed or still reads files.
  var mayHaveSongs: Bool { library.state.condition != .ready || isOutdated }

  /// True if the songs of the library have changed since the songs of the queue's list were last requested.
  var isOutdated: Bool {
    let revision = library.state.songsRevision
    return queue.songsRevision != revision && answered != revision
  }

  /// If the library has read all files, adds new songs of the queue's list. Call this only after moved files have got
  /// their new paths in the queue. Otherwise the moved files would be added as new songs.
  func addNewSongs() {
    if library.state.condition == .ready, isOutdated { askForNewSongs() }
  }

  /// Adds new songs of the queue's list after the songs that were heard.
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
      // Two kinds of answers are not used. An answer of the maximum length is cut, so it can lack the songs around the
      // chosen song. An answer without any song of the queue describes a different list, because in a database that was
      // created again, the same number can stand for another folder.
      if songs.count < TracksRequest.maximumTracks, files.excludedCount > 0 {
        let new = files.files().prefix(room)
        if !new.isEmpty { player.grow(with: Array(new)) }
      }
      turns.request()
      addNewSongs()
    }
  }

  /// The list from which the queue was made. Nil if new songs of this list must not be added.
  private var list: TrackList? {
    guard !queue.isFree, !queue.player.queue.isEmptied, let context = queue.player.context,
      !context.isReduced,
      let list = TrackList(text: context.list)
    else { return nil }
    switch list {
    case .node(.own), .words, .keys, .rowAlone: return nil
    case .node, .everything: return list
    }
  }
}
