/// A request for a batch of rows of a list.
package struct RowsRequest: Equatable, Sendable {
  /// The list.
  package var node: LibraryNode
  /// ``RowBatch/next`` or ``RowBatch/previous`` of another batch. Nil for the beginning of the list.
  package var cursor: String?
  /// The heading whose rows are requested. Nil for all rows of the list.
  package var heading: String?
  /// Maximum number of rows, 1 … 100. A batch has fewer rows if the answer would be too large.
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
  /// The words, or the digits of the pressed keys.
  package var query: String
  /// True if the query contains the digits of pressed keys (`KeyPad`). False if it contains words.
  package var isByKeys: Bool
  /// The kind of the rows. Nil for all kinds.
  package var kind: LibraryRow.Kind?
  /// Maximum number of rows, 1 … 100. 0 for a few rows of each kind.
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

/// A request for rows whose names are similar to a misspelt name.
package struct SimilarRequest: Equatable, Sendable {
  /// The misspelt text, for which a search has found nothing.
  package var text: String
  /// The kind of the rows. Nil for artists, albums, songs and playlists.
  package var kind: LibraryRow.Kind?
  /// Maximum number of rows, 1 … 100.
  package var limit: Int

  package init(_ text: String, kind: LibraryRow.Kind? = nil, limit: Int = 1) {
    self.text = text
    self.kind = kind
    self.limit = limit
  }

  /// The kinds of the rows. Among equally similar rows, the row of the earlier kind is preferred.
  package var kinds: [LibraryRow.Kind] {
    kind.map { [$0] } ?? [.artist, .album, .song, .playlist]
  }
}

/// A request for the headings of a list.
package struct HeadingsRequest: Equatable, Sendable {
  package var node: LibraryNode
  /// The heading whose rows are divided. Nil for the headings of the whole list.
  package var heading: String?

  package init(of node: LibraryNode, under heading: String? = nil) {
    self.node = node
    self.heading = heading
  }
}

/// A request for the list after or before a list.
package struct NeighbourRequest: Equatable, Sendable {
  package var node: LibraryNode
  /// The list that contains `node` as a row. Nil if it is not known.
  package var parent: LibraryNode?
  package var isNext: Bool

  package init(of node: LibraryNode, in parent: LibraryNode?, isNext: Bool) {
    self.node = node
    self.parent = parent
    self.isNext = isNext
  }
}

/// A request for the new paths of files that were moved.
package struct MovedRequest: Equatable, Sendable {
  /// Maximum number of paths in one request.
  package static let maximumPaths = 200
  /// Maximum number of bytes of all paths together. If there is only one path, it can be longer.
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

/// The reason why the library does not answer a request.
package enum LibraryFailure: Error, Equatable, Sendable {
  /// The process of the library is not connected, or does not answer in time.
  case unavailable
  /// The unit runs without the library.
  case off
  /// The unit is in safe mode, in which the library does not start.
  case safeMode
  /// Too many requests wait for an answer.
  case busy
  /// The requested list or row does not exist.
  case unknownNode
  /// The query contains neither letters nor digits.
  case noQuery
  /// The library cannot answer, for the reason in the text.
  case failed(String)
}
