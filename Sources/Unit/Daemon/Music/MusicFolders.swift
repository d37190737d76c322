internal import AudioCodecs
internal import Control
internal import EventLoop
internal import Files
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads
internal import UnitState

/// Updates the player's files when the contents of the music folders change. Decides which volumes are searched, when
/// the music returns to the track of ``Resumption``, and whether a new stick plays or is offered.
///
/// The library knows the files (``MusicFolders/libraryChanged(_:)``). Without a library, and if it does not answer,
/// this object searches the folders.
///
/// The control thread calls all methods. ``MusicFinder`` and ``MountMonitor`` do the slow work.
final class MusicFolders {
  /// What this object reads.
  enum Search {
    case none
    /// The file that waits for its medium.
    case awaitedFile
    /// Any file, because playback starts and no file was played before. The library answers later.
    case firstFile
    case allFiles
  }

  /// Where the files come from.
  enum Origin {
    /// The folders are searched.
    case search
    /// The library answers questions about the files.
    case library(LibraryMusic)
  }

  let unit: HeadUnit
  let queue: UnitQueue
  let resumption: Resumption
  let mounted: MountedVolumes
  let log: UnitLog
  private let finder = MusicFinder()
  private let mounts = MountMonitor()
  /// The folders that are searched.
  private(set) var folders: [String]
  /// The sticks that are mounted.
  private(set) var sticks = Sticks()
  var origin = Origin.search
  var search = Search.none
  /// True while this object reads files.
  var isFinderBusy: Bool { search != .none }
  /// A storage volume that delivers no data for this time is left out of the search.
  private static let readLimit = Duration.seconds(20)
  /// The storage volumes that are left out of the search.
  private(set) var silent = SilentVolumes()
  /// The parts of the answer that have arrived, while folders are read.
  var arriving = MusicFinder.Part()
  /// The files that were found but cannot be played.
  var unplayable = UnplayableFiles()
  /// The volumes with their numbers of files.
  var volumes = MusicVolumes()
  /// The volumes that are being searched.
  var searched: [MusicVolume] = []
  /// The number of files that was logged last.
  var loggedFiles: Int?
  /// Number of tag values that were cut or left out.
  var cutTagValues = 0
  /// The files that were found as music but failed during playback, with the first reason of each.
  var broken = UnplayableFiles()
  /// True if a stick plays by itself when there was no music before.
  private(set) var playsNewSticks: Bool
  private(set) var hasPlayRequest = false
  /// True if a track has started in this run.
  var hasPlayed = false
  let turns: Turns
  var events = Events()
  let library: UnitLibrary
  let outbox: UnitOutbox

  init(
    _ unit: HeadUnit, _ queue: UnitQueue, _ resumption: Resumption, _ settings: Settings,
    _ library: UnitLibrary, _ mounted: MountedVolumes, _ outbox: UnitOutbox, _ turns: Turns,
    log: UnitLog
  ) {
    self.turns = turns
    self.library = library
    self.outbox = outbox
    self.unit = unit
    self.queue = queue
    self.resumption = resumption
    self.mounted = mounted
    self.log = log
    folders = settings.musicFolders
    playsNewSticks = settings.stickComes == .play
  }

  func use(_ settings: Settings) { playsNewSticks = settings.stickComes == .play }

  /// Signalled when ``receiveFindings()`` has files.
  var foundWake: WakeUp { finder.wakeUp }
  /// Signalled when something was mounted or unmounted. The receiver clears the wake-up.
  var mountsWake: WakeUp { mounts.wakeUp }
  /// The path of the file whose medium was removed.
  var lostPath: String? { resumption.lost?.path }
  /// The path of the last run's file, while its medium is missing.
  var awaitedPath: String? {
    isFinderBusy ? nil : candidates(of: resumption.lastRun?.file).first
  }
  /// True while files are read.
  var isSearching: Bool {
    if case .library(let library) = origin { return isFinderBusy || library.isReading }
    return isFinderBusy
  }
  /// Number of files that were examined so far, while folders are read.
  var count: Int {
    if case .library(let library) = origin { return library.readFiles }
    return finder.count
  }

