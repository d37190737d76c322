internal import AudioCodecs
internal import Files
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import Threads
internal import UnitState

/// Updates the player's files when the contents of the music folders change. Searches for music,
/// returns to the last position, and continues playback when a removed medium is inserted again.
///
/// The control thread calls all methods. ``MusicFinder`` and ``MountMonitor`` do the slow work.
final class MusicFolders {
  private let unit: HeadUnit
  private let queue: UnitQueue
  let log: UnitLog
  private let finder = MusicFinder()
  private let mounts = MountMonitor()
  /// The folders that are searched.
  private(set) var folders: [String]
  /// The state that the last run saved. Nil after the music of that state was found, or after other
  /// music was started.
  private var pending: UnitState?
  /// True if playback starts when the music of the last run is found.
  private let playsWhenFound: Bool
  /// A track, and the position in it.
  private struct Position {
    var path: String
    var place: FilePlace?
    var seconds: Double
    /// True if the track plays when its medium returns.
    var plays: Bool
  }

  /// The track that was lost with its medium.
  private var lost: Position?
  /// The first track whose medium reported an error. Removed when a track starts, or when the next
  /// search has ended. A removed stick reports errors for a moment before it is unmounted.
  private var suspect: Position?
  /// The sticks that are mounted.
  private(set) var sticks = Sticks()
  private var isSearchingLastFile = false
  /// True while folders are read.
  private(set) var isSearching = false
  /// A storage volume that delivers no data for this time is left out of the search.
  private static let readLimit = Duration.seconds(20)
  /// The storage volumes that are left out of the search.
  private(set) var silent = SilentVolumes()
  /// The parts of the answer that have arrived, while folders are read.
  private var arriving = MusicFinder.Part()
  /// The files that were found but cannot be played.
  private(set) var unplayable = UnplayableFiles()
  /// The volumes with their numbers of files.
  var volumes = MusicVolumes()
  /// The volumes that are being searched.
  private var searched: [MusicVolume] = []
  /// Number of tag values that were cut or left out.
  private(set) var cutTagValues = 0
  /// The files that were found as music but failed during playback, with the first reason of each.
  private(set) var broken = UnplayableFiles()
  /// Called to start playback. The closure sends a command, as a surface does.
  var onPlay: () -> Void = {}

  /// - Parameters:
  ///   - state: the state that the last run saved.
  ///   - playsWhenFound: true if playback starts when the music of that state is found.
  init(
    _ unit: HeadUnit, queue: UnitQueue, folders: [String], state: UnitState, playsWhenFound: Bool,
    log: UnitLog
  ) {
    self.unit = unit
    self.queue = queue
    self.folders = folders
    self.log = log
    self.playsWhenFound = playsWhenFound
    pending = state
  }

  /// Signalled when ``takeFindings()`` has files.
  var foundWake: WakeUp { finder.wakeUp }
  /// Signalled when something was mounted or unmounted. The receiver clears the wake-up.
  var mountsWake: WakeUp { mounts.wakeUp }
  /// True while the saved position must be kept, because its music is missing.
  var keepsSavedPosition: Bool { pending != nil || lost != nil }
  /// The path of the file whose medium was removed.
  var lostPath: String? { lost?.path }
  /// The path of the last run's file, while its medium is missing.
  var awaitedPath: String? { isSearching ? nil : candidates.first }
  /// Number of files that were examined so far, while folders are read.
  var count: Int { finder.count }

  /// Searches for the last file before it reads all folders, because reading a full stick takes a
  /// long time.
  func start() {
    let candidates = candidates
    isSearchingLastFile = !candidates.isEmpty
    find(isSearchingLastFile ? candidates : folders)
  }

  /// Reads the folders again. If `folders` is given, reads these folders from now on.
  func find(in folders: [String]? = nil) {
    self.folders = folders ?? self.folders
    find(self.folders)
  }

  private func find(_ paths: [String]) {
    isSearching = true
    arriving = MusicFinder.Part()
    silent.removeUnmounted()
    searched = MusicVolume.all(in: folders).filter { !silent.paths.contains($0.path) }
    finder.find(paths, except: silent.paths, volumes: searched.map(\.path))
  }

  /// If the storage volume that the search waits for has not answered for ``readLimit``, leaves
  /// this volume out and searches again. Returns the notice to show, or nil if there is none. Must
  /// be called every few seconds while ``isSearching``.
  func checkMedium(at now: MonotonicInstant) -> UnitNotice? {
    guard isSearching, let path = finder.blockedPath(Self.readLimit, at: now) else { return nil }
    let volume = silent.add(path, folders: folders)
    log(
      .musicSilent, "\(volume) does not answer; it is left out until it is mounted again", at: now)
    isSearchingLastFile = false
    if finder.giveUp() {
      find(folders)
    } else {
      isSearching = false
      log(
        .musicSilent, "too many volumes do not answer; no folder is read until a restart", at: now)
    }
    return UnitNotice(.mediumSilent)
  }

