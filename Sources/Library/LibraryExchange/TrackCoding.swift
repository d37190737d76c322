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

  static func value(of problems: [LibraryProblem]) -> BusValue {
    .array(
      of: problem,
      problems.map {
        .structure([
          .string($0.volume), .bytes($0.path), RowCoding.text($0.reason), .string($0.cause),
        ])
      })
  }

  static func problems(_ value: BusValue) throws(BusTypeError) -> [LibraryProblem] {
    var problems: [LibraryProblem] = []
    for element in value.elements ?? [] {
      var fields = BodyReader(element.elements ?? [])
      problems.append(
        LibraryProblem(
          volume: try fields.string(), path: try fields.bytes(), reason: try fields.string(),
          cause: try fields.string()))
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

  static func page(_ value: BusValue) throws(BusTypeError) -> TracksPage {
    var fields = BodyReader(value.elements ?? [])
    let name = try fields.string()
    guard let list = TrackList(text: name) else {
      throw BusTypeError(expected: "the name of a list", found: name, index: 0)
    }
    var page = TracksPage(list)
    page.title = try fields.string()
    page.revision = Int64(try fields.integer())
    page.count = try fields.integer()
    page.chosen = try fields.integer()
    page.tracks = try tracks(&fields)
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

  private static func tracks(_ fields: inout BodyReader) throws(BusTypeError) -> [LibraryTrack] {
    let volumes = try fields.strings()
    var tracks: [LibraryTrack] = []
    for element in try fields.value().elements ?? [] {
      var fields = BodyReader(element.elements ?? [])
      let place = try fields.integer()
      guard volumes.indices.contains(place) else {
        throw BusTypeError(expected: "the place of a volume", found: "\(place)", index: 0)
      }
      tracks.append(
        LibraryTrack(
          volume: volumes[place], path: try fields.bytes(), title: try fields.string(),
          artist: RowCoding.optional(try fields.string()),
          album: RowCoding.optional(try fields.string()),
          milliseconds: Int64(try fields.integer()),
          stamp: UInt32(truncatingIfNeeded: try fields.integer())))
    }
    return tracks
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

  static func moved(_ body: inout BodyReader) throws(BusTypeError) -> MovedFiles {
    var moved = MovedFiles()
    moved.examined = try body.integer()
    let elements = try body.value().elements ?? []
    var numbers = BodyReader(elements)
    var places: [Int] = []
    for _ in elements { places.append(try numbers.integer()) }
    moved.files = zip(places, try tracks(&body)).map { MovedFiles.File(place: $0, track: $1) }
    return moved
  }
}
