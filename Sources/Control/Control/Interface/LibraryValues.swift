package import LibraryModel
internal import Reports

// The arguments and results of ``Library1``.

/// A batch of rows of a list, with the revision of the library.
package struct RowsAnswer: Equatable, Sendable {
  package var revision = 0
  package var batch = RowBatch()
}

/// A request for the headings of a list.
package struct LettersRequest: Equatable, Sendable {
  /// A list that has headings.
  package enum List: Equatable, Sendable {
    case queue
    case node(LibraryNode)
  }

  package var list: List
  /// Only the headings under this heading. Nil for all.
  package var heading: String?

  package init(_ list: List, under heading: String? = nil) {
    self.list = list
    self.heading = heading
  }
}

/// A search with a number. With 0, the search is independent of all others. A search with another number replaces the
/// searches before it that have a number. They are refused as superseded.
package struct NumberedSearch: Equatable, Sendable {
  package var request: SearchRequest
  package var number: Int

  package init(_ request: SearchRequest, number: Int = 0) {
    self.request = request
    self.number = number
  }
}

/// What a search finds, with the number of the search.
package struct SearchAnswer: Equatable, Sendable {
  package var number = 0
  package var found = LibraryFindings()
}

/// A list that is to be played.
package struct PlayRequest: Equatable, Sendable {
  package var list: TrackList
  /// The row with which the music begins. Nil for the whole list.
  package var row: RowReference?
  package var mode: PlayMode

  package init(_ list: TrackList, row: RowReference? = nil, _ mode: PlayMode) {
    self.list = list
    self.row = row
    self.mode = mode
  }
}

/// A part of the queue.
package struct QueuePart: Equatable, Sendable {
  package var first: Int
  package var limit: Int

  package init(first: Int, limit: Int) {
    self.first = first
    self.limit = limit
  }
}

/// Moves an item of the queue before another one.
package struct QueueMove: Equatable, Sendable {
  package var revision: Int
  package var item: String
  /// Nil for the end.
  package var before: String?

  /// Moves an entry with this number.
  package init(_ entry: Int, before other: Int?, revision: Int) {
    self.revision = revision
    item = QueueReport.Entry.item(entry)
    before = other.map { QueueReport.Entry.item($0) }
  }
}

/// Removes an item of the queue.
package struct QueueRemoval: Equatable, Sendable {
  package var revision: Int
  package var item: String

  /// Removes an entry with this number.
  package init(_ entry: Int, revision: Int) {
    self.revision = revision
    item = QueueReport.Entry.item(entry)
  }
}

/// Songs that are to be added to a playlist.
package struct PlaylistAddition: Equatable, Sendable {
  package var name: String
  /// Nil for what plays.
  package var list: TrackList?
  package var row: RowReference?

  package init(_ name: String, _ list: TrackList? = nil, row: RowReference? = nil) {
    self.name = name
    self.list = list
    self.row = row
  }
}

/// A song that is to be removed from a playlist.
package struct PlaylistRemoval: Equatable, Sendable {
  package var name: String
  package var row: RowReference

  package init(_ name: String, _ row: RowReference) {
    self.name = name
    self.row = row
  }
}

/// A playlist or a phone that gets another name.
package struct Renaming: Equatable, Sendable {
  /// The present name of the playlist; the address or the name of the phone.
  package var subject: String
  package var name: String

  package init(_ subject: String, to name: String) {
    self.subject = subject
    self.name = name
  }
}