  /// Must be called when something was mounted or unmounted, before the next search.
  func mountsChanged() {
    mountsWake.clear()
    sticks.update()
    // The numbers of files of a removed volume are forgotten.
    volumes.keep(MusicVolume.all(in: folders))
  }

  /// The possible paths of the last run's file.
  private var candidates: [String] { candidates(of: pending?.file) }

  private func candidates(of place: FilePlace?) -> [String] {
    let folders = folders.map { FileName.bytes($0) }
    return place?.candidates(in: folders, on: sticks.mounted).map { FileName.text($0) } ?? []
  }

  private func place(of path: String) -> FilePlace? {
    FilePlace(
      path: FileName.bytes(path), in: folders.map { FileName.bytes($0) }, on: sticks.known)
  }

  /// Takes the files that were found. Returns the notice to show, or nil if there is none.
  func takeFindings() -> UnitNotice? {
    guard let part = finder.takePart() else { return nil }
    arriving.files += part.files
    arriving.unplayable.add(part.unplayable)
    arriving.counts.merge(part.counts) { old, new in
      var sum = old
      sum.add(new)
      return sum
    }
    guard let summary = part.summary else { return nil }
    let answer = arriving
    arriving = MusicFinder.Part()
    if isSearchingLastFile {
      isSearchingLastFile = false
      if let file = answer.files.first {
        setFiles([file])
        restorePosition(in: file.path)
      }
      find(folders)
      return nil
    }
    isSearching = false
    unplayable = answer.unplayable
    cutTagValues = summary.cutTagValues
    volumes.take(
      answer.counts, of: searched, present: MusicVolume.all(in: folders), wasCut: summary.wasCut)
    logUnplayable()
    if broken.count > 0 {
      let paths = Set(answer.files.map(\.path))
      broken.removeAll { !paths.contains($0.path) }
    }
    log(.musicFound, "\(answer.files.count) files in the music folders", at: .now())
    setFiles(answer.files)
    func isFound(_ path: String) -> Bool { answer.files.contains { $0.isAt(path) } }
    if let state = pending {
      if let path = candidates.first(where: isFound) {
        restorePosition(in: path)
      } else if state.file == nil, !answer.files.isEmpty {
        pending = nil
        if playsWhenFound { onPlay() }
      }
      // Otherwise the medium is missing and may be inserted later.
    }
    if let lost, unit.player.state.isStopped,
      let path = candidates(of: lost.place).first(where: isFound)
    {
      self.lost = nil
      move(to: path, at: lost.seconds, plays: lost.plays)
      log(.musicReturned, "\(path) is available again", at: .now())
    }
    guard let position = suspect else { return nil }
    suspect = nil
    guard !isFound(position.path), lost == nil, unit.player.state.isStopped else { return nil }
    return lose(position)
  }

  /// All files are the queue, as long as no person has chosen another one.
  private func setFiles(_ files: [MusicFile]) {
    if !unit.player.hasChosenQueue { unit.player.setFiles(queue.located(files)) }
  }

  /// Continues at the beginning of another file than the one that the last run saved.
  func resume(at place: FilePlace) {
    var state = pending ?? UnitState()
    state.file = place
    state.elapsedMilliseconds = 0
    pending = state
    if !unit.player.state.isStopped { unit.player.stop() }
    start()
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

  /// Handles the start of a track. The saved position is no longer needed.
  func started(_ file: MusicFile) {
    pending = nil
    lost = nil
    suspect = nil
    broken.removeAll { file.isAt($0.path) }
  }

  /// Handles a track that could not be played. If its medium was removed, the unit returns to the
  /// track when the medium is inserted again. Returns the notice to show, or nil if there is none.
  func failed(_ file: MusicFile, _ error: DecodeError, isGone: Bool) -> UnitNotice? {
    let path = file.path
    let isCurrent = path == unit.player.state.file?.path
    let position =
      suspect
      ?? Position(
        path: path, place: place(of: path), seconds: isCurrent ? unit.player.elapsedSeconds : 0,
        plays: !isCurrent || !unit.player.state.isPaused)
    guard isGone else {
      if error.kind == .unreadable { suspect = position }
      // The removal of a stick removes its stored files. So a file that cannot be stored is not
      // counted either.
      if !broken.contains(path), broken.count < UnplayableFiles.limit {
        broken.add(UnplayableFile(path: path, reason: "\(error)"))
      }
      return UnitNotice(.cannotPlay, about: file.title ?? file.fileName)
    }
    // If `lost` is set, an earlier call has returned the notice about the missing medium.
    guard lost == nil else { return nil }
    // All following tracks on the same medium would fail too. If only the next track was opened in
    // advance and failed, the current track plays to its end.
    if isCurrent { unit.player.stop() }
    find(folders)
    return lose(position)
  }

  private func lose(_ position: Position) -> UnitNotice {
    lost = position
    suspect = nil
    log(
      .musicRemoved,
      "\(position.path) was removed; playback continues when its medium is inserted again",
      at: .now())
    return UnitNotice(.mediumGone)
  }

  /// Ends the threads. Blocks until the current file has been examined, but at most for 1 s.
  func shutDown() {
    finder.shutDown()
    mounts.shutDown()
  }
}
