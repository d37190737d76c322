internal import EventLoop
package import LibraryModel

extension LibraryLink {
  /// Asks for entries with similar names. `completion` is called once, within two seconds.
  package func similar(
    _ request: SimilarRequest,
    completion: @escaping (Result<SimilarRows, LibraryFailure>) -> Void
  ) {
    ask(
      "FindSimilar",
      [
        .string(request.text), .string(request.kind?.rawValue ?? ""),
        RowCoding.count(request.limit),
      ],
      { answer throws(AnswerFault) in
        SimilarRows(
          rows: try RowCoding.rows(&answer, limit: request.limit), edits: try answer.number())
      }, completion)
  }
}
