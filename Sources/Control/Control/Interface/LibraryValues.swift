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
  /// Only the headings under this heading are requested. Nil to request the headings of the whole list.
  package var heading: String?

  package init(_ list: List, under heading: String? = nil) {
    self.list = list
    self.heading = heading
  }
}

/// A search with a number. A search with the number 0 is independent of all other searches. A search with any other
/// number replaces the earlier numbered searches of the client, which are refused as superseded.
package struct NumberedSearch: Equatable, Sendable {
  package var request: SearchRequest
  package var number: Int

  package init(_ request: SearchRequest, number: Int = 0) {
    self.request = request
    self.number = number
  }
}

/// The result of a search, with the number of the search.
package struct SearchAnswer: Equatable, Sendable {
  package var number = 0
  package var found = LibraryFindings()
}

/// A request to play a list.
package struct PlayRequest: Equatable, Sendable {
  package var list: TrackList
  /// The row with which playback begins. Nil to begin with the start of the list.
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

/// A request to move an item of the queue before another item.
package struct QueueMove: Equatable, Sendable {
  package var revision: Int
  package var item: String
  /// The item before which the moved item is inserted. Nil to move it to the end.
  package var before: String?

  /// - Parameters:
  ///   - entry: the number of the entry that is moved.
  ///   - other: the number of the entry before which it is inserted.
  package init(_ entry: Int, before other: Int?, revision: Int) {
    self.revision = revision
    item = QueueReport.Entry.item(entry)
    before = other.map { QueueReport.Entry.item($0) }
  }
}

/// A request to remove an item of the queue.
package struct QueueRemoval: Equatable, Sendable {
  package var revision: Int
  package var item: String

  /// - Parameter entry: the number of the entry that is removed.
  package init(_ entry: Int, revision: Int) {
    self.revision = revision
    item = QueueReport.Entry.item(entry)
  }
}

/// A request to add songs to a playlist.
package struct PlaylistAddition: Equatable, Sendable {
  package var name: String
  /// The list with the songs. Nil to add what plays now.
  package var list: TrackList?
  package var row: RowReference?
  /// True to add also the songs that the playlist contains already.
  package var again: Bool

  package init(
    _ name: String, _ list: TrackList? = nil, row: RowReference? = nil, again: Bool = false
  ) {
    self.name = name
    self.list = list
    self.row = row
    self.again = again
  }
}

/// A request to remove a song from a playlist.
package struct PlaylistRemoval: Equatable, Sendable {
  package var name: String
  package var row: RowReference

  package init(_ name: String, _ row: RowReference) {
    self.name = name
    self.row = row
  }
}

/// A request to rename a playlist or a phone.
package struct Renaming: Equatable, Sendable {
  /// The present name of the playlist, or the address or the name of the phone.
  package var subject: String
  package var name: String

  package init(_ subject: String, to name: String) {
    self.subject = subject
    self.name = name
  }
}
