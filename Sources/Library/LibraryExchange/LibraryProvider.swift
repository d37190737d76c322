internal import BusMethods
package import EventLoop
package import LibraryModel

/// The functions of the process of the library that the daemon calls. Each function returns its answer directly.
package protocol LibraryAnswering: AnyObject {
  /// Sets the volumes that are present now.
  func setVolumes(_ volumes: [LibraryVolume])
  /// Sets the folder that the next scan reads first.
  func setPreferredFolder(_ path: [UInt8])
  /// Pauses the library, or continues. While the library is paused, it does not read files.
  func setHeld(_ isHeld: Bool)
  /// Scans a volume for new and changed files. An empty text means all volumes.
  func rescan(_ identity: String)
  /// Reads all files of a volume again.
  func readAnew(_ identity: String)
  /// Removes a volume and its songs from the library.
  func forget(_ identity: String)
  func rows(_ request: RowsRequest) throws -> RowBatch
  func letters(of node: LibraryNode, under heading: String?) throws -> [LetterGroup]
  /// - Throws: ``LibraryFailure/noQuery`` if the query contains neither letters nor digits.
  func find(_ request: SearchRequest) throws -> LibraryFindings
  /// - Throws: ``LibraryFailure/noQuery`` if the text contains neither letters nor digits.
  func similar(_ request: SimilarRequest) throws -> SimilarRows
  /// A batch of the songs of a list. The answer has at most `maximumBytes`.
  func tracks(_ request: TracksRequest, maximumBytes: Int) throws -> TrackBatch
  /// The list after or before `node` in the list `parent`. Nil if there is no such list.
  func neighbour(of node: LibraryNode, in parent: LibraryNode?, isNext: Bool) throws -> LibraryNode?
  /// The new paths of files that were moved. The answer has at most `maximumBytes`.
  func moved(_ paths: [[UInt8]], on volume: String, maximumBytes: Int) throws -> MovedFiles
  /// The song, the album and the folder of a file. Rows that the library does not know are left out.
  func entries(ofFile path: [UInt8], on volume: String) throws -> [RowReference]
  /// Files that cannot be played, without the first `first` files. The answer has at most `maximumBytes`.
  func problems(first: Int, maximumBytes: Int) throws -> [LibraryProblem]
  /// Probable errors in tags and playlists.
  func doubts() throws -> LibraryDoubts
  /// The thumbnail of a row as JPEG. Empty if the row has no thumbnail.
  /// - Throws: ``LibraryFailure/unknownNode`` if the row does not exist.
  func thumbnail(of row: RowReference) throws -> [UInt8]
}

