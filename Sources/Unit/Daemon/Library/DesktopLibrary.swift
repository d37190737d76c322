internal import Control
internal import EventLoop
internal import Files
internal import Glibc
internal import LibraryExchange
package import LibraryModel
package import NowPlaying
internal import Reports
package import Settings

/// The library on a desktop, for a program that is not a daemon. Starts the process of the library for the music
/// folders of the configuration. The process ends when this object is released.
///
/// The calls block until the library has answered. Meanwhile they call ``Wait``.
package final class DesktopLibrary {
  /// Waits until the descriptor is readable. Returns false if the user has ended the program.
  package typealias Wait = (_ descriptor: Int32, _ state: LibraryState.Condition) -> Bool

  /// The reason why the library has given no answer.
  package enum Failure: Error, Equatable {
    /// The user has ended the program.
    case cancelled
    case refused(Refusal)
  }

  /// If the library neither answers nor changes its state for this time, a call to this object fails. The time is
  /// longer than 20 s, because the library needs 20 s to leave out a medium that does not answer.
  private static let silenceLimit = Duration.seconds(30)

  private let loop = EventLoop()
  private let folder: String
  private let library: UnitLibrary
  private let volumes: PresentVolumes
  private let wait: Wait
  private let turns: Turns
  /// The last line of the log, such as the reason why the program of the library has ended.
  private var lastLine: String?
  /// True after ``prepare()`` has found that the library knows files, so that a search is possible.
  private var isSearchable = false

  /// - Parameter configurationFiles: the files that the user has named; if empty, the library reads the standard files.
  package init(
    _ settings: Settings, configurationFiles: [String], wait: @escaping Wait
  ) throws(Failure) {
    let folders = settings.musicFolders.filter { Self.isFolder($0) }
    guard !folders.isEmpty else {
      let all = settings.musicFolders.joined(separator: ", ")
      throw .refused(
        Refusal(
          .noSuchSource, "there is no music folder: \(all.isEmpty ? "none is set" : all)",
          remedy: "set 'music-folder' in the configuration"))
    }
    let program = LibraryProcess.program
    guard access(program, X_OK) == 0 else {
      throw .refused(
        Refusal(
          .noLibrary, "the program of the library is missing: \(program)",
          remedy: "build it with 'make library'"))
    }
    self.wait = wait
    folder = try Self.temporaryFolder()
    volumes = PresentVolumes(MusicVolume.all(in: folders), sticks: [])
    var failure = ""
    var line: (String) -> Void = { failure = $0 }
    turns = Turns(loop)
    library = UnitLibrary(
      loop, settings, configurationFiles: configurationFiles, socket: folder + "/control",
      turns, log: UnitLog(level: .warning) { line($0) })
    library.open()
    guard library.absence == nil else {
      rmdir(folder)
      throw .refused(Refusal(.libraryUnavailable, "the library cannot be started: \(failure)"))
    }
    line = { [weak self] in self?.lastLine = $0 }
    library.setVolumes(volumes)
    library.start()
  }

  deinit {
    for name in ["library.socket", "library.socket.lock"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Creates a folder for the socket. Only this user can enter the folder.
  private static func temporaryFolder() throws(Failure) -> String {
    let parent = ["XDG_RUNTIME_DIR", "TMPDIR"]
      .compactMap { (name: String) in getenv(name).map { String(cString: $0) } }
      .first { $0.hasPrefix("/") && access($0, W_OK) == 0 }
    var path = Array("\(parent ?? "/tmp")/autoharp-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else {
      throw .refused(
        Refusal(
          .libraryUnavailable,
          "a folder for the library cannot be made: \(String(cString: strerror(errno)))"))
    }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Questions

  /// Returns the row that the user means by `words`. If the library knows no files at the start, first waits until the
  /// library has read all folders. If nothing is found while the library still reads folders, waits until all folders
  /// are read, and searches again.
  package func bestHit(_ words: String) throws(Failure) -> BestHit {
    try prepare()
    let hit = try found(words)
    guard hit == .none, !isComplete else { return hit }
    try read()
    return try found(words)
  }

  private func found(_ words: String) throws(Failure) -> BestHit {
    let found = try ask { library.find(SearchRequest(words), completion: $0) }
    return BestHit.of(words, in: found.rows.filter { !$0.isAbsent })
  }

  /// Returns the row with the most similar name. Nil if no name is similar.
  package func similar(_ words: String) throws(Failure) -> LibraryRow? {
    try ask { library.similar(SimilarRequest(words, limit: 20), completion: $0) }.rows
      .first { !$0.isAbsent }
  }

  /// Returns the paths of the songs of a list, from the chosen row on.
  package func paths(_ list: TrackList, row: RowReference?) throws(Failure) -> [String] {
    try prepare()
    var paths: [String?] = []
    let songs = try ask { completion in
      library.songs(
        TracksRequest(list, row: row),
        receive: { [volumes] part, isFirst in
          if isFirst { paths = [] }
          paths += part.tracks.map { track in
            volumes.volumes[track.reference.volume].map {
              "\($0.path)/\(FileName.text(track.reference.path))"
            }
          }
        }, completion: completion)
    }
    return paths.dropFirst(songs.chosen).compactMap { $0 }
  }

  // MARK: Reading the folders

  private func prepare() throws(Failure) {
    guard !isSearchable else { return }
    try wait { hasStarted }
    if songs == 0 { try read() }
    isSearchable = true
  }

  private func read() throws(Failure) {
    try wait { isComplete }
    if songs == 0 {
      let folders = volumes.volumes.values.map(\.path).sorted().joined(separator: ", ")
      throw .refused(Refusal(.noSuchContent, "there is no music in \(folders)"))
    }
  }

  private var reports: [VolumeReport] {
    (library.link.report?.volumes ?? []).filter { volumes.volumes[$0.identity] != nil }
  }

  /// True if the library knows which volumes are present.
  private var hasStarted: Bool {
    reports.count == volumes.volumes.count && !reports.contains { $0.condition == .absent }
  }

  private var isComplete: Bool { hasStarted && library.link.report?.isScanning == false }
  private var songs: Int { reports.reduce(0) { $0 + $1.songs } }

  // MARK: Waiting

  private func ask<Answer>(
    _ call: (@escaping (Result<Answer, LibraryFailure>) -> Void) -> Void
  ) throws(Failure) -> Answer {
    var result: Result<Answer, LibraryFailure>?
    call { result = $0 }
    try wait { result != nil }
    switch result {
    case .success(let answer): return answer
    case .failure(let failure): throw .refused(Refusal(failure))
    case nil: throw .cancelled
    }
  }

  private func wait(until isDone: () -> Bool) throws(Failure) {
    var isSilent = false
    let timer = TimerSource(loop) { isSilent = true }
    timer.set(after: Self.silenceLimit)
    turns.begin { [library] in
      if library.takeChange() { timer.set(after: Self.silenceLimit) }
    }
    defer {
      turns.end()
      timer.cancel()
    }
    while !isDone() {
      guard !isSilent else {
        let reason = lastLine.map { ": \($0)" } ?? ""
        throw .refused(Refusal(.libraryUnavailable, "the library does not answer\(reason)"))
      }
      // `step` fails only if no memory is left. The next pass of this loop tries again.
      if let didSomething = try? loop.step(), didSomething { continue }
      guard wait(loop.descriptor, library.state.condition) else { throw .cancelled }
    }
  }
}
