/// A request for a page of a list.
package struct PageRequest: Equatable, Sendable {
  /// The list.
  package var node: LibraryNode
  /// Where the page begins, from an earlier page. Nil for the beginning of the list.
  package var cursor: String?
  /// Only the rows under this heading. Nil for all rows.
  package var heading: String?
  /// Number of rows, 1 … 100. A page has fewer rows if the answer would be too large.
  package var limit: Int

  /// Memberwise initializer.
  package init(
    _ node: LibraryNode, cursor: String? = nil, heading: String? = nil, limit: Int = 24
  ) {
    self.node = node
    self.cursor = cursor
    self.heading = heading
    self.limit = limit
  }
}

/// A request for a search.
package struct SearchRequest: Equatable, Sendable {
  /// The words, or the pressed keys.
  package var query: String
  /// True if the query has the digits of nine keys.
  package var isByKeys: Bool
  /// Only rows of this kind. Nil for all kinds.
  package var kind: LibraryRow.Kind?
  /// Number of rows of the kind, 1 … 100. 0 for a few rows of each kind.
  package var limit: Int

  /// Memberwise initializer.
  package init(
    _ query: String, isByKeys: Bool = false, kind: LibraryRow.Kind? = nil, limit: Int = 0
  ) {
    self.query = query
    self.isByKeys = isByKeys
    self.kind = kind
    self.limit = limit
  }
}

/// A request for entries whose names are similar to a misspelt name.
package struct SimilarRequest: Equatable, Sendable {
  /// The text, of which a search finds nothing.
  package var text: String
  /// Only rows of this kind. Nil for artists, albums, songs and playlists.
  package var kind: LibraryRow.Kind?
  /// Number of rows, 1 … 100.
  package var limit: Int

  /// Memberwise initializer.
  package init(_ text: String, kind: LibraryRow.Kind? = nil, limit: Int = 1) {
    self.text = text
    self.kind = kind
    self.limit = limit
  }

  /// The kinds of the rows. Of equally similar rows, an earlier kind is better.
  package var kinds: [LibraryRow.Kind] {
    kind.map { [$0] } ?? [.artist, .album, .song, .playlist]
  }
}

/// Why the library gives no answer.
package enum LibraryFailure: Error, Equatable, Sendable {
  /// The process of the library is not there, or does not answer in time.
  case unavailable
  /// The unit runs without the library.
  case off
  /// The unit is in safe mode, in which the library does not start.
  case safeMode
  /// Too many requests wait for an answer.
  case busy
  /// There is no such list.
  case unknownNode
  /// A query without letters and digits.
  case noQuery
  /// The library cannot answer, for the reason in the text.
  case failed(String)
}
