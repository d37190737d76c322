internal import Control
internal import EventLoop
internal import Files
internal import Glibc
internal import LibraryExchange
internal import LibraryModel
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

/// The daemon's connection to the library process. Tells the library process which volumes are present. If the
/// configuration switches the library off, ``absence`` is set, and no request is answered.
///
/// Playback does not depend on the library. Used on the control thread; no call blocks.
final class UnitLibrary {
  let link: LibraryLink
  private let process: LibraryProcess?
  private let turns: Turns
  private let log: UnitLog
  private let socket: String
  private let loop: EventLoop
  private var isStarted = false
  /// Fires once, when ``startTime`` has passed since the call of ``start()``.
  private var startTimer: TimerSource?
  private var isLate = false
  /// If the library process has not answered after this time, the daemon searches the music folders itself.
  private static let startTime = Duration.seconds(15)
  /// The reason why there is no library. Nil if there is a library, even if it is unavailable now.
  private(set) var absence: LibraryFailure?
  /// The names of the volumes, also of the absent ones. ``MountedVolumes`` has the same object.
  private let names: VolumeNames
  /// The volumes that are present, keyed by their identities.
  private var present: [String: MusicVolume] = [:]
  private(set) var state = LibraryState()
  private(set) var health = LibraryHealth()
  /// True if ``state`` has changed since ``takeChange()``.
  private var hasChanged = false

  /// - Parameters:
  ///   - absence: the reason why there is no library. Nil if there is a library.
  ///   - socket: path of the control socket. The socket of the library is in the same folder.
  init(
    _ loop: EventLoop, _ settings: Settings, absence: LibraryFailure? = nil,
    configurationFiles: [String], socket: String, names: VolumeNames = VolumeNames(),
    _ turns: Turns, log: UnitLog
  ) {
    self.turns = turns
    self.names = names
    self.log = log
    self.absence = absence
    self.loop = loop
    let path = "\(UnitRun.folder(ofSocket: socket))/library.socket"
    self.socket = path
    link = LibraryLink(loop)
    // In the image, the service manager starts the library process when the socket exists.
    let isService = getenv("AUTOHARP_LIBRARY").map { String(cString: $0) } == "service"
    process =
      isService
      ? nil
      : LibraryProcess(
        loop,
        arguments: ["serve", "--background", "--socket", path]
          + ((settings.libraryFolder ?? Self.cacheFolder).map { ["--database", $0] } ?? [])
          + configurationFiles.flatMap { ["--config", $0] }, log: log)
    link.onReport = { [weak self] in self?.reported() }
    link.onFault = { [weak self] in self?.noteFault($0, $1) }
    link.onEnd = { [weak self] in self?.health.noteEnd(at: .now()) }
  }

  /// Opens the socket of the library. If there is no library, removes the socket that a killed daemon has left.
  /// Otherwise the service manager would start the library process because of this socket.
  func open() {
    guard absence == nil else {
      unlink(socket)
      return
    }
    do throws(SocketFileError) {
      try link.listen(at: socket)
    } catch {
      absence = .off
      log(.libraryFailed, "\(error)", at: .now())
    }
  }

  /// Returns true once, after ``startTime`` has passed. The caller then checks whether the library has answered.
  func takeLateness() -> Bool {
    defer { isLate = false }
    return isLate
  }

  /// True if ``state`` has changed since the last call.
  func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// The database folder in the user's cache folder. Nil if there is no cache folder; the library then reports this.
  private static var cacheFolder: String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return (variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + "/.cache" })
      .map { $0 + "/autoharp/library" }
  }

  /// Starts the library process, unless a service manager starts it. Call this after the first sound has begun, because
  /// the call blocks for some milliseconds.
  func start() {
    guard !isStarted, absence == nil else { return }
    isStarted = true
    process?.start()
    startTimer = TimerSource(loop, clock: .monotonic) { [weak self] in
      guard let self else { return }
      isLate = true
      turns.request()
    }
    startTimer?.set(after: Self.startTime)
  }

  /// Removes the socket of the library. Otherwise, when the daemon and the library process end together, the service
  /// manager would start the library process again.
  func shutDown() { link.stopListening() }

  /// The identity of the volume whose music is Now Playing. Nil if there is no such volume.
  var playingVolume: String? {
    didSet { if playingVolume != oldValue { update() } }
  }

  /// Tells the library which volumes are present.
  func setVolumes(_ volumes: PresentVolumes) {
    present = volumes.volumes
    link.setVolumes(
      present.sorted { $0.value.path < $1.value.path }.map { identity, volume in
        LibraryVolume(
          identity: identity, label: volume.name, path: FileName.bytes(volume.path),
          mount: volume.mount, storesLocalTime: volume.fileSystem == "vfat",
          isMedium: volume.isStick)
      })
    update()
  }

  /// Tells the library which folder it reads first: the folder of the file at `path`.
  func setPreferredFolder(_ path: String) {
    guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return }
    link.setPreferredFolder(FileName.bytes(String(path[..<slash])))
  }

  private func reported() {
    let wasAvailable = state.condition != .unavailable
    health.isAvailable = link.report != nil
    health.apply(link.report) { identity in
      present[identity]?.path
        ?? link.report?.volumes.first { $0.identity == identity }?.label ?? identity
    }
    update()
    switch (wasAvailable, state.condition != .unavailable) {
    case (false, true): log.limited(.libraryFound, "the library answers", at: .now())
    case (true, false): log.limited(.libraryLost, "the library does not answer", at: .now())
    default: break
    }
  }

  private func noteFault(_ member: String, _ reason: String) {
    if !member.isEmpty { health.noteFault(at: .now()) }
    let text = member.isEmpty ? "the library is \(reason)" : "\(member): \(reason)"
    log.limited(.libraryWrong, text, reason: member, at: .now())
  }

  private func update() {
    let new = LibraryState(link.report, volumes: volumes)
    guard new != state else { return }
    state = new
    hasChanged = true
    turns.request()
  }

  /// The identities of the volumes that are present.
  var presentVolumes: Set<String> {
    Set(state.volumes.filter { $0.path != nil }.map(\.report.identity))
  }

  private var volumes: [VolumeState] {
    (link.report?.volumes ?? []).withoutEmptyFolders(present).map { report in
      var report = report
      let mounted = present[report.identity]
      report.label = mounted?.name ?? names.name(of: report.identity, label: report.label)
      var volume = VolumeState(
        kind: report.isStick(present) ? .stick : .folder, report: report,
        path: mounted?.path)
      volume.plays = report.identity == playingVolume
      return volume
    }
  }
}

