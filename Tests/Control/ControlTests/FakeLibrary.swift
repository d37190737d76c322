import Control
import EventLoop
import LibraryModel
import NowPlaying
import Reports

/// A fake library. It answers each request with the values that a test sets.
final class FakeLibrary: ControlledLibrary {
  var state = FakeLibrary.full { didSet { turns.request() } }
  private let turns: Turns
  var requests: [RowsRequest] = []
  var searches: [SearchRequest] = []
  var similarRequests: [SimilarRequest] = []
  var letterRequests: [String] = []
  var letters = [LetterGroup(heading: "St", count: 13)]
  var batch: Result<RowBatch, LibraryFailure> = .success(FakeLibrary.fullBatch)
  /// If set, these closures answer requests for rows and searches. If a closure returns nil, the request stays open.
  var batchOf: ((RowsRequest) -> RowBatch?)?
  var findingsOf: ((SearchRequest) -> LibraryFindings?)?
  /// The completions of the searches that are still open. If this list is nil, searches are answered at once.
  var openSearches: [(Result<LibraryFindings, LibraryFailure>) -> Void]?
  var thumbnails: [RowReference] = []
  var thumbnail: Result<[UInt8], LibraryFailure> = .success([0xFF, 0xD8, 0xFF, 0xD9])
  var done: [String] = []
  var refusal: Refusal?

  init(_ turns: Turns) { self.turns = turns }

  /// A state in which no field has its default value.
  static var full: LibraryState {
    let conditions: [VolumeReport.Condition] = [
      .ready, .waiting, .listing(3), .reading(4, of: 9), .absent, .unreadable, .empty, .refused,
    ]
    var state = LibraryState()
    state.revision = 7
    state.condition = .scanning(4, of: 9)
    state.volumes = conditions.enumerated().map { number, condition in
      VolumeState(
        kind: number % 2 == 0 ? .stick : .folder,
        report: VolumeReport(
          identity: "id \(number)", label: "STICK \(number)", condition: condition,
          songs: number, problems: 2, wasCut: number == 1),
        path: condition == .absent ? nil : "/media/\(number)")
    }
    return state
  }

  /// A batch that contains each kind of row. No field of its first row has its default value.
  static var fullBatch: RowBatch {
    var batch = RowBatch()
    batch.rows = LibraryRow.Kind.allCases.enumerated().map { number, kind in
      var row = LibraryRow(kind: kind, id: Int64(number) << 40 | 0xF, title: "Ágætis \(number)")
      row.artist = "Sigur Rós"
      row.detail = "a detail"
      row.isVarious = true
      row.count = 9
      row.milliseconds = 61_500
      row.disc = 2
      row.number = 7
      row.year = 1999
      row.isAbsent = number == 0
      row.artwork = "1f\(number)"
      return row
    }
    batch.next = "f.0.7"
    batch.previous = "b.0.0"
    batch.count = 70
    batch.position = 24
    return batch
  }

  func rows(
    _ request: RowsRequest, completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void
  ) {
    requests.append(request)
    guard let batchOf else { return completion(batch) }
    if let batch = batchOf(request) { completion(.success(batch)) }
  }

  func letters(
    of node: LibraryNode, under heading: String?,
    completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    letterRequests.append("\(node.text) \(heading ?? "-")")
    completion(batch.map { _ in letters })
  }

  func find(
    _ request: SearchRequest,
    completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void
  ) {
    searches.append(request)
    if openSearches != nil {
      openSearches?.append(completion)
      return
    }
    if let findingsOf {
      if let found = findingsOf(request) { completion(.success(found)) }
      return
    }
    completion(
      batch.map {
        var found = LibraryFindings()
        found.rows = $0.rows
        found.more = [.song, .album]
        return found
      })
  }

  func similar(
    _ request: SimilarRequest,
    completion: @escaping (Result<SimilarRows, LibraryFailure>) -> Void
  ) {
    similarRequests.append(request)
    completion(batch.map { SimilarRows(rows: $0.rows, edits: 2) })
  }

  func thumbnail(
    of row: RowReference, completion: @escaping (Result<[UInt8], LibraryFailure>) -> Void
  ) {
    thumbnails.append(row)
    completion(thumbnail)
  }

  /// Doubts of each kind, with and without examples.
  static let doubts = LibraryDoubts(
    LibraryDoubts.Kind.allCases.enumerated().map { number, kind in
      LibraryDoubts.Part(
        kind, count: 20 * number,
        examples: (0..<number).map { .init(name: "ß\($0)", detail: $0 == 0 ? "" : "CAR/Ümit/") })
    })

  func doubts(completion: @escaping (Result<LibraryDoubts, LibraryFailure>) -> Void) {
    completion(batch.map { _ in Self.doubts })
  }

  private func perform(_ request: String) -> Refusal? {
    if refusal == nil { done.append(request) }
    return refusal
  }

  func rescan(_ source: String) -> Refusal? { perform("scan \(source)") }
  func readAnew(_ source: String) -> Refusal? { perform("read \(source)") }
  func forget(_ source: String) -> Refusal? { perform("forget \(source)") }
}