  /// Number of files that can be played now.
  var playableCount: Int {
    if case .library(let library) = origin { return library.files }
    return unit.player.count
  }

  /// Tells ``Resumption`` how far the search is. Call this in each turn.
  func tellProgress() {
    resumption.update(
      isMusicSought: isSearching && unit.player.count == 0, awaitedPosition: awaitedPosition)
  }

  /// Starts playback in the next turn.
  func requestPlay() {
    hasPlayRequest = true
    turns.request()
  }

  /// True, once, if the unit's own music has to play. The daemon sends the command, as a surface does.
  func takePlayRequest() -> Bool {
    defer { hasPlayRequest = false }
    return hasPlayRequest
  }

  /// Searches for the awaited file before it reads all folders, because reading a full stick takes a long time.
  func start() {
    let candidates = candidates(of: resumption.fileToFind)
    if !candidates.isEmpty {
      find(candidates, .awaitedFile)
    } else if case .library = origin, let lastRun = resumption.lastRun, lastRun.file == nil,
      resumption.playsLastRun, unit.player.count == 0
    {
      find(folders, .firstFile)
    } else {
      searchAll()
    }
  }

  /// Reads the folders again. If `folders` is given, reads these folders from now on.
  func find(in folders: [String]? = nil) {
    self.folders = folders ?? self.folders
    start()
  }

  /// Gets the files of all folders.
  func searchAll() {
    switch origin {
    case .search: find(folders, .allFiles)
    case .library:
      search = .none
      refresh()
    }
  }

  /// Ends the search of the finder.
  func cancelSearch() { finder.find([]) }

  private func find(_ paths: [String], _ search: Search) {
    self.search = search
    arriving = MusicFinder.Part()
    silent.removeUnmounted()
    searched = MusicVolume.all(in: folders).filter { !silent.paths.contains($0.path) }
    watchMedium()
    finder.find(paths, except: silent.paths, volumes: searched)
  }

  /// The part of the answer that has arrived.
  func takePart() -> MusicFinder.Part? { finder.takePart() }

  /// If the storage volume that the search waits for has not answered for ``readLimit``, leaves this volume out and
  /// searches again. Returns the notice to show, or nil if there is none.
  func checkMedium(at now: MonotonicInstant) -> UnitNotice? {
    guard isFinderBusy, let path = finder.blockedPath(Self.readLimit, at: now) else { return nil }
    let volume = silent.add(path, folders: folders)
    log(
      .musicSilent, "\(volume) does not answer; it is left out until it is mounted again", at: now)
    if finder.giveUp() {
      searchAll()
    } else {
      search = .none
      log(
        .musicSilent, "too many volumes do not answer; no folder is read until a restart", at: now)
    }
    return UnitNotice(.mediumSilent)
  }

  /// The numbers of files of a removed volume are forgotten.
  func forgetRemovedVolumes() { volumes.keep(MusicVolume.all(in: folders)) }

  /// The volumes that are present. The sticks are read after the volumes, so a stick that was mounted a moment ago has
  /// its identity.
  func presentVolumes(in folders: [String]) -> PresentVolumes {
    let volumes = MusicVolume.all(in: folders)
    sticks.update()
    return PresentVolumes(volumes, sticks: sticks.known)
  }

  /// The possible paths of a file.
  func candidates(of location: FileLocation?) -> [String] {
    let folders = folders.map { FileName.bytes($0) }
    return location?.candidates(in: folders, on: sticks.mounted).map { FileName.text($0) } ?? []
  }

  func location(of path: String) -> FileLocation? {
    FileLocation(
      path: FileName.bytes(path), in: folders.map { FileName.bytes($0) }, on: sticks.known)
  }

  /// Ends the threads. Blocks until the current file has been examined, but at most for 1 s.
  func shutDown() {
    finder.shutDown()
    mounts.shutDown()
  }
}
