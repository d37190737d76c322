internal import EventLoop
internal import Files
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NameKeys
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads
internal import UnitState

/// The playlists of the unit, and the favourites.
///
/// Used on the control thread. Only ``shutDown()`` blocks. A change is answered after it was written to the storage.
/// Playback does not wait for the playlists.
final class UnitPlaylists {
  typealias Done = (Refusal?) -> Void

  private let loop: EventLoop
  private let folder: String
  private let log: UnitLog
  /// The thread that reads and changes the playlists. Nil before ``start()`` and after ``shutDown()``.
  private var worker: PlaylistWorker?
  private var isOver = false
  /// True in safe mode. The playlists are then neither read nor changed.
  let isHeld: Bool
  /// The functions to call when the playlists were read, or after ``longestWait``. Nil after they were called.
  private var waiting: [() -> Void]? = []
  private var timer: TimerSource?
  private static let longestWait = Duration.milliseconds(500)
  /// All playlists, as they are stored.
  private(set) var index = PlaylistStore.Index()
  /// The playlists in the order in which they are shown.
  private(set) var lists: [(key: OwnListKey, summary: PlaylistStore.Summary)] = []
  /// The words at the start of a name that are ignored when playlists are sorted.
  let articles: Articles
  /// The number of changes of the playlists in this run.
  private(set) var revision = 0
  /// True if the playlists have changed since the last call of ``takeChange()``.
  private var hasChanged = false
  let mounted: MountedVolumes
  private let turns: Turns

  init(
    _ loop: EventLoop, _ settings: Settings, isHeld: Bool = false, _ mounted: MountedVolumes,
    _ turns: Turns, log: UnitLog
  ) {
    self.loop = loop
    self.isHeld = isHeld
    self.mounted = mounted
    self.turns = turns
    articles = Articles(languages: settings.articleLanguages)
    folder = "\(settings.stateFolder)/playlists"
    self.log = log
    order()
  }

  /// Starts to read the playlists on another thread, unless an earlier call has started the thread.
  func start() {
    guard worker == nil, !isOver, !isHeld else { return }
    do throws(SystemError) {
      worker = try PlaylistWorker(loop, folder: folder)
    } catch {
      log(.playlistsNotSaved, "the playlists cannot be used: \(error)", at: .now())
    }
    _ = worker?.perform { store -> PlaylistStore in
      store.load()
      return store
    } completion: { [weak self] store in
      guard let self else { return }
      report(.playlistsIgnored, store.ignored, "is not a list of the unit")
      report(.playlistDamaged, store.damaged, "has parts that cannot be read")
      apply(store.index)
      endWaiting()
    }
    timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.endWaiting() }
    timer?.set(after: Self.longestWait)
  }

  /// Returns true if the playlists have changed since the last call.
  func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// Logs the name of the first file, and the number of the other files.
  private func report(_ event: LogEvent, _ files: [String], _ what: String) {
    guard let first = files.first else { return }
    let others = files.count == 1 ? "" : ", and \(files.count - 1) other files"
    log(event, "\(folder)/\(first) \(what)\(others)", at: .now())
  }

  /// Calls `body` when the playlists were read. If the storage is slow, or in safe mode, calls `body` without waiting
  /// for the playlists.
  func whenLoaded(_ body: @escaping () -> Void) {
    start()
    if waiting == nil || isHeld { body() } else { waiting?.append(body) }
  }

  private func endWaiting() {
    let bodies = waiting ?? []
    waiting = nil
    timer = nil
    for body in bodies { body() }
  }

  /// Ends the thread of the playlists when all pending changes are written. Blocks for at most two seconds.
  func shutDown() {
    if let worker, !worker.shutDown(within: 2000) {
      log(.stateLost, "the last changes of the playlists were not saved", at: .now())
    }
    worker = nil
    isOver = true
  }

  private func apply(_ new: PlaylistStore.Index) {
    guard new != index else { return }
    index = new
    order()
    revision += 1
    hasChanged = true
    turns.request()
  }

  private func order() {
    lists = index.lists.map { (OwnListKey($0.name, articles), $0) }
      .sorted { $0.key < $1.key }
  }

  // MARK: Requests to the storage

  /// Calls `body` on the thread of the playlists, to read from a playlist.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (PlaylistStore) throws(PlaylistFailure) -> Value,
    completion: @escaping (Result<Value, Refusal>) -> Void
  ) {
    start()
    let isAccepted = worker?.perform { store -> Result<Value, PlaylistFailure> in
      Self.result { () throws(PlaylistFailure) in try body(store) }
    } completion: { result in
      completion(result.mapError { Refusal($0) })
    }
    if isAccepted != true { completion(.failure(isHeld ? .safeMode : Self.busy)) }
  }

  /// Calls `body` on the thread of the playlists. `done` gets nil after the change was written to the storage.
  func change(
    _ body: @escaping @Sendable (inout PlaylistStore) throws(PlaylistFailure) -> Void,
    _ done: @escaping Done
  ) {
    typealias Outcome = (failure: PlaylistFailure?, index: PlaylistStore.Index)
    start()
    let isAccepted = worker?.perform { store -> Outcome in
      do throws(PlaylistFailure) {
        try body(&store)
        return (nil, store.index)
      } catch {
        return (error, store.index)
      }
    } completion: { [weak self] outcome in
      self?.apply(outcome.index)
      if case .unwritable? = outcome.failure, let failure = outcome.failure {
        self?.log.limited(
          .playlistsNotSaved, Refusal(failure).sentence, reason: "unwritable",
          interval: UnitLog.clientInterval, at: .now())
      }
      done(outcome.failure.map { Refusal($0) })
    }
    if isAccepted != true { done(isHeld ? .safeMode : Self.busy) }
  }

  private static func result<Value>(
    _ body: () throws(PlaylistFailure) -> Value
  ) -> Result<Value, PlaylistFailure> {
    do throws(PlaylistFailure) { return .success(try body()) } catch { return .failure(error) }
  }

  private static var busy: Refusal {
    Refusal(.tooManyCalls, "too many requests wait for the storage")
  }

}

