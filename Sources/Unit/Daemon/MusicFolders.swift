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

/// Keeps the player's files in step with the music folders: looks for music, goes back to what was
/// left, and waits for a medium that was pulled. Control thread; what takes time is done by
/// ``MusicFinder`` and ``MountMonitor``.
final class MusicFolders {
  private let unit: HeadUnit
  private let log: UnitLog
  private let finder = MusicFinder()
  private let mounts = MountMonitor()
  /// Where music is looked for.
  private(set) var folders: [String]
  /// What the last run left, until the music that it names was found or somebody asked for other.
  private var pending: UnitState?
  /// It would play what it finds, if it finds what it left.
  private let playsOnFinding: Bool
  /// The track that plays was lost with its medium: where it was, and whether it goes on.
  private var lost: (path: String, seconds: Double, plays: Bool)?
  private var isFindingLastFile = false
  /// Folders are read now.
  private(set) var isFinding = false
  /// What was found and cannot be played.
  private(set) var unplayable: [UnplayableFile] = []
  /// What was found, looked like music, and could not be played; the latest reason of each.
  private(set) var broken: [UnplayableFile] = []
  private static let brokenLimit = 1000
  /// Asks as any surface would.
  var onPlay: () -> Void = {}

  /// - Parameters:
  ///   - state: what the last run left.
  ///   - playsOnFinding: whether it is played once it is there.
  init(
    _ unit: HeadUnit, folders: [String], state: UnitState, playsOnFinding: Bool, log: UnitLog
  ) {
    self.unit = unit
    self.folders = folders
    self.log = log
    self.playsOnFinding = playsOnFinding
    pending = state
  }

  /// Signalled when ``takeFindings()`` has something.
  var foundWake: WakeUp { finder.wakeUp }
  /// Signalled when something was mounted or unmounted; to be cleared.
  var mountsWake: WakeUp { mounts.wakeUp }
  /// What was read at the start is still what is to be remembered.
  var keepsPlace: Bool { pending != nil || lost != nil }
  /// The file whose medium has gone.
  var lostPath: String? { lost?.path }
  /// The file that was left, while its medium is not there yet.
  var awaitedPath: String? { isFinding ? nil : candidates.first }
  /// How many files were looked into so far, while folders are read.
  var count: Int { finder.count }

  /// What played last, before all folders are read: a stick full of music takes its time.
  func start() {
    let candidates = candidates
    isFindingLastFile = !candidates.isEmpty
    find(isFindingLastFile ? candidates : folders)
  }

  /// Reads the folders again; with others, those.
  func find(in folders: [String]? = nil) {
    self.folders = folders ?? self.folders
    find(self.folders)
  }

  private func find(_ paths: [String]) {
    isFinding = true
    finder.find(paths)
  }

  /// Where the file may be that is to be gone back to.
  private var candidates: [String] {
    let folders = folders.map { FileName.bytes($0) }
    return pending?.file?.candidates(in: folders).map { FileName.text($0) } ?? []
  }

  func takeFindings() {
    guard let answer = finder.takeAnswer() else { return }
    if isFindingLastFile {
      isFindingLastFile = false
      if let file = answer.files.first {
        unit.player.setFiles([file])
        goBack(to: file.path)
      }
      return find(folders)
    }
    isFinding = false
    for file in answer.unplayable { log(.warning, "\(file.path): \(file.reason)", at: .now()) }
    unplayable = answer.unplayable
    broken = broken.filter { file in answer.files.contains { $0.path == file.path } }
    log(.info, "\(answer.files.count) files in the music folders", at: .now())
    unit.player.setFiles(answer.files)
    let paths = Set(answer.files.map(\.path))
    if let state = pending {
      if let path = candidates.first(where: paths.contains) {
        goBack(to: path)
      } else if state.file == nil, !answer.files.isEmpty {
        pending = nil
        if playsOnFinding { onPlay() }
      }
      // Else its medium is not there yet, and may come.
    }
    if let lost, paths.contains(lost.path), unit.player.state.isStopped {
      self.lost = nil
      go(to: lost.path, at: lost.seconds, plays: lost.plays)
      log(.notice, "\(lost.path) is back", at: .now())
    }
  }

  /// To the place that was left.
  private func goBack(to path: String) {
    guard let state = pending else { return }
    pending = nil
    let seconds = Double(state.elapsedMilliseconds) / 1000
    go(to: path, at: seconds, plays: playsOnFinding)
    log(
      .notice,
      "\(playsOnFinding ? "goes on with" : "holds at") \(path), \(seconds) s", at: .now())
  }

  private func go(to path: String, at seconds: Double, plays: Bool) {
    if plays {
      _ = unit.player.cue(path: path, at: seconds)
      onPlay()
    } else {
      _ = unit.player.hold(path: path, at: seconds)
    }
  }

  /// A track has started: whoever asked for other music does not want the old place any more.
  func started(_ file: MusicFile) {
    pending = nil
    lost = nil
    broken.removeAll { $0.path == file.path }
  }

  /// A track could not be played. One that ends because its medium has gone is gone back to when it
  /// returns. What is to be said of it.
  func failed(_ file: MusicFile, _ reason: String) -> UnitNotice? {
    var status = stat()
    guard stat(FileName.cString(file.path), &status) != 0 else {
      if !broken.contains(where: { $0.path == file.path }), broken.count < Self.brokenLimit {
        broken.append(UnplayableFile(path: file.path, reason: reason))
      }
      return UnitNotice(.cannotPlay, about: file.metadata.title ?? file.fileName)
    }
    // Once is enough.
    guard lost == nil else { return nil }
    if file.path == unit.player.state.file?.path {
      lost = (file.path, unit.player.elapsedSeconds, !unit.player.state.isPaused)
      // What follows on the same medium would fail too, one after the other.
      unit.player.stop()
    } else {
      // The next one; what plays is heard to its end.
      lost = (file.path, 0, true)
    }
    find(folders)
    log(.warning, "\(file.path) is gone; it is waited for", at: .now())
    return UnitNotice(.mediumGone)
  }

  /// Ends the threads. Blocks until the file that is read is read.
  func shutDown() {
    finder.shutDown()
    mounts.shutDown()
  }
}
