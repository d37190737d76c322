package import LibraryModel
package import Reports

/// A question of the pages of the library to the daemon.
package enum LibraryQuestion: Equatable, Sendable {
  case letters(LibraryNode, under: String?)
  case rows(RowsRequest)
  case recent
  case search(SearchRequest)
}

/// The answer to a ``LibraryQuestion``.
package enum LibraryAnswer: Sendable {
  case letters([LetterGroup])
  case rows(RowBatch)
  case recent([RecentReport])
  case findings(LibraryFindings)
  /// The library does not answer, or refuses the question.
  case failed
}
