internal import BusMethods
internal import EventLoop
package import LibraryModel

/// The D-Bus interface between the daemon and the process of the library. The process of the library publishes one
/// object on its connection to the daemon. No other program uses this interface. Both programs are installed together,
/// so a change of the interface does not need a new version number.
package enum LibraryProcess1 {
  static let interface = BusInterface(
    "org.autoharp.LibraryProcess1", methods: rows.map(\.declaration),
    signals: [changed.declaration])

  static let rows = [
    setVolumes.row, setPreferredFolder.row, hold.row, rescan.row, readAnew.row, forget.row,
    getRows.method.row, getLetters.method.row, search.method.row, findSimilar.method.row,
    getTracks.method.row, getNeighbour.method.row, getEntries.method.row, findMoved.method.row,
    getProblems.method.row, getDoubts.method.row, getThumbnail.method.row,
  ]

  // MARK: Commands

  /// Sets the volumes that are present now.
  static let setVolumes = BusMethod<[LibraryVolume], Void>(
    "LibraryProcess1.SetVolumes", takes: .one("volumes", .volumes), returns: .none)
  /// Sets the folder that the next scan reads first.
  static let setPreferredFolder = BusMethod<[UInt8], Void>(
    "LibraryProcess1.SetPreferredFolder", takes: .one("path", .bytes), returns: .none)
  /// True pauses the library: it does not read files until it gets false.
  static let hold = BusMethod<Bool, Void>(
    "LibraryProcess1.Hold", takes: .one("isHeld", .flag), returns: .none)
  /// Scans a volume for new and changed files. An empty text means all volumes.
  static let rescan = BusMethod<String, Void>(
    "LibraryProcess1.Rescan", takes: .one("volume", .text), returns: .none)
  /// Reads all files of a volume again.
  static let readAnew = BusMethod<String, Void>(
    "LibraryProcess1.ReadAnew", takes: .one("volume", .text), returns: .none)
  /// Removes a volume and its songs from the library.
  static let forget = BusMethod<String, Void>(
    "LibraryProcess1.Forget", takes: .one("volume", .text), returns: .none)

  /// Sent when the state of the library has changed.
  static let changed = BusSignal<LibraryReport>(
    "LibraryProcess1.Changed", carries: .one("report", .report))

  // MARK: Lists

  /// Reads a batch of rows of a list.
  package static let getRows = CheckedMethod<RowsRequest, RowBatch>(
    "LibraryProcess1.GetPage",
    takes: .record(RowsRequest(.artists)) { field, request in
      try field("node", &request.node, .node)
      try field("cursor", &request.cursor, .textOrNil)
      try field("heading", &request.heading, .textOrNil)
      try field("limit", &request.limit, .number())
    }, returns: .one("page", .rowBatch)
  ) { batch, request throws(AnswerFault) in
    try batch.rows.check(limit: request.limit)
    // A client that follows the cursors must reach the end of the list, so each cursor must lead to other rows.
    let isStuck =
      batch.next != nil && (batch.rows.isEmpty || batch.next == request.cursor)
      || batch.previous != nil && (batch.rows.isEmpty || batch.previous == request.cursor)
    if isStuck { throw AnswerFault("a cursor leads to the same page") }
  }

  /// Reads the headings of a list.
  package static let getLetters = CheckedMethod<HeadingsRequest, [LetterGroup]>(
    "LibraryProcess1.GetLetters",
    takes: .record(HeadingsRequest(of: .artists)) { field, request in
      try field("node", &request.node, .node)
      try field("heading", &request.heading, .textOrNil)
    }, returns: .one("letters", .headings))

  package static let search = CheckedMethod<SearchRequest, LibraryFindings>(
    "LibraryProcess1.Search",
    takes: .record(SearchRequest("")) { field, request in
      try field("query", &request.query, .text)
      try field("isByKeys", &request.isByKeys, .flag)
      try field("kind", &request.kind, .kindOrNil)
      try field("limit", &request.limit, .number())
    },
    returns: .record(LibraryFindings()) { field, found in
      try field("rows", &found.rows, .rows)
      try field("more", &found.more, .kinds)
    })

  /// Finds the rows whose names are similar to a misspelt name.
  package static let findSimilar = CheckedMethod<SimilarRequest, SimilarRows>(
    "LibraryProcess1.FindSimilar",
    takes: .record(SimilarRequest("")) { field, request in
      try field("text", &request.text, .text)
      try field("kind", &request.kind, .kindOrNil)
      try field("limit", &request.limit, .number())
    },
    returns: .record(SimilarRows()) { field, similar in
      try field("rows", &similar.rows, .rows)
      try field("edits", &similar.edits, .checkedNumber)
    }
  ) { similar, request throws(AnswerFault) in try similar.rows.check(limit: request.limit) }

  /// Reads the thumbnail of a row, a JPEG. The result is empty if the row has no thumbnail.
  package static let getThumbnail = CheckedMethod<RowReference, [UInt8]>(
    "LibraryProcess1.GetThumbnail", takes: .one("row", .row), returns: .one("jpeg", .jpeg))

  /// Finds probable errors in tags and playlists.
  package static let getDoubts = CheckedMethod<Void, LibraryDoubts>(
    "LibraryProcess1.GetDoubts", takes: .none, returns: .one("doubts", .doubts))

  // MARK: Songs

  /// Reads a batch of the songs of a list.
  package static let getTracks = CheckedMethod<TracksRequest, TrackBatch>(
    "LibraryProcess1.GetTracks",
    takes: .record(TracksRequest(.everything)) { field, request in
      try field("list", &request.list, .trackList)
      try field("row", &request.row, .rowOrNil)
      try field("seed", &request.seed, .seed)
      try field("first", &request.first, .number())
    }, returns: .one("tracks", .trackBatch)
  ) { batch, request throws(AnswerFault) in
    guard request.permits(batch.list) else {
      throw AnswerFault("the answer contains songs of another list")
    }
    guard batch.tracks.count <= max(0, batch.count - request.first) else {
      throw AnswerFault("\(batch.tracks.count) songs after \(request.first) of \(batch.count)")
    }
  }

  /// Finds the list after or before a list, such as the next album. Nil if there is no such list.
  package static let getNeighbour = CheckedMethod<NeighbourRequest, LibraryNode?>(
    "LibraryProcess1.GetNeighbour",
    takes: .record(NeighbourRequest(of: .artists, in: nil, isNext: true)) { field, request in
      try field("list", &request.node, .node)
      try field("parent", &request.parent, .nodeOrNil)
      try field("isNext", &request.isNext, .flag)
    }, returns: .one("list", .checkedNode))

  /// Finds the song, the album and the folder of a file. The result leaves out rows that the library does not know.
  package static let getEntries = CheckedMethod<SongReference, [RowReference]>(
    "LibraryProcess1.GetEntries",
    takes: .record(SongReference(volume: "", path: [])) { field, file in
      try field("volume", &file.volume, .text)
      try field("path", &file.path, .bytes)
    }, returns: .one("rows", .checkedRows))

  /// Finds the new paths of files of a volume that were moved.
  package static let findMoved = CheckedMethod<MovedRequest, MovedFiles>(
    "LibraryProcess1.FindMoved",
    takes: .record(MovedRequest(volume: "", paths: [])) { field, request in
      try field("volume", &request.volume, .text)
      try field("paths", &request.paths, .paths)
    },
    returns: .record(MovedFiles()) { field, moved in
      var songs = PackedTracks(moved.files.map(\.track))
      var indices = moved.files.map(\.index)
      try field("examined", &moved.examined, .checkedNumber)
      try field("places", &indices, .checkedNumbers)
      try field("volumes", &songs.volumes, .volumeNames)
      try field("tracks", &songs.tracks, .packedTracks)
      if field.isReading {
        let tracks = try songs.unpacked()
        guard tracks.count == indices.count else {
          throw AnswerFault("\(indices.count) indices for \(tracks.count) songs")
        }
        moved.files = zip(indices, tracks).map { MovedFiles.File(index: $0, track: $1) }
      }
    }
  ) { moved, request throws(AnswerFault) in
    let asked = request.paths.count
    guard moved.examined <= asked, moved.files.count <= asked,
      moved.files.allSatisfy({ $0.index < asked })
    else { throw AnswerFault("the answer contains paths that were not requested") }
  }

  /// Reads which files cannot be played. `first` is the number of files that the answer leaves out at the beginning.
  package static let getProblems = CheckedMethod<Int, [LibraryProblem]>(
    "LibraryProcess1.GetProblems", takes: .one("first", .number()),
    returns: .one("problems", .problems))
}

extension [LibraryRow] {
  /// Throws if there are more rows than the limit of the request. A limit below 1 counts as 1.
  fileprivate func check(limit: Int) throws(AnswerFault) {
    if count > Swift.max(limit, 1) { throw AnswerFault("\(count) rows, more than \(limit)") }
  }
}
