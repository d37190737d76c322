internal import EventLoop
internal import LibraryModel

/// The songs of a list on the wire between the daemon and the library. An empty text stands for a fact that is
/// not known.
enum TrackCoding {
  /// The list, its title, the revision, the number of songs, the place of the chosen song, the identities of volumes, and
  /// the songs.
  static let page = "(ssxuuasa\(track))"
  /// The place of the volume in the list of volumes, the path, title, artist, album, milliseconds, stamp.
  static let track = "(uaysssxu)"

  /// The volume, the path, the reason, the word for the cause.
  static let problem = "(sayss)"

  /// Maximum number of songs or files in an answer. Each needs more than 28 bytes.
  private static let maximumSongs = 2000

  static func value(of problems: [LibraryProblem]) -> BusValue {
    .array(
      of: problem,
      problems.map {
        .structure([
          .string($0.volume), .bytes($0.path), RowCoding.text($0.reason), .string($0.cause),
        ])
      })
  }

  static func problems(_ answer: inout AnswerReader) throws(AnswerFault) -> [LibraryProblem] {
    var problems: [LibraryProblem] = []
    for var fields in try answer.structures(atMost: maximumSongs) {
      problems.append(
        LibraryProblem(
          volume: try fields.identity(), path: try fields.path(), reason: try fields.text(),
          cause: try fields.text()))
    }
    return problems
  }

  // MARK: Requests

  static func values(of request: TracksRequest) -> [BusValue] {
    [
      .string(request.list.text), .string(request.row?.identifier ?? ""),
      .uint64(request.seed), RowCoding.count(request.first),
    ]
  }

  static func request(_ arguments: inout BodyReader) throws -> TracksRequest {
    guard let list = TrackList(text: try arguments.string()) else {
      throw LibraryFailure.unknownNode
    }
    var request = TracksRequest(list)
    let row = try arguments.string()
    if !row.isEmpty {
      guard let reference = RowReference(identifier: row) else { throw LibraryFailure.unknownNode }
      request.row = reference
    }
    request.seed = UInt64(truncatingIfNeeded: try arguments.integer())
    request.first = try arguments.integer()
    return request
  }

  // MARK: Pages

  static func value(of page: TracksPage) -> BusValue {
    let (volumes, tracks) = values(of: page.tracks)
    return .structure([
      .string(page.list.text), RowCoding.text(page.title), .int64(page.revision),
      RowCoding.count(page.count), RowCoding.count(page.chosen), volumes, tracks,
    ])
  }

  static func page(
    _ answer: inout AnswerReader, of request: TracksRequest
  ) throws(AnswerFault) -> TracksPage {
    var fields = try answer.structure()
    // A row with a list of its own stands for this list.
    let list = request.row?.node.map { .node($0) } ?? request.list
    guard try fields.text(atMost: Int.max) == list.text else {
      throw AnswerFault("the songs are those of another list")
    }
    var page = TracksPage(list)
    page.title = try fields.text()
    page.revision = try fields.revision()
    page.count = try fields.number(0...TracksRequest.maximumTracks)
    page.chosen = try fields.number(0...max(0, page.count - 1))
    page.tracks = try tracks(&fields, atMost: max(0, page.count - request.first))
    return page
  }

  // MARK: Songs

  /// The identities of the volumes, and the songs.
  private static func values(of tracks: [LibraryTrack]) -> (volumes: BusValue, tracks: BusValue) {
    var places: [String: Int] = [:]
    var volumes: [String] = []
    let values = tracks.map { track -> BusValue in
      let place =
        places[track.volume]
        ?? {
          places[track.volume] = volumes.count
          volumes.append(track.volume)
          return volumes.count - 1
        }()
      return .structure([
        RowCoding.count(place), .bytes(track.path), RowCoding.text(track.title),
        RowCoding.text(track.artist), RowCoding.text(track.album), .int64(track.milliseconds),
        .uint32(track.stamp),
      ])
    }
    return (.strings(volumes), .array(of: track, values))
  }

  private static func tracks(
    _ fields: inout AnswerReader, atMost limit: Int
  ) throws(AnswerFault) -> [LibraryTrack] {
    let volumes = try fields.texts(
      atMost: LibraryInterface.maximumVolumes, bytes: LibraryInterface.identityBytes)
    var tracks: [LibraryTrack] = []
    for var fields in try fields.structures(atMost: limit) {
      let place = try fields.number()
      guard volumes.indices.contains(place) else {
        throw AnswerFault("a song is on volume \(place) of \(volumes.count)")
      }
      tracks.append(
        LibraryTrack(
          volume: volumes[place], path: try fields.path(), title: try fields.text(),
          artist: try fields.optionalText(), album: try fields.optionalText(),
          milliseconds: try fields.milliseconds(), stamp: try fields.stamp()))
    }
    return tracks
  }

  /// The rows of a file: the song, its album, its folder.
  static func entries(_ answer: inout AnswerReader) throws(AnswerFault) -> [RowReference] {
    var entries: [RowReference] = []
    for var entry in try answer.fields(atMost: LibraryRow.Kind.allCases.count) {
      entries.append(try entry.row())
    }
    return entries
  }

  // MARK: Moved files

  static func value(of paths: [[UInt8]]) -> BusValue {
    .array(of: "ay", paths.map { .bytes($0) })
  }

  static func paths(_ value: BusValue) throws(BusTypeError) -> [[UInt8]] {
    var fields = BodyReader(value.elements ?? [])
    var paths: [[UInt8]] = []
    for _ in value.elements ?? [] { paths.append(try fields.bytes()) }
    return paths
  }

  static func values(of moved: MovedFiles) -> [BusValue] {
    let (volumes, tracks) = values(of: moved.files.map(\.track))
    return [
      RowCoding.count(moved.examined),
      .array(of: "u", moved.files.map { RowCoding.count($0.place) }), volumes, tracks,
    ]
  }

  /// - Parameter asked: the number of paths in the request.
  static func moved(
    _ answer: inout AnswerReader, asked: Int
  ) throws(AnswerFault) -> MovedFiles {
    var moved = MovedFiles()
    moved.examined = try answer.number(0...asked)
    let places = try answer.numbers(atMost: asked, 0...max(0, asked - 1))
    let tracks = try tracks(&answer, atMost: places.count)
    guard tracks.count == places.count else {
      throw AnswerFault("\(places.count) places for \(tracks.count) songs")
    }
    moved.files = zip(places, tracks).map { MovedFiles.File(place: $0, track: $1) }
    return moved
  }
}
