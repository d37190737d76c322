internal import EventLoop
package import LibraryModel

// What the daemon asks.
extension LibraryLink {
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
      ], { answer throws(AnswerFault) in try RowCoding.page(&answer, of: request) }, completion)
  }

  /// Asks for the headings of a list. `completion` is called once, within two seconds.
  package func letters(
    of node: LibraryNode, under heading: String?,
    completion: @escaping (Result<[LetterGroup], LibraryFailure>) -> Void
  ) {
    ask(
      "GetLetters", [.string(node.text), .string(heading ?? "")],
      { answer throws(AnswerFault) in try RowCoding.groups(&answer) }, completion)
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
      { answer throws(AnswerFault) in
        var found = LibraryFindings()
        found.rows = try RowCoding.rows(&answer, limit: LibraryInterface.maximumRows)
        found.more = try RowCoding.kinds(&answer)
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
      { answer throws(AnswerFault) in try TrackCoding.page(&answer, of: request) }, completion)
  }

  /// Asks for the list after or before a list. `completion` is called once, within two seconds, with nil if there
  /// is none.
  package func neighbour(
    of node: LibraryNode, in parent: LibraryNode?, isNext: Bool,
    completion: @escaping (Result<LibraryNode?, LibraryFailure>) -> Void
  ) {
    ask(
      "GetNeighbour", [.string(node.text), .string(parent?.text ?? ""), .boolean(isNext)],
      { answer throws(AnswerFault) in try answer.node() }, completion)
  }

  /// Asks for the song, the album and the folder of a file. `completion` is called once, within two seconds.
  package func entries(
    ofFile path: [UInt8], on volume: String,
    completion: @escaping (Result<[RowReference], LibraryFailure>) -> Void
  ) {
    ask(
      "GetEntries", [.string(volume), .bytes(path)],
      { answer throws(AnswerFault) in try TrackCoding.entries(&answer) }, completion)
  }

  /// Asks for files that cannot be played, from the number `first` on. `completion` is called once, within
  /// two seconds.
  package func problems(
    first: Int, completion: @escaping (Result<[LibraryProblem], LibraryFailure>) -> Void
  ) {
    ask(
      "GetProblems", [RowCoding.count(first)],
      { answer throws(AnswerFault) in try TrackCoding.problems(&answer) }, completion)
  }
}
