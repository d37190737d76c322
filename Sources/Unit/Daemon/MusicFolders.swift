internal import AudioCodecs
internal import Files
internal import Glibc
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import Threads
internal import UnitState

/// Keeps the player's files equal to the music folders: searches for music, returns to the last
/// position, and waits for a medium that was removed. Control thread; ``MusicFinder`` and
/// ``MountMonitor`` do the slow work.
final class MusicFolders {
  private let unit: HeadUnit
  private let log: UnitLog
  private let finder = MusicFinder()
  private let mounts = MountMonitor()
  /// The folders that are searched.
  private(set) var folders: [String]
  /// The state that the last run saved. Nil after its music was found, or after other music was
  /// started.
  private var pending: UnitState?
  /// True if playback starts when the music of the last run is found.
  private let playsWhenFound: Bool
  /// A track that was lost with its medium: its path, the position, and whether it plays on return.
  private var lost: (path: String, seconds: Double, plays: Bool)?
  private var isSearchingLastFile = false
  /// True while folders are read.
  private(set) var isSearching = false
  /// Files that were found and cannot be played.
  private(set) var unplayable: [UnplayableFile] = []
  /// Files that were found as music and failed during playback, with the first reason of each.
  private(set) var broken: [UnplayableFile] = []
  private static let brokenLimit = 1000
  /// Starts playback as a command of a surface would.
  var onPlay: () -> Void = {}

  /// - Parameters:
  ///   - state: the state that the last run saved.
  ///   - playsWhenFound: true if playback starts when its music is found.
  init(
    _ unit: HeadUnit, folders: [String], state: UnitState, playsWhenFound: Bool, log: UnitLog
  ) {
    self.unit = unit
    self.folders = folders
    self.log = log
    self.playsWhenFound = playsWhenFound
    pending = state
  }

  /// Signalled when ``takeFindings()`` has findings.
  var foundWake: WakeUp { finder.wakeUp }
  /// Signalled when something was mounted or unmounted. The receiver clears it.
  var mountsWake: WakeUp { mounts.wakeUp }
  /// True while the saved position must be kept, because its music is not there.
  var keepsSavedPosition: Bool { pending != nil || lost != nil }
  /// The file whose medium was removed.
  var lostPath: String? { lost?.path }
  /// The file of the last run, while its medium is missing.
  var awaitedPath: String? { isSearching ? nil : candidates.first }
  /// Number of files that were examined so far, while folders are read.
  var count: Int { finder.count }

  /// Searches for the last file before it reads all folders, because a full stick takes long.
  func start() {
    let candidates = candidates
    isSearchingLastFile = !candidates.isEmpty
    find(isSearchingLastFile ? candidates : folders)
  }

  /// Reads the folders again, or reads other folders.
  func find(in folders: [String]? = nil) {
    self.folders = folders ?? self.folders
    find(self.folders)
  }

  private func find(_ paths: [String]) {
    isSearching = true
    finder.find(paths)
  }

  /// The paths at which the file of the last run may be.
  private var candidates: [String] {
    let folders = folders.map { FileName.bytes($0) }
    return pending?.file?.candidates(in: folders).map { FileName.text($0) } ?? []
  }

  func takeFindings() {
    guard let answer = finder.takeAnswer() else { return }
    if isSearchingLastFile {
      isSearchingLastFile = false
      if let file = answer.files.first {
        unit.player.setFiles([file])
        restorePosition(in: file.path)
      }
      return find(folders)
    }
    isSearching = false
    for file in answer.unplayable {
      log(.musicUnplayable, "\(file.path): \(file.reason)", at: .now())
    }
    unplayable = answer.unplayable
    broken = broken.filter { file in answer.files.contains { $0.path == file.path } }
    log(.musicFound, "\(answer.files.count) files in the music folders", at: .now())
    unit.player.setFiles(answer.files)
    let paths = Set(answer.files.map(\.path))
    if let state = pending {
      if let path = candidates.first(where: paths.contains) {
        restorePosition(in: path)
      } else if state.file == nil, !answer.files.isEmpty {
        pending = nil
        if playsWhenFound { onPlay() }
      }
      // Otherwise the medium is missing and may be inserted later.
    }
    if let lost, paths.contains(lost.path), unit.player.state.isStopped {
      self.lost = nil
      move(to: lost.path, at: lost.seconds, plays: lost.plays)
      log(.musicReturned, "\(lost.path) is available again", at: .now())
    }
  }

  /// Returns to the saved position.
  private func restorePosition(in path: String) {
    guard let state = pending else { return }
    pending = nil
    let seconds = Double(state.elapsedMilliseconds) / 1000
    move(to: path, at: seconds, plays: playsWhenFound)
    log(
      playsWhenFound ? .musicResumed : .musicHeld,
      "\(playsWhenFound ? "continues" : "is paused in") \(path) at \(seconds) s", at: .now())
  }

  private func move(to path: String, at seconds: Double, plays: Bool) {
    if plays {
      _ = unit.player.cue(path: path, at: seconds)
      onPlay()
    } else {
      _ = unit.player.hold(path: path, at: seconds)
    }
  }

  /// A track has started, so the saved position is no longer needed.
  func started(_ file: MusicFile) {
    pending = nil
    lost = nil
    broken.removeAll { $0.path == file.path }
  }

  /// A track could not be played. If its medium was removed, the unit returns to the track when the
  /// medium is back. Returns the notice to show; nil if there is none.
  func failed(_ file: MusicFile, _ reason: String) -> UnitNotice? {
    var status = stat()
    guard stat(FileName.cString(file.path), &status) != 0 else {
      if !broken.contains(where: { $0.path == file.path }), broken.count < Self.brokenLimit {
        broken.append(UnplayableFile(path: file.path, reason: reason))
      }
      return UnitNotice(.cannotPlay, about: file.metadata.title ?? file.fileName)
    }
    // One notice is enough.
    guard lost == nil else { return nil }
    if file.path == unit.player.state.file?.path {
      lost = (file.path, unit.player.elapsedSeconds, !unit.player.state.isPaused)
      // The next tracks on the same medium would fail too, one after the other.
      unit.player.stop()
    } else {
      // The next track failed. The current one plays to its end.
      lost = (file.path, 0, true)
    }
    find(folders)
    log(.musicRemoved, "\(file.path) was removed; playback waits for it", at: .now())
    return UnitNotice(.mediumGone)
  }

  /// Ends the threads. Blocks until the current file has been examined.
  func shutDown() {
    finder.shutDown()
    mounts.shutDown()
  }
}
