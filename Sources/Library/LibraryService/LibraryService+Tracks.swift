internal import LibraryDatabase
internal import LibraryExchange
package import LibraryModel
internal import NameKeys
internal import SQLite

/// A cache of the songs of the last requested list, because a client requests a long list in batches.
struct SongsOfList {
  /// The values on which ``ids`` depends.
  struct Origin: Equatable {
    var list: TrackList
    var row: RowReference?
    var seed: UInt64
    var revision: Int64
    var generation: Int
    var presentVolumes: Int64
  }

  var origin: Origin?
  var ids: [Int64] = []
  var batch = TrackBatch(.node(.songs))
}

extension LibraryService {
  /// A batch of the songs of a list, in the order in which they play.
  package func tracks(_ request: TracksRequest, maximumBytes: Int) throws -> TrackBatch {
    let query = try Self.query(request.list)
    return try ask { reader throws(DatabaseError) in
      let origin = SongsOfList.Origin(
        list: request.list, row: request.row, seed: request.seed,
        revision: try reader.revision, generation: generation,
        presentVolumes: reader.presentVolumes)
      if songs.origin != origin {
        songs = try Self.songs(request, query, reader)
        songs.origin = origin
        songs.batch.revision = origin.revision
      }
      var batch = songs.batch
      let first = min(max(request.first, 0), songs.ids.count)
      (batch.tracks, _) = try reader.tracks(songs.ids[first...], maximumBytes: maximumBytes)
      return batch
    }
  }

  private static func query(_ list: TrackList) throws -> SearchQuery? {
    let query: SearchQuery? =
      switch list {
      case .node, .rowAlone, .everything: nil
      case .words(let words): SearchQuery(text: words)
      case .keys(let keys): SearchQuery(keys: keys)
      }
    switch list {
    case .words where query == nil, .keys where query == nil: throw LibraryFailure.noQuery
    default: return query
    }
  }

  private static func songs(
    _ request: TracksRequest, _ query: SearchQuery?, _ reader: LibraryReader
  ) throws(DatabaseError) -> SongsOfList {
    var songs = SongsOfList()
    // If the row has its own list, this list is requested. A song of a search plays as if it was chosen in its album.
    var node = request.row?.node
    if query != nil, let row = request.row, row.kind == .song {
      node = try reader.home(ofSong: SongRowID(row.id).song)
    }
    let list = node.map { TrackList.node($0) } ?? request.list
    songs.batch = TrackBatch(list)
    songs.batch.title = try title(of: list, reader)
    var ids: [Int64] = []
    if let query, list.node == nil {
      ids = try reader.tracks(found: query)
    } else if let node = list.node {
      ids = try reader.tracks(of: node)
    } else if list == .everything {
      ids = try reader.tracksOfPresentVolumes()
    }
    if let row = request.row, row.kind == .song {
      let chosen = SongRowID(row.id)
      let found = ids.indices.filter { ids[$0] == chosen.song }
      // If the list has changed since the row was shown, the list can contain the song fewer times. Then its last
      // occurrence is chosen. If the list does not contain the song any more, only this song plays.
      if let index = found.prefix(chosen.earlier + 1).last {
        songs.batch.chosen = index
      } else {
        ids = [chosen.song]
      }
    }
    let window = TrackWindow(
      count: ids.count, chosen: songs.batch.chosen, limit: TracksRequest.maximumTracks)
    if ids.count > TracksRequest.maximumTracks, request.seed != 0 {
      ids = window.random(of: ids, seed: request.seed)
      songs.batch.chosen = 0
    } else {
      ids = Array(ids[window.range])
      songs.batch.chosen = window.chosen
    }
    songs.ids = ids
    songs.batch.count = ids.count
    return songs
  }

  private static func title(
    of list: TrackList, _ reader: LibraryReader
  ) throws(DatabaseError) -> String {
    switch list {
    case .words(let words): return words
    case .keys, .rowAlone, .everything: return ""
    case .node(let node):
      guard let row = node.row else { return "" }
      return try reader.row(row.kind, row.id)?.title ?? ""
    }
  }
}

extension LibraryService {
  /// The rows whose names are most similar to a text.
  package func similar(_ request: SimilarRequest) throws -> SimilarRows {
    guard SearchQuery(text: request.text) != nil else { throw LibraryFailure.noQuery }
    return try ask { reader throws(DatabaseError) in
      var found = try reader.similar(
        to: request.text, kinds: request.kinds, limit: request.limit)
      try addArtwork(to: &found.rows, reader)
      return found
    }
  }

  /// The list after or before `node` in the list `parent`. Nil if there is no such list.
  package func neighbour(
    of node: LibraryNode, in parent: LibraryNode?, isNext: Bool
  ) throws -> LibraryNode? {
    try ask { reader throws(DatabaseError) in
      try reader.neighbour(of: node, in: parent, isNext: isNext)
    }
  }

  /// The new paths of files that were moved. The answer has at most `maximumBytes`.
  package func moved(
    _ paths: [[UInt8]], on volume: String, maximumBytes: Int
  ) throws -> MovedFiles {
    try ask { reader throws(DatabaseError) in
      try reader.moved(paths, on: volume, maximumBytes: maximumBytes)
    }
  }

  /// The song, the album and the folder of a file. Rows that the library does not know are left out.
  package func entries(ofFile path: [UInt8], on volume: String) throws -> [RowReference] {
    try ask { reader throws(DatabaseError) in try reader.entries(ofFile: path, on: volume) }
  }

  /// Files that cannot be played, without the first `first` files. The answer has at most `maximumBytes`.
  package func problems(first: Int, maximumBytes: Int) throws -> [LibraryProblem] {
    try ask { reader throws(DatabaseError) in
      try reader.problems(first: first, maximumBytes: maximumBytes)
    }
  }
}

extension LibraryService {
  /// Probable errors in tags and playlists.
  package func doubts() throws -> LibraryDoubts {
    try ask { reader throws(DatabaseError) in try reader.doubts() }
  }
}

extension TrackList {
  var node: LibraryNode? { if case .node(let node) = self { node } else { nil } }
}

/// The songs that are selected from a list, because the queue has a limit.
struct TrackWindow {
  let range: Range<Int>
  /// The index of the chosen song, counted from the start of ``range``.
  let chosen: Int
  private let limit: Int

  /// Selects the songs around the chosen song. Most of them are after the chosen song, because they will play.
  init(count: Int, chosen: Int, limit: Int) {
    let start = max(0, min(chosen - limit / 10, count - limit))
    range = start..<min(count, start + limit)
    self.chosen = chosen - start
    self.limit = limit
  }

  /// Selects random songs, and keeps the order of the list. The same seed gives the same songs.
  func random(of ids: [Int64], seed: UInt64) -> [Int64] {
    var state = seed
    var taken: [Int64] = []
    var missing = min(limit, ids.count)
    // Selection sampling: each song is selected with the probability `missing / rest`.
    for (index, id) in ids.enumerated() where missing > 0 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let rest = UInt64(ids.count - index)
      if (state >> 33) % rest < UInt64(missing) {
        taken.append(id)
        missing -= 1
      }
    }
    return taken
  }
}
