internal import EventLoop
internal import Files
internal import LibraryModel
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
/// Used on the control thread; no call blocks. A change is answered when it is on the storage. The music does not
/// depend on the lists.
final class UnitPlaylists {
  typealias Done = (Refusal?) -> Void

  private let loop: EventLoop
  private let folder: String
  private let log: UnitLog
  /// Nil before the first request, and after the end.
  private var worker: PlaylistWorker?
  private var isOver = false
  /// True in safe mode: the lists are neither read nor changed.
  let isHeld: Bool
  /// Called when the lists are read. Nil after that.
  private var waiting: [() -> Void]? = []
  private var timer: TimerSource?
  private static let longestWait = Duration.milliseconds(500)
  /// All lists as they are on the storage.
  private(set) var index = PlaylistStore.Index()
  /// The lists in order.
  private(set) var lists: [(key: OwnListKey, summary: PlaylistStore.Summary)] = []
  /// Words that do not count in the order of the lists.
  let articles: Articles
  /// Counts the changes of the lists.
  private(set) var revision = 0
  /// True if the lists have changed since ``takeChange()``.
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

  /// Begins to read the lists on another thread, if that has not begun.
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

  /// True if the lists have changed since the last call.
  func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// Logs the first of the files, and the number of the others.
  private func report(_ event: LogEvent, _ files: [String], _ what: String) {
    guard let first = files.first else { return }
    let others = files.count == 1 ? "" : ", and \(files.count - 1) other files"
    log(event, "\(folder)/\(first) \(what)\(others)", at: .now())
  }

  /// Calls `body` when the lists are read. If the storage is slow, calls it without them.
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

  /// Ends the thread after the changes that wait. Waits for at most two seconds.
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

  /// Reads something of the lists.
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

  /// Changes the lists. `done` gets nil when the change is on the storage.
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
  /// Why something was not done with a playlist.
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
