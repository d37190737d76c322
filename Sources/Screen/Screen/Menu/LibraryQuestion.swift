package import LibraryModel
package import Reports

/// What the pages of the library ask the daemon for.
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
  /// The library does not answer, or refuses.
  case failed
}
