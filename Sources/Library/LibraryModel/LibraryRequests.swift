/// A request for a batch of rows of a list.
package struct RowsRequest: Equatable, Sendable {
  /// The list.
  package var node: LibraryNode
  /// Where the batch begins, from an earlier batch. Nil for the beginning of the list.
  package var cursor: String?
  /// Only the rows under this heading. Nil for all rows.
  package var heading: String?
  /// Number of rows, 1 … 100. A batch has fewer rows if the answer would be too large.
  package var limit: Int

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

/// A request for the headings of a list.
package struct HeadingsRequest: Equatable, Sendable {
  package var node: LibraryNode
  /// Only the headings under this heading. Nil for all.
  package var heading: String?

  package init(of node: LibraryNode, under heading: String? = nil) {
    self.node = node
    self.heading = heading
  }
}

/// A request for the list after or before a list.
package struct NeighbourRequest: Equatable, Sendable {
  package var node: LibraryNode
  /// The list that has the lists as rows. Nil if it is not known.
  package var parent: LibraryNode?
  package var isNext: Bool

  package init(of node: LibraryNode, in parent: LibraryNode?, isNext: Bool) {
    self.node = node
    self.parent = parent
    self.isNext = isNext
  }
}

/// A request for the present paths of files.
package struct MovedRequest: Equatable, Sendable {
  /// Maximum number of paths.
  package static let maximumPaths = 200
  /// Maximum bytes of the paths together. A single path may have more.
  package static let maximumPathBytes = 32 << 10

  /// See ``LibraryVolume/identity``.
  package var volume: String
  /// The paths below the volume, as bytes.
  package var paths: [[UInt8]]

  package init(volume: String, paths: [[UInt8]]) {
    self.volume = volume
    self.paths = paths
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
