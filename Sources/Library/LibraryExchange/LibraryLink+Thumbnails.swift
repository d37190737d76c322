internal import EventLoop
package import LibraryModel

extension LibraryLink {
  /// Asks for the thumbnail of a row, which is a JPEG; empty if the row has none. `completion` is called once,
  /// within two seconds.
  package func thumbnail(
    of row: RowReference, completion: @escaping (Result<[UInt8], LibraryFailure>) -> Void
  ) {
    ask(
      "GetThumbnail", [.string(row.identifier)],
      { answer throws(AnswerFault) in try RowCoding.thumbnail(&answer) },
      completion)
  }
}
