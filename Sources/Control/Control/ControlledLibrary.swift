package import LibraryModel
package import NowPlaying

/// The library of the daemon. Control thread; no call blocks.
package protocol ControlledLibrary: AnyObject {
  /// The present state.
  var state: LibraryState { get }
  /// Passes a batch of rows to `completion` within two seconds, or the reason why there is none.
  func rows(
    _ request: RowsRequest, completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void)
  /// Passes the headings of a list to `completion`, as ``rows(_:completion:)`` does.
  func letters(
    of node: LibraryNode, under heading: String?,
    completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void)
  /// Passes what a search finds to `completion`, as ``rows(_:completion:)`` does.
  func find(
    _ request: SearchRequest,
    completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void)
  /// Passes entries with similar names to `completion`, as ``rows(_:completion:)`` does.
  func similar(
    _ request: SimilarRequest,
    completion: @escaping (Result<SimilarRows, LibraryFailure>) -> Void)
  /// Passes the thumbnail of a row to `completion`, as ``rows(_:completion:)`` does. It is a JPEG; empty if the row has
  /// none.
  func thumbnail(
    of row: RowReference, completion: @escaping (Result<[UInt8], LibraryFailure>) -> Void)
  /// Passes what is doubtful in tags and playlists to `completion`, as ``rows(_:completion:)`` does.
  func doubts(completion: @escaping (Result<LibraryDoubts, LibraryFailure>) -> Void)
  /// Looks for new and changed files on a volume. An empty text stands for all volumes.
  func rescan(_ volume: String) -> Refusal?
  /// Reads all files of a volume again.
  func readAnew(_ volume: String) -> Refusal?
  /// Removes a volume that is absent from the library.
  func forget(_ volume: String) -> Refusal?
}
