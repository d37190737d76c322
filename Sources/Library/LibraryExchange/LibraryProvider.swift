package import EventLoop
package import LibraryModel

/// What the process of the library does for the daemon. Each call is answered at once.
package protocol LibraryAnswering: AnyObject {
  /// The volumes that are present now.
  func setVolumes(_ volumes: [LibraryVolume])
  /// The folder that the next scan reads first.
  func setPreferredFolder(_ path: [UInt8])
  /// While this is true, no file is read.
  func setHeld(_ isHeld: Bool)
  /// Looks for new and changed files of a volume. An empty text stands for all volumes.
  func rescan(_ identity: String)
  /// Reads all files of a volume again.
  func readAnew(_ identity: String)
  /// Removes a volume and its songs from the library.
  func forget(_ identity: String)
  func page(_ request: PageRequest) throws -> LibraryPage
  func letters(of node: LibraryNode, under heading: String?) throws -> [LetterGroup]
  /// - Throws: ``LibraryFailure/noQuery`` if the query has neither letters nor digits.
  func find(_ request: SearchRequest) throws -> LibraryFindings
  /// - Throws: ``LibraryFailure/noQuery`` if the text has neither letters nor digits.
  func similar(_ request: SimilarRequest) throws -> SimilarRows
  /// The songs of a list. The answer has at most `maximumBytes`.
  func tracks(_ request: TracksRequest, maximumBytes: Int) throws -> TracksPage
  /// The list after or before a list in its parent. Nil at the end.
  func neighbour(of node: LibraryNode, in parent: LibraryNode?, isNext: Bool) throws -> LibraryNode?
  /// Where files of a volume are now. The answer has at most `maximumBytes`.
  func moved(_ paths: [[UInt8]], on volume: String, maximumBytes: Int) throws -> MovedFiles
  /// The song, the album and the folder of a file, as far as they are known.
  func entries(ofFile path: [UInt8], on volume: String) throws -> [RowReference]
  /// Files that cannot be played, from the number `first` on. The answer has at most `maximumBytes`.
  func problems(first: Int, maximumBytes: Int) throws -> [LibraryProblem]
  /// What is doubtful in tags and playlists.
  func doubts() throws -> LibraryDoubts
  /// The JPEG of the thumbnail of a row; empty if it has none.
  /// - Throws: ``LibraryFailure/unknownNode`` if there is no such row.
  func thumbnail(of row: RowReference) throws -> [UInt8]
}