extension Refusal {
  /// Creates a refusal from the reason why a playlist was not read or changed.
  init(_ failure: PlaylistFailure) {
    self =
      switch failure {
      case .invalidName:
        Refusal(
          .invalidPlaylistName, "a playlist cannot have this name",
          remedy: "use 1 to 100 letters, digits and spaces")
      case .exists(let name):
        Refusal(
          .playlistExists, "there is a playlist '\(name)'",
          remedy: "use another name, or delete it first")
      case .unknown(let name):
        Refusal(
          .noSuchPlaylist,
          name.isEmpty ? "there is no such playlist" : "there is no playlist '\(name)'")
      case .reserved(let name):
        Refusal(.playlistReserved, "'\(name)' can be neither renamed nor deleted")
      case .unknownEntry: Refusal(.noSuchItem, "the playlist has no such song")
      case .hasEntries(let name, let title, let isReserved):
        Refusal(
          .playlistHasSong,
          title.map { "'\(name)' has '\($0)' already" } ?? "'\(name)' has these songs already",
          remedy: isReserved ? nil : "'playlist add --again' adds once more")
      case .tooManyEntries(let name):
        Refusal(
          .playlistFull,
          "'\(name)' would have more songs than a playlist can have",
          remedy: "use another playlist")
      case .tooManyLists:
        Refusal(.playlistFull, "the unit has as many playlists as it can have")
      case .unreadable(let name, let code):
        Refusal(
          .playlistUnreadable,
          "the playlist '\(name)' cannot be read"
            + (code == 0 ? "" : ": \(systemWords(code))"))
      case .unwritable(let path, let code):
        Refusal(
          .playlistsNotSaved, "\(path) cannot be written: \(systemWords(code))",
          remedy: "see 'storage'")
      }
  }
}

// Converts the playlists and their songs to rows, and to songs for the queue.
extension UnitPlaylists {
  /// The rows of all playlists, in order.
  var rows: [OwnListRow] {
    let volumes = mounted.present
    return lists.map { key, summary in
      var row = LibraryRow(
        kind: .playlist, id: -summary.name.identity, title: summary.name.text)
      row.count = summary.count ?? 0
      // Songs that other programs have added have no volume. These songs can be on any volume, so the playlist does not
      // count as absent.
      row.isAbsent =
        !summary.volumes.isEmpty
        && !summary.volumes.contains { $0.isEmpty || volumes.volume($0).path != nil }
      return (key, row)
    }
  }

  /// Reads a batch of the songs of a playlist.
  func songs(
    _ id: Int64, _ request: RowsRequest,
    completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void
  ) {
    let heading = request.heading.map { ListHeading($0) }
    guard heading?.letters == nil else { return completion(.success(RowBatch())) }
    read { store throws(PlaylistFailure) in
      let list = try store.read(identity: id).list
      return OwnSongBatch(
        list, cursor: request.cursor, limit: request.limit, range: heading?.range)
    } completion: { [weak self] result in
      completion(
        result.mapError { LibraryFailure($0) }.map { batch in
          batch.rows(self?.mounted.present ?? PresentVolumes())
        })
    }
  }

