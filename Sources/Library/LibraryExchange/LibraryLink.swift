package import EventLoop
internal import Glibc
package import LibraryModel

/// The daemon's end of the connection to the process of the library.
///
/// The process may be missing, crash or hang at any time. Then requests fail, and nothing waits for the
/// process. After each new connection, the process gets the volumes again.
///
/// Used on the control thread; no function blocks.
package final class LibraryLink {
  /// A request without an answer counts as lost after this time.
  private static let timeout = Duration.seconds(2)
  /// Maximum number of requests that wait for an answer.
  private static let maximumWaiting = 8

  private let listener: PeerListener
  private var peer: Bus?
  private var changes: BusMatch?
  /// The requests that wait for an answer, with what reports a failure to the one who has asked.
  private var questions: [Int: () -> Void] = [:]
  private var lastQuestion = 0
  /// True while the process answers no request. It then gets no requests but this one.
  private var isSilent = false
  private var volumes: [LibraryVolume] = []
  private var preferredFolder: [UInt8] = []
  private var isHeld = false
  /// The last state of the library. Nil while the process is unavailable.
  package private(set) var report: LibraryReport?
  /// Called when ``report`` has changed.
  package var onReport: (() -> Void)?

  /// Listens for the process at a path. Only root and the user of this process can connect.
  package init(_ loop: EventLoop, path: String) throws(SocketFileError) {
    var limits = PeerListener.Limits()
    // The process connects again before the end of its last connection is known.
    limits.peers = 4
    limits.peersOfUser = 4
    // systemd connects the socket before it starts the process, which has the lowest priority. On a slow board
    // the process needs more than the usual five seconds until it authenticates.
    limits.authentication = .seconds(60)
    listener = try PeerListener(loop, path: path, mode: 0o600, limits: limits)
    listener.onPeer = { [weak self] in self?.accept($0) }
  }

  /// Removes the path of the socket. The process of the library stays connected.
  package func stopListening() { listener.stopListening() }

  /// True while a process of the library is connected.
  package var isConnected: Bool { peer != nil }

  private func accept(_ new: Bus) {
    new.objects = ObjectTree()
    new.onConnected = { [weak self, weak new] in
      guard let self, let new else { return }
      connected(new)
    }
    new.onDisconnected = { [weak self, weak new] _ in
      guard let self, let new, peer === new else { return }
      disconnected()
    }
  }

  private func connected(_ new: Bus) {
    peer?.close()
    peer = new
    isSilent = false
    let rule = MatchRule(
      path: LibraryInterface.path, interface: LibraryInterface.library.name, member: "Changed")
    changes = try? new.match(rule) { [weak self] in self?.take($0) }
    post("SetPreferredFolder", [.bytes(preferredFolder)])
    post("Hold", [.boolean(isHeld)])
    post("SetVolumes", [VolumeCoding.value(of: volumes)])
    failQuestions()
  }

  private func disconnected() {
    peer = nil
    changes = nil
    setReport(nil)
    failQuestions()
  }

  /// A connection that is closed answers no question any more.
  private func failQuestions() {
    let all = questions
    questions = [:]
    for fail in all.values { fail() }
  }

  private func take(_ message: BusMessage) {
    guard var body = try? message.body(), let value = try? body.value(),
      let report = try? VolumeCoding.report(value)
    else { return }
    if !isSilent { setReport(report) } else { silentReport = report }
  }

  /// The last state that arrived while the process answered no request.
  private var silentReport: LibraryReport?

  private func setReport(_ new: LibraryReport?) {
    guard new != report else { return }
    report = new
    onReport?()
  }

  // MARK: What the library must know

  /// Tells the library which volumes are present.
  package func setVolumes(_ new: [LibraryVolume]) {
    guard new != volumes else { return }
    volumes = new
    post("SetVolumes", [VolumeCoding.value(of: volumes)])
  }

  /// Tells the library which folder to read first.
  package func setPreferredFolder(_ path: [UInt8]) {
    guard path != preferredFolder else { return }
    preferredFolder = path
    post("SetPreferredFolder", [.bytes(path)])
  }

  /// While this is true, the library reads no files.
  package func setHeld(_ new: Bool) {
    guard new != isHeld else { return }
    isHeld = new
    post("Hold", [.boolean(new)])
  }

  /// Looks for new and changed files of a volume. An empty text stands for all volumes.
  package func rescan(_ identity: String) { post("Rescan", [.string(identity)]) }

  /// Reads all files of a volume again.
  package func readAnew(_ identity: String) { post("ReadAnew", [.string(identity)]) }

  /// Removes a volume from the library.
  package func forget(_ identity: String) { post("Forget", [.string(identity)]) }

  private func post(_ member: String, _ arguments: [BusValue]) {
    try? peer?.post(
      nil, LibraryInterface.path, LibraryInterface.library.name, member, arguments)
  }

  // MARK: Questions

  /// Asks for a page. `completion` is called once, within two seconds.
  package func page(
    _ request: PageRequest,
    completion: @escaping (Result<LibraryPage, LibraryFailure>) -> Void
  ) {
    ask(
      "GetPage",
      [
        .string(request.node.text), .string(request.cursor ?? ""),
        .string(request.heading ?? ""), RowCoding.count(request.limit),
      ], { body throws(BusTypeError) in try RowCoding.page(try body.value()) }, completion)
  }

  /// Asks for the headings of a list. `completion` is called once, within two seconds.
  package func letters(
    of node: LibraryNode, under heading: String?,
    completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    ask(
      "GetLetters", [.string(node.text), .string(heading ?? "")],
      { body throws(BusTypeError) in try RowCoding.groups(try body.value()) }, completion)
  }

  /// Searches. `completion` is called once, within two seconds.
  package func find(
    _ request: SearchRequest,
    completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void
  ) {
    ask(
      "Search",
      [
        .string(request.query), .boolean(request.isByKeys),
        .string(request.kind?.rawValue ?? ""), RowCoding.count(request.limit),
      ],
      { body throws(BusTypeError) in
        var found = LibraryFindings()
        found.rows = try RowCoding.rows(try body.value())
        found.more = Set(try body.strings().compactMap { LibraryRow.Kind(rawValue: $0) })
        return found
      }, completion)
  }

  /// Asks for a part of the songs of a list. `completion` is called once, within two seconds.
  package func tracks(
    _ request: TracksRequest,
    completion: @escaping (Result<TracksPage, LibraryFailure>) -> Void
  ) {
    ask(
      "GetTracks", TrackCoding.values(of: request),
      { body throws(BusTypeError) in try TrackCoding.page(try body.value()) }, completion)
  }

  /// Asks for the list after or before a list. `completion` is called once, within two seconds, with nil if there
  /// is none.
  package func neighbour(
    of node: LibraryNode, in parent: LibraryNode?, isNext: Bool,
    completion: @escaping (Result<LibraryNode?, LibraryFailure>) -> Void
  ) {
    ask(
      "GetNeighbour", [.string(node.text), .string(parent?.text ?? ""), .boolean(isNext)],
      { body throws(BusTypeError) in LibraryNode(text: try body.string()) }, completion)
  }

  /// Asks for the song, the album and the folder of a file. `completion` is called once, within two seconds.
  package func entries(
    ofFile path: [UInt8], on volume: String,
    completion: @escaping (Result<[RowReference], LibraryFailure>) -> Void
  ) {
    ask(
      "GetEntries", [.string(volume), .bytes(path)],
      { body throws(BusTypeError) in
        try body.strings().compactMap { RowReference(identifier: $0) }
      }, completion)
  }

  /// Asks for files that cannot be played, from the number `first` on. `completion` is called once, within
  /// two seconds.
  package func problems(
    first: Int, completion: @escaping (Result<[LibraryProblem], LibraryFailure>) -> Void
  ) {
    ask(
      "GetProblems", [RowCoding.count(first)],
      { body throws(BusTypeError) in try TrackCoding.problems(try body.value()) }, completion)
  }

  func ask<Answer>(
    _ member: String, _ arguments: [BusValue],
    _ read: @escaping (inout BodyReader) throws(BusTypeError) -> Answer,
    _ completion: @escaping (Result<Answer, LibraryFailure>) -> Void
  ) {
    guard let peer, !isSilent else { return completion(.failure(.unavailable)) }
    guard questions.count < Self.maximumWaiting else { return completion(.failure(.busy)) }
    lastQuestion += 1
    let number = lastQuestion
    questions[number] = { completion(.failure(.unavailable)) }
    peer.call(
      nil, LibraryInterface.path, LibraryInterface.library.name, member, arguments,
      timeout: Self.timeout
    ) { [weak self, weak peer] result in
      guard let self else { return completion(.failure(.unavailable)) }
      guard questions.removeValue(forKey: number) != nil else { return }
      if self.peer === peer, case .failure(.timedOut) = result { becameSilent() }
      completion(Self.answer(result, read))
    }
  }

  private static func answer<Answer>(
    _ result: Result<BodyReader, BusError>,
    _ read: (inout BodyReader) throws(BusTypeError) -> Answer
  ) -> Result<Answer, LibraryFailure> {
    switch result {
    case .success(var body):
      do throws(BusTypeError) {
        return .success(try read(&body))
      } catch {
        return .failure(.failed("\(error)"))
      }
    case .failure(.remote(LibraryInterface.ErrorName.unknownNode, _)):
      return .failure(.unknownNode)
    case .failure(.remote(LibraryInterface.ErrorName.noQuery, _)): return .failure(.noQuery)
    case .failure(.remote(LibraryInterface.ErrorName.unavailable, _)):
      return .failure(.unavailable)
    case .failure(.remote(_, let text)): return .failure(.failed(text))
    case .failure: return .failure(.unavailable)
    }
  }

  /// The process does not answer. It counts as unavailable until it answers a call again.
  private func becameSilent() {
    guard !isSilent, let peer else { return }
    isSilent = true
    silentReport = report
    setReport(nil)
    peer.call(
      nil, LibraryInterface.path, "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(86_400)
    ) { [weak self, weak peer] result in
      // The end of the connection is handled by `disconnected()`.
      guard let self, let peer, self.peer === peer, case .success = result else { return }
      isSilent = false
      setReport(silentReport)
    }
  }
}