/// The end of the connection in the process of the library: answers the calls of the daemon.
///
/// Used on the control thread.
package final class LibraryProvider {
  private let bus: Bus
  /// Called once when the connection has ended.
  package var onDisconnected: (() -> Void)?

  /// Publishes the library on a connection to the daemon.
  package init(_ bus: Bus, _ library: any LibraryAnswering) {
    self.bus = bus
    let tree = ObjectTree()
    let object = BusObject(
      path: LibraryInterface.path, interfaces: [LibraryInterface.library],
      onCall: { [weak library] call in
        guard let library else { return call.fail(BusErrorName.failed, "the library has ended") }
        Self.answer(call, library)
      })
    // The path is a valid constant, so `add` cannot fail.
    try? tree.add(object)
    bus.objects = tree
    bus.onDisconnected = { [weak self] _ in self?.onDisconnected?() }
  }

  deinit { bus.close() }

  /// Tells the daemon the state of the library.
  package func report(_ report: LibraryReport) {
    try? bus.emit(
      LibraryInterface.path, LibraryInterface.library.name, "Changed",
      [VolumeCoding.value(of: report)])
  }

  private static func answer(_ call: MethodCall, _ library: any LibraryAnswering) {
    do {
      call.reply(try results(of: call, library))
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

  private static func results(
    of call: MethodCall, _ library: any LibraryAnswering
  ) throws -> [BusValue] {
    var arguments = call.arguments
    switch call.member {
    case "SetVolumes":
      library.setVolumes(try VolumeCoding.volumes(try arguments.value()))
      return []
    case "SetPreferredFolder":
      library.setPreferredFolder(try arguments.bytes())
      return []
    case "Hold":
      library.setHeld(try arguments.boolean())
      return []
    case "Rescan":
      library.rescan(try arguments.string())
      return []
    case "ReadAnew":
      library.readAnew(try arguments.string())
      return []
    case "Forget":
      library.forget(try arguments.string())
      return []
    case "GetPage":
      var request = PageRequest(try node(&arguments))
      request.cursor = RowCoding.optional(try arguments.string())
      request.heading = RowCoding.optional(try arguments.string())
      request.limit = try arguments.integer()
      return [RowCoding.value(of: try boundedPage(request, library))]
    case "GetLetters":
      let node = try node(&arguments)
      let heading = RowCoding.optional(try arguments.string())
      return [RowCoding.value(of: try library.letters(of: node, under: heading))]
    case "GetTracks":
      let request = try TrackCoding.request(&arguments)
      let page = try library.tracks(request, maximumBytes: LibraryInterface.answerBytes)
      return [TrackCoding.value(of: page)]
    case "GetNeighbour":
      let node = try node(&arguments)
      let parent = LibraryNode(text: try arguments.string())
      let neighbour = try library.neighbour(
        of: node, in: parent, isNext: try arguments.boolean())
      return [.string(neighbour?.text ?? "")]
    case "GetEntries":
      let volume = try arguments.string()
      let entries = try library.entries(ofFile: try arguments.bytes(), on: volume)
      return [.strings(entries.map(\.identifier))]
    case "FindMoved":
      let volume = try arguments.string()
      let paths = try TrackCoding.paths(try arguments.value())
      return TrackCoding.values(
        of: try library.moved(
          paths, on: volume, maximumBytes: LibraryInterface.answerBytes))
    case "GetProblems":
      let problems = try library.problems(
        first: try arguments.integer(), maximumBytes: LibraryInterface.answerBytes)
      return [TrackCoding.value(of: problems)]
    case "GetDoubts": return [DoubtCoding.value(of: try library.doubts())]
    case "FindSimilar":
      var request = SimilarRequest(try arguments.string())
      request.kind = LibraryRow.Kind(rawValue: try arguments.string())
      request.limit = try arguments.integer()
      let found = try library.similar(request)
      return [RowCoding.value(of: fitting(found.rows)), RowCoding.count(found.edits)]
    case "GetThumbnail":
      guard let row = RowReference(identifier: try arguments.string()) else {
        throw LibraryFailure.unknownNode
      }
      return [.bytes(try library.thumbnail(of: row))]
    default:
      var request = SearchRequest(try arguments.string())
      request.isByKeys = try arguments.boolean()
      request.kind = LibraryRow.Kind(rawValue: try arguments.string())
      request.limit = try arguments.integer()
      let found = try library.find(request)
      let more = found.more.map(\.rawValue).sorted()
      return [RowCoding.value(of: fitting(found.rows)), .strings(more)]
    }
  }

  private static func node(_ arguments: inout BodyReader) throws -> LibraryNode {
    guard let node = LibraryNode(text: try arguments.string()) else {
      throw LibraryFailure.unknownNode
    }
    return node
  }

  /// A page that fits into an answer.
  private static func boundedPage(
    _ request: PageRequest, _ library: any LibraryAnswering
  ) throws -> LibraryPage {
    var request = request
    while true {
      let page = try library.page(request)
      if RowCoding.bytes(of: page.rows) <= LibraryInterface.answerBytes { return page }
      // A row has less than 4 KB, so the loop ends.
      request.limit = page.rows.count / 2
    }
  }

  private static func fitting(_ rows: [LibraryRow]) -> [LibraryRow] {
    var rows = rows
    while RowCoding.bytes(of: rows) > LibraryInterface.answerBytes { rows.removeLast() }
    return rows
  }
}
