package import LibraryModel
package import NowPlaying

/// The library of the daemon. Control thread; no call blocks.
package protocol ControlledLibrary: AnyObject {
  /// The present state.
  var state: LibraryState { get }
  /// Reads a batch of rows. Calls `completion` within two seconds, with the batch or with the reason for the failure.
  func rows(
    _ request: RowsRequest, completion: @escaping (Result<RowBatch, LibraryFailure>) -> Void)
  /// Reads the headings of a list. Calls `completion` like ``rows(_:completion:)``.
  func letters(
    of node: LibraryNode, under heading: String?,
    completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void)
  /// Searches the library. Calls `completion` like ``rows(_:completion:)``.
  func find(
    _ request: SearchRequest,
    completion: @escaping (Result<LibraryFindings, LibraryFailure>) -> Void)
  /// Finds entries with similar names. Calls `completion` like ``rows(_:completion:)``.
  func similar(
    _ request: SimilarRequest,
    completion: @escaping (Result<SimilarRows, LibraryFailure>) -> Void)
  /// Reads the thumbnail of a row, a JPEG. The result is empty if the row has no thumbnail. Calls `completion` like
  /// ``rows(_:completion:)``.
  func thumbnail(
    of row: RowReference, completion: @escaping (Result<[UInt8], LibraryFailure>) -> Void)
  /// Finds doubtful tags and playlists. Calls `completion` like ``rows(_:completion:)``.
  func doubts(completion: @escaping (Result<LibraryDoubts, LibraryFailure>) -> Void)
  /// Searches a volume for new and changed files. An empty text means all volumes.
  func rescan(_ volume: String) -> Refusal?
  /// Reads all files of a volume again.
  func readAnew(_ volume: String) -> Refusal?
  /// Removes an absent volume from the library.
  func forget(_ volume: String) -> Refusal?
}