/// The library's side of the connection to the daemon. It answers the calls of the daemon.
///
/// Used on the control thread.
package final class LibraryProvider {
  private typealias Handlers = MethodHandlers<any LibraryAnswering, Void>

  private let bus: Bus
  /// Called once when the connection has ended.
  package var onDisconnected: (() -> Void)?

  /// Publishes the library on a connection to the daemon.
  package init(_ bus: Bus, _ library: any LibraryAnswering) {
    self.bus = bus
    let handlers = Self.makeHandlers()
    handlers.checkComplete(LibraryProcess1.rows)
    let tree = ObjectTree()
    let object = BusObject(
      path: LibraryInterface.path, interfaces: [LibraryProcess1.interface],
      onCall: { [weak library] call in
        guard let library else { return call.fail(BusErrorName.failed, "the library has ended") }
        Self.answer(call, library, handlers)
      })
    // The path is a valid constant, so `add` cannot fail.
    try? tree.add(object)
    bus.objects = tree
    bus.onDisconnected = { [weak self] _ in self?.onDisconnected?() }
  }

  deinit { bus.close() }

  /// Sends the state of the library to the daemon.
  package func report(_ report: LibraryReport) {
    try? bus.emit(LibraryProcess1.changed, at: LibraryInterface.path, report)
  }

  private static func answer(
    _ call: MethodCall, _ library: any LibraryAnswering, _ handlers: Handlers
  ) {
    do {
      try handlers.handle(call, library, ())
    } catch let failure as LibraryFailure {
      let (name, text) =
        switch failure {
        case .unknownNode: (LibraryInterface.ErrorName.unknownNode, "there is no such list")
        case .noQuery: (LibraryInterface.ErrorName.noQuery, "no letters and no digits")
        case .failed(let text): (LibraryInterface.ErrorName.failed, text)
        case .unavailable, .off, .safeMode, .busy:
          (LibraryInterface.ErrorName.unavailable, "unavailable")
        }
      call.fail(name, text)
    } catch {
      call.fail(LibraryInterface.ErrorName.failed, "\(error)")
    }
  }

  private static func makeHandlers() -> Handlers {
    var handlers = Handlers()
    func perform<Arguments>(
      _ method: BusMethod<Arguments, Void>,
      _ body: @escaping (any LibraryAnswering, Arguments) -> Void
    ) {
      handlers.on(method) { library, call in
        body(library, call.arguments)
        call.reply()
      }
    }
    func answer<Arguments, Results>(
      _ question: CheckedMethod<Arguments, Results>,
      _ body: @escaping (any LibraryAnswering, Arguments) throws -> Results
    ) {
      handlers.on(question.method) { library, call in call.reply(try body(library, call.arguments))
      }
    }
    perform(LibraryProcess1.setVolumes) { $0.setVolumes($1) }
    perform(LibraryProcess1.setPreferredFolder) { $0.setPreferredFolder($1) }
    perform(LibraryProcess1.hold) { $0.setHeld($1) }
    perform(LibraryProcess1.rescan) { $0.rescan($1) }
    perform(LibraryProcess1.readAnew) { $0.readAnew($1) }
    perform(LibraryProcess1.forget) { $0.forget($1) }
    answer(LibraryProcess1.getRows) { try boundedRows($1, $0) }
    answer(LibraryProcess1.getLetters) { try $0.letters(of: $1.node, under: $1.heading) }
    answer(LibraryProcess1.search) { library, request in
      var found = try library.find(request)
      found.rows = fitting(found.rows)
      return found
    }
    answer(LibraryProcess1.findSimilar) { library, request in
      var similar = try library.similar(request)
      similar.rows = fitting(similar.rows)
      return similar
    }
    answer(LibraryProcess1.getTracks) {
      try $0.tracks($1, maximumBytes: LibraryInterface.answerBytes)
    }
    answer(LibraryProcess1.getNeighbour) {
      try $0.neighbour(of: $1.node, in: $1.parent, isNext: $1.isNext)
    }
    answer(LibraryProcess1.getEntries) { try $0.entries(ofFile: $1.path, on: $1.volume) }
    answer(LibraryProcess1.findMoved) {
      try $0.moved($1.paths, on: $1.volume, maximumBytes: LibraryInterface.answerBytes)
    }
    answer(LibraryProcess1.getProblems) {
      try $0.problems(first: $1, maximumBytes: LibraryInterface.answerBytes)
    }
    answer(LibraryProcess1.getDoubts) { library, _ in try library.doubts() }
    answer(LibraryProcess1.getThumbnail) { try $0.thumbnail(of: $1) }
    return handlers
  }

  /// Returns a batch that fits into an answer. It can have fewer rows than the request asks for.
  private static func boundedRows(
    _ request: RowsRequest, _ library: any LibraryAnswering
  ) throws -> RowBatch {
    var request = request
    while true {
      let batch = try library.rows(request)
      if RowCoding.bytes(of: batch.rows) <= LibraryInterface.answerBytes { return batch }
      // The loop ends, because a row has less than 4 KB and so one row always fits.
      request.limit = batch.rows.count / 2
    }
  }

  private static func fitting(_ rows: [LibraryRow]) -> [LibraryRow] {
    var rows = rows
    while RowCoding.bytes(of: rows) > LibraryInterface.answerBytes { rows.removeLast() }
    return rows
  }
}
