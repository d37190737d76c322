package import LibraryModel
package import Reports

/// What the pages of the library ask the daemon for.
package enum LibraryQuestion: Equatable, Sendable {
  case letters(LibraryNode, under: String?)
  case page(PageRequest)
  case recent
  case search(SearchRequest)
}

/// The answer to a ``LibraryQuestion``.
package enum LibraryAnswer: Sendable {
  case letters([LetterGroup])
  case page(LibraryPage)
  case recent([RecentReport])
  case findings(LibraryFindings)
  /// The library does not answer, or refuses.
  case failed
}

/// What a touch on a page of the library causes.
enum LibraryOutcome: Equatable, Sendable {
  /// The number belongs to the answer.
  case ask(Int, LibraryQuestion)
  case play(TrackList, RowReference?, PlayMode)
  /// Now Playing is shown.
  case leave
}
