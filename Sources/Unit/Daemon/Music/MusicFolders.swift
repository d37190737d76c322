internal import AudioCodecs
internal import AudioEngine
internal import Control
internal import EventLoop
internal import Files
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads
internal import UnitState

/// Updates the list of the player's files when the contents of the music folders change. Decides which volumes are
/// searched, when the unit continues with the track that ``Resumption`` stores, and whether a new stick plays or is
/// offered.
///
/// This object gets the files from the library (``libraryChanged()``). If there is no library, or if it does not
/// answer, this object searches the folders.
///
/// The control thread calls all methods. ``MusicFinder`` and ``MountMonitor`` do the slow work.
final class MusicFolders {
  /// What this object searches for.
  enum Search {
    case none
    /// The file that waits for its medium.
    case awaitedFile
    /// Any one file, so that playback can start before all files are found. Used if no earlier run has played a file.
    case firstFile
    case allFiles
  }

  /// The origin of the list of files.
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
  /// The sticks that are mounted, and the sticks that were mounted before.
  private(set) var sticks = Sticks()
  var origin = Origin.search
  var search = Search.none
  /// True while this object reads files.
  var isFinderBusy: Bool { search != .none }
  /// A storage volume that delivers no data for this time is left out of the search.
  private static let readLimit = Duration.seconds(20)
  /// The storage volumes that are left out of the search.
  private(set) var silent = SilentVolumes()
  /// While folders are read: the parts of the finder's answer that have arrived so far, joined to one part.
  var arriving = MusicFinder.Part()
  /// The files that were found but cannot be played.
  var unplayable = UnplayableFiles()
  /// The volumes of the last search, with their numbers of files.
  var volumes = MusicVolumes()
  /// The volumes that are being searched.
  var searched: [MusicVolume] = []
  /// The number of files that was logged last.
  var loggedFiles: Int?
  /// Number of tag values that were cut or left out.
  var cutTagValues = 0
  /// The files that were found as music but failed during playback, with the first reason of each.
  var broken = UnplayableFiles()
  /// The files with errors during playback.
  var songErrors = SongErrors()
  /// True if a stick is played automatically when there was no music before.
  private(set) var playsNewSticks: Bool
  /// True if the unit plays at the start, even if the medium of the last song is missing.
  let playsAtStart: Bool
  private(set) var hasPlayRequest = false
  /// The sticks that came after the start, and whose music has neither played nor been offered.
  var newSticks: Set<String> = []
  /// The stick that must play now. See ``takeStickToPlay()``.
  var stickToPlay: String?
  /// The volume that plays as soon as its files are found, while the library does not answer.
  var folderChoice: FolderChoice?
  /// The volume of the song that was heard last in this run.
  var heardVolume: String?
  /// True if the music that is present was requested at the start, instead of the song of the last run.
  var hasAskedAtStart = false
  /// True if a song was found to be missing since a song has started.
  var hasNotedMissing = false
  /// True if a track has started in this run.
  var hasPlayed = false
  let turns: Turns
  /// The event sources of ``MusicFinder`` and ``MountMonitor``.
  private var eventSources: [DescriptorSource] = []
  /// Starts a search a short time (``settleTime``) after a mount.
  private var rescan: TimerSource?
  /// Requests a turn when the sticks that were there at the start of the machine have been found.
  private var startCheck: TimerSource?
  /// Checks at intervals whether the search waits for a medium.
  private var mediumCheck: TimerSource?
  private var haveMountsChanged = false
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
    playsAtStart = settings.start == .play
  }

  func use(_ settings: Settings) { playsNewSticks = settings.stickComes == .play }

  /// The path of the file that played when its medium was removed. Nil if no file waits for the return of its medium.
  var lostPath: String? { resumption.lost?.path }
  /// The path of the file that played in the last run, while its medium is missing.
  var awaitedPath: String? {
    isFinderBusy ? nil : candidates(of: resumption.lastRun?.file).first
  }
  /// True while this object or the library reads files.
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

  /// Tells ``Resumption`` whether the search still runs, and which position waits for its medium. Call this in each
  /// turn.
  func tellProgress() {
    playWhatIsPresentAtStart()
    resumption.update(
      isMusicSought: isSearching && unit.player.count == 0, awaitedPosition: awaitedPosition)
  }

  /// Starts playback in the next turn.
  func requestPlay() {
    hasPlayRequest = true
    turns.request()
  }

  /// Returns true once after ``requestPlay()``. The daemon then sends the command *play*, as a surface does.
  func takePlayRequest() -> Bool {
    defer { hasPlayRequest = false }
    return hasPlayRequest
  }

  /// Reads which volumes are mounted, and passes these volumes to the library and the queue.
  func updateVolumes() {
    let old = Set(mounted.sticks)
    let isStart = mounted.present.volumes.isEmpty || isMachineStarting
    mounted.set(presentVolumes(in: folders))
    volumes.setNames(mounted.present)
    newSticks.formIntersection(mounted.sticks)
    // A stick that is there at the start plays only if nothing was ever played.
    if !isStart || resumption.isFirstRun {
      newSticks.formUnion(Set(mounted.sticks).subtracting(old))
    }
    library.setVolumes(mounted.present)
    queue.volumesChanged()
  }

  /// Starts the search for music. The file of the saved position comes first, because reading a full stick takes long.
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

  /// Ends the search of ``MusicFinder``.
  func cancelSearch() { finder.find([]) }

  func find(_ paths: [String], _ search: Search) {
    self.search = search
    arriving = MusicFinder.Part()
    silent.removeUnmounted()
    searched = MusicVolume.all(in: folders).filter { !silent.paths.contains($0.path) }
    watchMedium()
    finder.find(paths, except: silent.paths, volumes: searched)
  }

  /// Returns the next part of the finder's answer that has arrived, and removes this part.
  func takePart() -> MusicFinder.Part? { finder.takePart() }

  /// If the storage volume that the search waits for has not answered for ``readLimit``, leaves this volume out and
  /// searches again. Returns the notice to show, or nil if there is none.
  private func checkMedium(at now: MonotonicInstant) -> UnitNotice? {
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

  /// Forgets the numbers of files of removed volumes, their files that cannot be played, and the errors of their files.
  private func forgetRemovedVolumes() {
    let present = MusicVolume.all(in: folders)
    volumes.keep(present)
    songErrors.keep(present)
    unplayable.keep(total: volumes.total.unplayable) { path in
      present.contains { MusicVolume.contains($0.path, path) }
    }
  }

  /// The volumes that are present. The identities of the sticks are read after the volumes, so that the identity of
  /// each stick is known, even if the stick was mounted just now.
  func presentVolumes(in folders: [String]) -> PresentVolumes {
    let volumes = MusicVolume.all(in: folders)
    sticks.update()
    return PresentVolumes(volumes, sticks: sticks.known)
  }

  /// The paths at which a file can be now, see ``FileLocation/candidates(in:on:)``.
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

// Handles events: files are found, media are inserted and removed, tracks start and fail.
extension MusicFolders {
  /// The pause between a mount and the search for music. Often, the files appear a moment after the mount.
  private static let settleTime = Duration.milliseconds(300)
  /// The interval between two checks whether the search waits for a medium.
  private static let mediumInterval = Duration.seconds(5)

  /// Starts to handle the events of ``MusicFinder`` and ``MountMonitor``. Call this before ``start()``.
  func listen(_ loop: EventLoop) throws(SystemError) {
    eventSources = [
      try DescriptorSource(loop, descriptor: finder.wakeUp.descriptor) { [weak self] _ in
        guard let self else { return }
        put(receiveFindings())
      },
      try DescriptorSource(loop, descriptor: mounts.wakeUp.descriptor) { [weak self] _ in
        self?.mountsChanged()
      },
    ]
    rescan = TimerSource(loop, clock: .monotonic) { [weak self] in
      guard let self else { return }
      find()
      turns.request()
    }
    startCheck = TimerSource(loop, clock: .monotonic) { [turns] in turns.request() }
    if isMachineStarting { startCheck?.set(at: Self.machineStartTime) }
    mediumCheck = TimerSource(loop, clock: .monotonic) { [weak self] in
      guard let self else { return }
      put(checkMedium(at: .now()))
      watchMedium()
    }
  }

  private func put(_ notice: UnitNotice?) {
    if let notice { outbox.put(.notice(notice)) }
    turns.request()
  }

  /// Checks after ``mediumInterval`` whether the search waits for a medium.
  private func watchMedium() {
    if isFinderBusy { mediumCheck?.set(after: Self.mediumInterval) }
  }

  private func mountsChanged() {
    mounts.wakeUp.clear()
    forgetRemovedVolumes()
    haveMountsChanged = true
    rescan?.set(after: Self.settleTime)
    put(followMounts())
  }

  /// True if something was mounted or unmounted since the last call.
  func takeMountsChange() -> Bool {
    defer { haveMountsChanged = false }
    return haveMountsChanged
  }

  // MARK: Tracks

  /// Must be called with each event of the player.
  func handle(_ event: LocalPlayer.Event) {
    let now = MonotonicInstant.now()
    switch event {
    case .started(let file, let description, let index):
      started(file)
      library.setPreferredFolder(file.path)
      log(
        .trackStarted,
        "\(index + 1)/\(unit.player.count) \(file.path) [\(description.codec)]", at: now)
    case .metadataChanged(let file, let metadata):
      log(.trackMetadata, "\(file.path): \(metadata.title ?? "untitled")", at: now)
    case .damaged(let file, let error):
      songErrors.addDamage(file.path) { MusicVolume.all(in: folders) }
      log(.trackDamaged, "\(file.path): \(error)", at: now)
    case .moreDamage(let file, let count):
      log(.trackDamaged, "\(file.path): \(count) more places were skipped", at: now)
    case .failed(let file, let error, let isGone):
      put(failed(file, error, isGone: isGone))
      log(.trackFailed, "\(file.path): \(error)", at: now)
    case .ended: put(ended())
    case .noneOpened:
      log(.queueUnplayable, "no song of the queue can be opened", at: now)
      put(UnitNotice(.listFailed))
    default: break
    }
  }
}

// Handles the file of the last run, if this file was renamed or moved.
extension MusicFolders {
  /// The song that waits for its medium. Nil if no song waits, or while files are searched.
  var awaitedSong: SongReference? {
    guard !isFinderBusy, let location = resumption.lastRun?.file ?? resumption.lost?.location else {
      return nil
    }
    return location.reference ?? mounted.present.song(at: location.path)
  }

  /// The position of the last run, while its file waits for its medium.
  var awaitedPosition: RecentListSaver.Awaited? {
    guard let lastRun = resumption.lastRun, let song = awaitedSong else { return nil }
    return RecentListSaver.Awaited(song: song, elapsed: lastRun.elapsed)
  }

  /// Handles the move of the file that waits for its medium: searches for the file at its new path.
  func awaitedFileMoved(to track: LibraryTrack) {
    guard let root = mounted.present.volume(track.reference.volume).path,
      let location = location(of: "\(root)/\(FileName.text(track.reference.path))")
    else { return }
    resumption.move(to: location)
    start()
  }
}

// The lines of the log about files that cannot be played.
extension MusicFolders {
  /// Maximum number of unplayable files that get a line of their own in the log.
  private static let loggedLimit = 20

  func logUnplayable() {
    // The files of a volume are logged only once while the volume is mounted, because the log keeps only few lines.
    let isNew = volumes.takeNewPaths()
    let files = unplayable.stored.filter { isNew($0.path) }
    for file in files.prefix(Self.loggedLimit) {
      log(.musicUnplayable, "\(file.path): \(file.reason)", at: .now())
    }
    // Files that are counted but not stored have no path here, so all these files count as new.
    let rest = unplayable.count - unplayable.stored.count + files.count - Self.loggedLimit
    if !files.isEmpty, rest > 0 { log(.musicUnplayable, "\(rest) more files", at: .now()) }
    for line in volumes.takeLines() { log(line.event, line.text, at: .now()) }
  }
}
