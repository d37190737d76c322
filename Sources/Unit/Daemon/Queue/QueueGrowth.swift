internal import EventLoop
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying

/// The library can find more songs of a list after the list was chosen. This object adds them to the queue. It decides
/// which lists grow: songs that a person has removed do not return.
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
    // A restored queue contains the songs of the last run. It gets the first revision of this run, so only later
    // changes count. The revision is 0 until the database is open.
    if queue.songsRevision == nil, state.songsRevision > 0 {
      queue.noteSongs(ofRevision: state.songsRevision)
    }
  }

  /// True if songs of the list can be missing in the queue, because the library has changed or still reads files.
  var mayHaveSongs: Bool { library.state.condition != .ready || isOutdated }

  /// True if the songs of the library have changed since the last request for the songs of the list.
  var isOutdated: Bool {
    let revision = library.state.songsRevision
    return queue.songsRevision != revision && answered != revision
  }

  /// If the library has read all files, adds new songs of the list. Call this only after moved files have their new
  /// paths in the queue; otherwise they would be added as new songs.
  func addNewSongs() {
    if library.state.condition == .ready, isOutdated { askForNewSongs() }
  }

  /// Adds new songs of the list after the songs that were heard.
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
      // chosen song. An answer without any song of the queue is a different list: in a database that was created again,
      // a folder has another number.
      if songs.count < TracksRequest.maximumTracks, files.excludedCount > 0 {
        let new = files.files().prefix(room)
        if !new.isEmpty { player.grow(with: Array(new)) }
      }
      turns.request()
      addNewSongs()
    }
  }

  /// The list of the queue. Nil if new songs of this list must not be added.
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
