internal import Console
internal import Control
internal import EventLoop
internal import LibraryModel
internal import Reports

/// Collects names of the library or of settings that begin with a given text. Ends when all these names are known, or
/// after a time limit.
final class NameLookup {
  /// The maximum number of names of one kind.
  private static let maximumNames = 48
  private static let batchRows = 100
  /// The maximum number of batches of a list that are read.
  private static let maximumBatches = 10

  private unowned let backend: ControlBackend
  private let client: ControlClient
  private let request: NameRequest
  private var completion: ((NameAnswer) -> Void)?
  private var answer = NameAnswer()
  private var known: Set<String> = []
  private var waiting = 0
  private var timer: TimerSource?
  private var exchange: HelperRequest?

  init(
    _ backend: ControlBackend, _ request: NameRequest,
    _ completion: @escaping (NameAnswer) -> Void
  ) {
    self.backend = backend
    client = backend.client
    self.request = request
    self.completion = completion
    timer = TimerSource(backend.loop) { [weak self] in self?.finish(isComplete: false) }
    timer?.set(after: backend.nameTimeLimit)
  }

  func start() {
    // A search for a text without letters and digits finds nothing.
    let hasLetter = request.beginning.contains { $0.isLetter || $0.isNumber }
    switch request.kind {
    case .music where hasLetter: for kind in SimilarRequest("").kinds { find(kind) }
    case .music: batches(RowsRequest(.artists), maximum: 1)
    case .entries(let node):
      if hasLetter, let kind = ControlBackend.kind(of: node) {
        find(kind)
      } else {
        batches(RowsRequest(node), maximum: hasLetter ? Self.maximumBatches : 1)
      }
    case .ownPlaylists: batches(RowsRequest(.playlists), maximum: Self.maximumBatches)
    case .folders: folders()
    case .sources:
      ask { [client] in
        client.libraryState($0)
      } then: { lookup, state in
        for volume in state.volumes { lookup.add(volume.report.label) }
      }
    case .settings:
      ask { [client] in
        client.call(Settings1.state.get, $0)
      } then: { lookup, state in
        for setting in state.settings where !setting.isFixed { lookup.add(setting.key) }
      }
    case .allSettings: finish(with: backend.guide.entries.map(\.key))
    case .sticks: finish(with: MountedSticks(files: backend.machine).all.map(\.device))
    case .services:
      waiting += 1
      exchange = HelperRequest(
        backend.loop, socket: backend.machine.serviceSocket, line: "list", timeLimit: .seconds(1)
      ) { [weak self] result in
        let list = try? result.map { ServiceList(SystemUnits($0), now: 0) }.get()
        self?.finish(with: list?.services.map(\.shortName) ?? [])
      }
      if exchange == nil { finish(isComplete: true) }
    case .phones:
      ask { [client] in
        client.call(Bluetooth1.phones.get, $0)
      } then: { lookup, state in
        for phone in state.phones { lookup.add(phone.name) }
      }
    case .values(let key):
      ask { [client] in
        client.call(Settings1.state.get, $0)
      } then: { lookup, state in
        guard let setting = state.setting(key), case .choice(let words) = setting.kind else {
          return
        }
        for word in words where !word.isEmpty { lookup.add(word) }
      }
    }
  }

  private func finish(with names: [String]) {
    for name in names { add(name) }
    finish(isComplete: true)
  }

  /// Sends a request, and passes its answer to `body`.
  private func ask<Value>(
    _ call: (@escaping ControlClient.Completion<Value>) -> Void,
    then body: @escaping (NameLookup, Value) -> Void
  ) {
    waiting += 1
    call { [weak self] result in
      guard let self, completion != nil else { return }
      waiting -= 1
      if case .success(let value) = result {
        body(self, value)
      } else {
        answer.isComplete = false
      }
      if waiting == 0 { finish(isComplete: answer.isComplete) }
    }
  }

  private func finish(isComplete: Bool) {
    guard let completion else { return }
    self.completion = nil
    timer?.cancel()
    answer.isComplete = isComplete
    completion(answer)
  }

  private func add(_ name: String) {
    guard request.matches(name), known.insert(name.lowercased()).inserted else { return }
    answer.names.append(name)
  }

  // MARK: Searching

  private func find(_ kind: LibraryRow.Kind) {
    ask { [client] in
      client.call(
        Library1.search,
        NumberedSearch(SearchRequest(request.beginning, kind: kind, limit: Self.maximumNames)), $0)
    } then: { lookup, answer in
      for row in answer.found.rows { lookup.add(row.title) }
      if !answer.found.more.isEmpty { lookup.answer.isComplete = false }
    }
  }

  // MARK: Batches

  /// - Parameters:
  ///   - path: the text that is put before each name.
  ///   - maximum: the maximum number of batches that are read.
  private func batches(_ request: RowsRequest, path: String = "", maximum: Int) {
    var request = request
    request.limit = Self.batchRows
    ask { [client] in
      client.call(Library1.getRows, request, $0)
    } then: { lookup, answer in
      let batch = answer.batch
      for row in batch.rows where lookup.isAllowed(row) {
        let isFolder = row.kind == .folder && row.node != nil
        lookup.add(path + row.title + (isFolder ? "/" : ""))
      }
      guard let next = batch.next, !lookup.hasAllOwn(batch) else { return }
      request.cursor = next
      if maximum > 1 {
        lookup.batches(request, path: path, maximum: maximum - 1)
      } else {
        lookup.answer.isComplete = false
      }
    }
  }

  private func isAllowed(_ row: LibraryRow) -> Bool {
    switch request.kind {
    case .ownPlaylists: if case .own? = row.node { true } else { false }
    case .folders: row.kind == .folder
    default: true
    }
  }

  /// True if no further batch can contain a playlist of the unit. These playlists are the first rows of the list.
  private func hasAllOwn(_ batch: RowBatch) -> Bool {
    request.kind == .ownPlaylists && !(batch.rows.last.map { isAllowed($0) } ?? false)
  }

  // MARK: Folders

  private func folders() {
    let parents = request.beginning.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
    descend(parents[...], in: .volumes, path: "")
  }

  private func descend(_ parents: ArraySlice<String>, in node: LibraryNode, path: String) {
    guard let parent = parents.first else {
      return batches(RowsRequest(node), path: path, maximum: Self.maximumBatches)
    }
    ask { [backend] in
      backend.row(titled: parent, RowsRequest(node, limit: Self.batchRows), $0)
    } then: { lookup, row in
      guard let row, let node = row.node else { return }
      lookup.descend(parents.dropFirst(), in: node, path: path + row.title + "/")
    }
  }
}
