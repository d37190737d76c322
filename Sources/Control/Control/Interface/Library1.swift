internal import BusMethods
internal import EventLoop
package import LibraryModel
internal import NowPlaying
package import Reports

/// The lists of the library, searches in it, the queue, and the playlists of the unit.
package enum Library1 {
  package static let interface = MethodTable(
    "Library1",
    state.rows + [
      getRows.row, getLetters.row, search.row, findSimilar.row, play.row, getRecent.row,
      getQueue.row, moveQueueItem.row, removeQueueItem.row, clearQueue.row, undoQueue.row,
      getItemArtwork.row, getDoubts.row, savePlaylist.row, addToPlaylist.row,
      removeFromPlaylist.row, renamePlaylist.row, deletePlaylist.row,
    ], signals: [state.changed.declaration])

  /// The state of the library without the volumes, which are in ``Sources1/sources``.
  package static let state: FollowedValue<LibraryState> = .init(
    "Library1", .library, get: "GetRoot", changed: "Changed", .one("state", .state))

  // MARK: Lists

  package static let getRows: ControlMethod<RowsRequest, RowsAnswer> = .init(
    "Library1.GetPage", .look,
    takes: .record(RowsRequest(.artists)) { field, request in
      try field("node", &request.node, .node)
      try field("cursor", &request.cursor, .textOrNil)
      try field("limit", &request.limit, .number(1...100))
      try field.options("options")
      try field.option("letter", &request.heading, .text)
    },
    returns: .record(RowsAnswer()) { field, answer in
      try field("revision", &answer.revision, .count)
      try field("rows", &answer.batch.rows, .rows)
      try field("next", &answer.batch.next, .textOrNil)
      try field("previous", &answer.batch.previous, .textOrNil)
      try field("count", &answer.batch.count, .number())
      try field("position", &answer.batch.position, .number())
    })

  /// Reads the headings of a list: letters, or ranges of rows.
  package static let getLetters: ControlMethod<LettersRequest, [LetterGroup]> = .init(
    "Library1.GetLetters", .look,
    takes: .record(LettersRequest(.queue)) { field, request in
      try field("node", &request.list, .headedList)
      try field("prefix", &request.heading, .textOrNil)
    }, returns: .one("letters", .groups))

  package static let search: ControlMethod<NumberedSearch, SearchAnswer> = .init(
    "Library1.Search", .look,
    takes: .record(NumberedSearch(SearchRequest(""))) { field, search in
      try field("query", &search.request.query, .text)
      try field("number", &search.number, .count)
      try field("limit", &search.request.limit, .number())
      try field.options("options")
      try field.flag("isByKeys", &search.request.isByKeys)
      try field.option("kind", &search.request.kind, .word)
    },
    returns: .record(SearchAnswer()) { field, answer in
      try field("number", &answer.number, .count)
      try field("rows", &answer.found.rows, .rows)
      try field("more", &answer.found.more, .words(ignoresUnknown: true))
    })

  /// Finds the entries whose names are most similar to a misspelt name, best first.
  package static let findSimilar: ControlMethod<SimilarRequest, [LibraryRow]> = .init(
    "Library1.FindSimilar", .look,
    takes: .record(SimilarRequest("")) { field, request in
      try field("text", &request.text, .text)
      try field("limit", &request.limit, .number(1...100))
      try field.options("options")
      try field.option("kind", &request.kind, .word)
    }, returns: .one("rows", .rows))

  /// Reads the thumbnail of a row, a JPEG. The result is empty if the row has no thumbnail. All thumbnails have the
  /// same size, so the arguments `width` and `height` have no effect.
  package static let getItemArtwork: ControlMethod<RowReference, [UInt8]> = .init(
    "Library1.GetItemArtwork", .look,
    takes: .record(RowReference(kind: .song, id: 0)) { field, row in
      var (width, height) = (0, 0)
      try field("id", &row, .row)
      try field("width", &width, .number())
      try field("height", &height, .number())
    },
    returns: .record([]) { field, jpeg in
      var format = jpeg.isEmpty ? "" : "jpeg"
      try field("format", &format, .text)
      try field("bytes", &jpeg, .bytes)
      if format != "jpeg" { jpeg = [] }
    })

  /// Finds doubtful tags and playlists in the library.
  package static let getDoubts: ControlMethod<Void, LibraryDoubts> = .init(
    "Library1.GetDoubts", .look, returns: .one("doubts", .doubts))

  // MARK: The queue

  /// Plays a list of the library, from its beginning or from one of its rows.
  package static let play: ControlMethod<PlayRequest, Void> = .init(
    "Library1.Play", .play, timeout: .seconds(10),
    takes: .record(PlayRequest(.everything, .now)) { field, request in
      try field("list", &request.list, .trackList)
      try field("row", &request.row, .rowOrNil)
      try field("how", &request.mode, .word)
    })

  /// Reads the lists that played before the present list, latest first.
  package static let getRecent: ControlMethod<Int, [RecentReport]> = .init(
    "Library1.GetRecent", .look, takes: .one("limit", .number(1...RecentReport.limit)),
    returns: .one("rows", .recent))

  package static let getQueue: ControlMethod<QueuePart, QueueReport> = .init(
    "Library1.GetQueue", .look,
    takes: .record(QueuePart(first: 0, limit: 1)) { field, part in
      try field("first", &part.first, .number())
      try field("limit", &part.limit, .number(1...QueueReport.limit))
    },
    returns: .record(QueueReport()) { field, report in
      var values = QueueCoding.value(of: report)
      try field("revision", &report.revision, .count)
      try field("rows", &report.entries, .entries)
      try field("queue", &values, .properties)
      if field.isReading { try QueueCoding.read(values, into: &report) }
    })

  package static let moveQueueItem: ControlMethod<QueueMove, Void> = .init(
    "Library1.MoveQueueItem", .play,
    takes: .record(QueueMove(0, before: nil, revision: 0)) { field, move in
      try field("revision", &move.revision, .count)
      try field("item", &move.item, .text)
      try field("before", &move.before, .textOrNil)
    })

  package static let removeQueueItem: ControlMethod<QueueRemoval, Void> = .init(
    "Library1.RemoveQueueItem", .play,
    takes: .record(QueueRemoval(0, revision: 0)) { field, removal in
      try field("revision", &removal.revision, .count)
      try field("item", &removal.item, .text)
    })

  /// Removes all entries of the queue except the current one. The argument is the revision of the queue.
  package static let clearQueue: ControlMethod<Int, Void> = .init(
    "Library1.ClearQueue", .play, takes: .one("revision", .count))

  /// Undoes the last edit of the queue. The argument is the revision of the queue.
  package static let undoQueue: ControlMethod<Int, Void> = .init(
    "Library1.UndoQueue", .play, takes: .one("revision", .count))

  // MARK: Playlists of the unit. The daemon answers after the storage has saved the change.

  /// Saves the queue as a playlist with this name.
  package static let savePlaylist: ControlMethod<String, Void> = .init(
    "Library1.SavePlaylist", .play, timeout: .seconds(10), takes: .one("name", .text))

  package static let addToPlaylist: ControlMethod<PlaylistAddition, Void> = .init(
    "Library1.AddToPlaylist", .play, timeout: .seconds(10),
    takes: .record(PlaylistAddition("")) { field, addition in
      try field("name", &addition.name, .text)
      try field("list", &addition.list, .trackListOrNil)
      try field("row", &addition.row, .rowOrNil)
      try field("again", &addition.again, .flag, isOptional: true)
    })

  package static let removeFromPlaylist: ControlMethod<PlaylistRemoval, Void> = .init(
    "Library1.RemoveFromPlaylist", .play, timeout: .seconds(10),
    takes: .record(PlaylistRemoval("", RowReference(kind: .song, id: 0))) { field, removal in
      try field("name", &removal.name, .text)
      try field("row", &removal.row, .row)
    })

  package static let renamePlaylist: ControlMethod<Renaming, Void> = .init(
    "Library1.RenamePlaylist", .play, timeout: .seconds(10),
    takes: .record(Renaming("", to: "")) { field, renaming in
      try field("name", &renaming.subject, .text)
      try field("new", &renaming.name, .text)
    })

  package static let deletePlaylist: ControlMethod<String, Void> = .init(
    "Library1.DeletePlaylist", .play, timeout: .seconds(10), takes: .one("name", .text))
}