  /// Reads the songs of a playlist, for the queue.
  /// - Parameters:
  ///   - isAlone: true to read only the chosen song.
  ///   - receive: see ``UnitLists/songs(_:row:isAlone:seed:receive:completion:)``.
  func songs(
    _ id: Int64, chosen: RowReference?, isAlone: Bool,
    receive: @escaping UnitLibrary.ReceiveSongs, completion: @escaping (UnitLibrary.Songs) -> Void
  ) {
    read { store throws(PlaylistFailure) in
      let (name, list) = try store.read(identity: id)
      var batch = TrackBatch(.node(.own(id)))
      batch.title = name.text
      let index = chosen.flatMap { chosen in list.identities.firstIndex { $0 == chosen.id } }
      guard chosen == nil || index != nil else { throw PlaylistFailure.unknownEntry }
      batch.chosen = isAlone ? 0 : index ?? 0
      if let index {
        batch.startMilliseconds = Int64((list.entries[index].bookmark ?? .zero).milliseconds)
      }
      let entries =
        if isAlone, let index { list.entries[index...index] } else { list.entries[...] }
      return (batch, Array(entries))
    } completion: { [weak self] result in
      completion(
        result.mapError { LibraryFailure($0) }.map { batch, entries in
          let volumes = self?.mounted.present ?? PresentVolumes()
          var batch = batch
          batch.count = entries.count
          batch.tracks = entries.map { $0.located(volumes).track }
          receive(batch, true)
          batch.tracks = []
          return batch
        })
    }
  }
}

extension LibraryFailure {
  /// Creates a failure from the reason why a playlist of the unit cannot be read.
  init(_ refusal: Refusal) {
    self =
      switch refusal.code {
      case .noSuchPlaylist, .noSuchItem: .unknownNode
      case .tooManyCalls: .busy
      default: .failed(refusal.sentence)
      }
  }
}

// The marks of songs: favourite, opinion and bookmark.
extension UnitPlaylists {
  /// The functions with which ``LocalSource`` reads and changes the marks.
  var marks: SongMarks {
    SongMarks(
      of: { [weak self] in self?.marks(of: $0) ?? SongMarks.Values() },
      isDisliked: { [weak self] in self?.isDisliked($0) ?? false },
      hasDisliked: { [weak self] in self?.index.songs.hasDisliked ?? false },
      set: { [weak self] file, change, completion in
        guard let self else { return completion(Refusal(.failed, "the daemon stops")) }
        set(change, for: file, completion)
      })
  }

  private func marks(of file: MusicFile) -> SongMarks.Values {
    let (key, songs) = (file.reference.key, index.songs)
    let opinion = songs.opinions[key]
    return SongMarks.Values(
      isLiked: songs.favourites.contains(key), isDisliked: opinion?.isDisliked ?? false,
      hasBookmark: songs.bookmarks[key] != nil,
      stars: opinion?.halfStars.map { Double($0) / 2 })
  }

  private func isDisliked(_ file: MusicFile) -> Bool {
    index.songs.opinions[file.reference.key]?.isDisliked ?? false
  }

  private func set(_ change: SongMarks.Change, for file: MusicFile, _ done: @escaping Done) {
    let entry = OwnPlaylist.Entry(file)
    let mark: SongMark =
      switch change {
      case .like(let isSet): .liked(isSet)
      case .dislike(let isSet): .disliked(isSet)
      case .stars(let stars): .halfStars(UInt8(min(max(stars, 0), 5) * 2))
      case .bookmark(let seconds):
        .bookmark(seconds.map { SongTime(nearestSeconds: $0) })
      }
    self.change({ store throws(PlaylistFailure) in try store.mark(entry, mark) }, done)
  }
}

// Updates the playlists after the files of their songs were renamed or moved.
extension UnitPlaylists {
  /// Reads the songs of a playlist, each song once. Entries without a volume, which other programs have added, are left
  /// out.
  func references(_ list: Int64, _ completion: @escaping ([SongReference]) -> Void) {
    read { store throws(PlaylistFailure) in
      Set(
        try store.read(identity: list).list.entries.map(\.reference).filter { !$0.volume.isEmpty })
    } completion: { result in
      completion(((try? result.get()) ?? []).sorted { $0.volume < $1.volume })
    }
  }

  /// Replaces the songs of a playlist that are keys of `moved`, because the files of these songs were moved. Calls
  /// `done` also if this fails.
  func replaceMoved(
    _ moved: [SongReference: LibraryTrack], in list: Int64, _ done: @escaping () -> Void
  ) {
    guard !moved.isEmpty else { return done() }
    let volumes = mounted.present
    let songs = moved.mapValues { OwnPlaylist.Entry($0, volumes) }
    change(
      { store throws(PlaylistFailure) in try store.replace(songs, in: list) }, { _ in done() })
  }
}
