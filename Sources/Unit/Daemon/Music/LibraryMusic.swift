internal import LibraryExchange
internal import LibraryModel
internal import MusicFiles
internal import NowPlaying
internal import SystemClock

/// Asks the library for the files of all music folders.
///
/// With many files, an answer can take some tenths of a second, so at most one question is open. While the library
/// reads files, the next question follows only when the number of files has doubled. Used on the control thread.
final class LibraryMusic {
  /// The state of the question for the files of all music folders.
  private enum Question {
    case none
    case open
    /// The library has changed since the open question was asked. So the question is asked again after its answer.
    case outdated
  }

  let library: UnitLibrary
  private var question = Question.none
  /// The state of the library when it was last asked. Nil if it was not asked, or after a failed answer.
  private var answered: (revision: Int64, present: Set<String>)?
  /// The number of playable files when the library was last asked.
  private var answeredFiles = 0
  private let mounted: MountedVolumes
  private let onFiles: ([MusicFile]) -> Void
  private let onProblems: ([LibraryProblem], Int) -> Void
  private var problems: [LibraryProblem] = []
  /// The revision for which the library was last asked for files that cannot be played.
  private var problemsRevision: Int64 = -1

  /// - Parameters:
  ///   - onFiles: called with all files that can be played.
  ///   - onProblems: called with some files that cannot be played, and with the number of all these files.
  init(
    _ library: UnitLibrary, _ mounted: MountedVolumes, onFiles: @escaping ([MusicFile]) -> Void,
    onProblems: @escaping ([LibraryProblem], Int) -> Void
  ) {
    self.library = library
    self.mounted = mounted
    self.onFiles = onFiles
    self.onProblems = onProblems
  }

  /// True while the library reads files.
  var isReading: Bool { library.state.condition != .ready }

  /// Number of files that the library has read so far.
  var readFiles: Int {
    if case .scanning(let read, _) = library.state.condition { return read }
    return 0
  }

  /// Number of playable files of all present volumes.
  var files: Int {
    library.state.volumes.reduce(0) { $0 + ($1.path == nil ? 0 : $1.report.songs) }
  }

  /// Asks for the files if they can have changed. Call this after each change of the library's state.
  func update(isEmpty: Bool) {
    let state = library.state
    guard state.condition != .unavailable else { return }
    let new = library.presentVolumes
    if let answered, answered.revision == state.songsRevision, answered.present.isSuperset(of: new)
    {
      return
    }
    // While files are being read, each answer contains at least twice as many files as the answer before. So a long
    // list is not read again and again.
    if state.condition != .ready, !isEmpty, answered != nil, files < 2 * answeredFiles { return }
    switch question {
    case .open, .outdated:
      question = .outdated
      return
    case .none: question = .open
    }
    answered = (state.songsRevision, new)
    answeredFiles = files
    let files = SongFiles(mounted)
    library.songs(TracksRequest(.everything), receive: files.receive) { [weak self] result in
      guard let self else { return }
      let isOutdated = if case .outdated = question { true } else { false }
      question = .none
      switch result {
      case .success:
        var all = files.files()
        all.removeAll { $0.isAbsent }
        onFiles(all)
      case .failure: answered = nil
      }
      if isOutdated { update(isEmpty: false) }
    }
  }

  // MARK: Files that cannot be played

  /// If the library is ready, asks for the files that cannot be played.
  func updateProblems() {
    let state = library.state
    guard state.condition == .ready, problemsRevision != state.songsRevision else { return }
    problemsRevision = state.songsRevision
    problems = []
    let count = state.volumes.reduce(0) { $0 + ($1.path == nil ? 0 : $1.report.problems) }
    guard count > 0 else {
      onProblems([], 0)
      return
    }
    askForProblems(of: state.songsRevision, count)
  }

  private func askForProblems(of revision: Int64, _ count: Int) {
    library.link.ask(LibraryProcess1.getProblems, problems.count) { [weak self] result in
      guard let self, problemsRevision == revision, case .success(let part) = result else { return }
      problems += part
      if part.isEmpty || problems.count >= UnplayableFiles.limit {
        onProblems(problems, count)
        problems = []
      } else {
        askForProblems(of: revision, count)
      }
    }
  }
}