extension VolumeReport {
  /// True if the volume is a medium that users insert and remove.
  fileprivate func isStick(_ present: [String: MusicVolume]) -> Bool {
    present[identity]?.isStick ?? !PresentVolumes.isFolder(identity)
  }
}

extension [VolumeReport] {
  /// Leaves out the music folders of the unit that contain no music. An empty folder is scanned again after each stick
  /// that is inserted. During this scan, it would appear on the screen beside the folder with music, and with the same
  /// name.
  func withoutEmptyFolders(_ present: [String: MusicVolume]) -> Self {
    let hasMusic = contains { $0.songs > 0 && !$0.isStick(present) }
    return filter { volume in
      if volume.isStick(present) || volume.songs > 0 || volume.problems > 0 { return true }
      switch volume.condition {
      case .unreadable, .refused: return true
      case .empty: return false
      case .ready, .waiting, .listing, .reading, .absent: return !hasMusic
      }
    }
  }
}

extension UnitLibrary: ControlledLibrary {
  func rows(
    _ request: RowsRequest, completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void
  ) { link.ask(LibraryProcess1.getRows, request, completion) }

  func letters(
    of node: LibraryNode, under heading: String?,
    completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    link.ask(LibraryProcess1.getLetters, HeadingsRequest(of: node, under: heading), completion)
  }

  func find(
    _ request: SearchRequest,
    completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void
  ) { link.ask(LibraryProcess1.search, request, completion) }

  func similar(
    _ request: SimilarRequest,
    completion: @escaping (Result<SimilarRows, LibraryFailure>) -> Void
  ) { link.ask(LibraryProcess1.findSimilar, request, completion) }

  func thumbnail(
    of row: RowReference, completion: @escaping (Result<[UInt8], LibraryFailure>) -> Void
  ) { link.ask(LibraryProcess1.getThumbnail, row, completion) }

  func doubts(completion: @escaping (Result<LibraryDoubts, LibraryFailure>) -> Void) {
    link.ask(LibraryProcess1.getDoubts, (), completion)
  }

  func rescan(_ volume: String) -> Refusal? {
    if volume.isEmpty {
      if let refusal = unavailable { return refusal }
      link.rescan("")
      return nil
    }
    return withPresentVolume(volume) { link.rescan($0) }
  }

  func readAnew(_ volume: String) -> Refusal? {
    withPresentVolume(volume) { link.readAnew($0) }
  }

  private func withPresentVolume(_ volume: String, _ body: (String) -> Void) -> Refusal? {
    if let refusal = refusal(ofVolume: volume) { return refusal }
    body(volume)
    return nil
  }

  /// The reason why a volume cannot be used now. Nil if it can be used.
  func refusal(ofVolume volume: String) -> Refusal? {
    if let refusal = unavailable { return refusal }
    guard let known = state.volumes.first(where: { $0.report.identity == volume }) else {
      return Refusal(.noSuchSource, "there is no such source of music")
    }
    return known.path == nil
      ? Refusal(.sourceAbsent, "\(known.report.label) is not there") : nil
  }

  func forget(_ volume: String) -> Refusal? {
    if let refusal = unavailable { return refusal }
    guard let known = state.volumes.first(where: { $0.report.identity == volume }) else {
      return Refusal(.noSuchSource, "there is no such source of music")
    }
    guard known.path == nil else {
      return Refusal(
        .sourcePresent, "\(known.report.label) is there", remedy: "remove it first")
    }
    link.forget(volume)
    return nil
  }

  private var unavailable: Refusal? {
    state.condition == .unavailable ? Refusal(.unavailable) : nil
  }
}
