internal import Control
internal import EventLoop
internal import Files
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import UnitState

// Gets the files of the folders from the library.
extension MusicFolders {
  /// Gets the files from the library and does not search the folders. Call this before ``start()``.
  func useLibrary() {
    origin = .library(
      LibraryMusic(library, mounted) { [weak self] in
        self?.receive($0)
      } onProblems: { [weak self] in
        self?.receive($0, count: $1)
      })
  }

  /// Searches the music folders if the library does not answer.
  func doWithoutLibrary() {
    guard case .library(let library) = origin, library.library.state.condition == .unavailable
    else {
      return
    }
    origin = .search
    log(.libraryFailed, "the library does not answer; the folders are searched", at: .now())
    if search == .none { searchAll() }
  }

  /// Handles a change of the library. Returns the notice to show, or nil if there is none.
  func libraryChanged() -> UnitNotice? {
    if case .search = origin {
      // The library answers again, so it replaces the search.
      guard library.state.condition != .unavailable, !isFinderBusy else { return nil }
      useLibrary()
    }
    applyCounts(library.state)
    refresh()
    logFound()
    return noteSilent(library.state)
  }

  /// Asks the library for the files, unless the user has chosen the queue.
  func refresh() {
    guard case .library(let music) = origin, search == .none else { return }
    if queue.isFree {
      music.update(isEmpty: unit.player.count == 0)
    }
    music.updateProblems()
  }

  private func receive(_ files: [MusicFile]) {
    if let notice = setAll(files) { outbox.put(.notice(notice)) }
    // The next turn of the daemon passes the files to Now Playing, so that the user can accept an offered stick.
    turns.request()
  }

  /// Logs the number of files when the library has read all files.
  private func logFound() {
    guard case .library(let music) = origin, !music.isReading, music.files != loggedFiles else {
      return
    }
    loggedFiles = music.files
    log(.musicFound, "\(music.files) files in the music folders", at: .now())
  }

  private func receive(_ problems: [LibraryProblem], count: Int) {
    unplayable = UnplayableFiles(
      problems.compactMap { problem in
        guard let root = mounted.present.volume(problem.volume).path else { return nil }
        return UnplayableFile(
          path: "\(root)/\(FileName.text(problem.path))", reason: problem.reason,
          cause: UnplayableFile.Cause(word: problem.cause))
      })
    unplayable.addUnstored(count - problems.count)
    logUnplayable()
  }

  /// Takes over the numbers of files of the volumes that the library has read.
  private func applyCounts(_ state: LibraryState) {
    let present = MusicVolume.all(in: folders)
    var counts: [String: VolumeCount] = [:]
    var read: [MusicVolume] = []
    for known in state.volumes {
      guard let path = known.path, let volume = present.first(where: { $0.path == path }),
        known.report.condition == .ready || known.report.condition == .empty
      else { continue }
      read.append(volume)
      counts[path] = VolumeCount(
        playable: known.report.songs,
        causes: known.report.causes.map { (UnplayableFile.Cause(word: $0.key), $0.value) },
        isCut: known.report.wasCut)
    }
    volumes.apply(counts, of: read, present: present)
  }

  /// Returns a notice about a volume that does not answer. A volume causes only one notice while it is mounted.
  private func noteSilent(_ state: LibraryState) -> UnitNotice? {
    var notice: UnitNotice?
    for known in state.volumes where known.report.condition == .unreadable {
      guard let path = known.path,
        let volume = MusicVolume.all(in: folders).first(where: { $0.path == path }),
        volumes.noteSilent(volume)
      else { continue }
      log(.musicSilent, "\(path) does not answer, or cannot be read", at: .now())
      notice = UnitNotice(.mediumSilent)
    }
    return notice
  }
}
