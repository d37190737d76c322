internal import EventLoop
internal import LibraryModel

/// The encoding of songs and files on the wire between the daemon and the library. An empty text stands for nil.
enum TrackCoding {
  /// The list; its title; the revision; the number of songs in the list; the index of the chosen song; the identities
  /// of volumes; the songs of the batch.
  static let batch = "(ssxuuasa\(track))"
  /// The index in the identities of volumes; the path; the title; the artist; the album; the milliseconds; the stamp;
  /// the number in the album.
  static let track = "(uaysssxuu)"

  /// The volume; the path; the reason; the word for the cause.
  static let problem = "(sayss)"

  /// Maximum number of songs or files in an answer. More do not fit, because each needs more than 28 bytes.
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

  // MARK: Batches

  static func value(of batch: TrackBatch) -> BusValue {
    let songs = PackedTracks(batch.tracks)
    return .structure([
      .string(batch.list.text), RowCoding.text(batch.title), .int64(batch.revision),
      RowCoding.count(batch.count), RowCoding.count(batch.chosen), .strings(songs.volumes),
      value(of: songs.tracks),
    ])
  }

  static func batch(_ answer: inout AnswerReader) throws(AnswerFault) -> TrackBatch {
    var fields = try answer.structure()
    guard let list = TrackList(text: try fields.text(atMost: Int.max)) else {
      throw AnswerFault("the answer does not name a valid list")
    }
    var batch = TrackBatch(list)
    batch.title = try fields.text()
    batch.revision = try fields.revision()
    batch.count = try fields.number(0...TracksRequest.maximumTracks)
    batch.chosen = try fields.number(0...max(0, batch.count - 1))
    var songs = PackedTracks([])
    songs.volumes = try volumes(&fields)
    songs.tracks = try tracks(&fields)
    batch.tracks = try songs.unpacked()
    return batch
  }

  // MARK: Songs

  static func value(of tracks: [PackedTracks.Track]) -> BusValue {
    .array(
      of: track,
      tracks.map {
        .structure([
          RowCoding.count($0.volume), .bytes($0.track.reference.path),
          RowCoding.text($0.track.title),
          RowCoding.text($0.track.artist), RowCoding.text($0.track.album),
          .int64($0.track.milliseconds), .uint32($0.track.stamp),
          .uint32($0.track.numberInAlbum),
        ])
      })
  }

  static func volumes(_ answer: inout AnswerReader) throws(AnswerFault) -> [String] {
    try answer.texts(
      atMost: LibraryInterface.maximumVolumes, bytes: LibraryInterface.identityBytes)
  }

  static func tracks(_ answer: inout AnswerReader) throws(AnswerFault) -> [PackedTracks.Track] {
    var tracks: [PackedTracks.Track] = []
    for var fields in try answer.structures(atMost: maximumSongs) {
      tracks.append(
        PackedTracks.Track(
          volume: try fields.number(),
          track: LibraryTrack(
            SongReference(volume: "", path: try fields.path()), title: try fields.text(),
            artist: try fields.optionalText(), album: try fields.optionalText(),
            milliseconds: try fields.milliseconds(), stamp: try fields.uint32(),
            numberInAlbum: try fields.uint32())))
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
}

/// Songs on the wire. Most songs of a list are on the same volume, so each song has only the index of its volume.
struct PackedTracks {
  struct Track {
    /// The index in ``PackedTracks/volumes``.
    let volume: Int
    /// The song. In a received song, the volume in the reference is empty.
    var track: LibraryTrack
  }

  /// The identities of the volumes.
  var volumes: [String] = []
  var tracks: [Track] = []

  init(_ songs: [LibraryTrack]) {
    var indices: [String: Int] = [:]
    for song in songs {
      let volume = song.reference.volume
      let index = indices[volume] ?? volumes.count
      if index == volumes.count {
        indices[volume] = index
        volumes.append(volume)
      }
      tracks.append(Track(volume: index, track: song))
    }
  }

  func unpacked() throws(AnswerFault) -> [LibraryTrack] {
    var songs: [LibraryTrack] = []
    for packed in tracks {
      guard volumes.indices.contains(packed.volume) else {
        throw AnswerFault("a song is on volume \(packed.volume) of \(volumes.count)")
      }
      var song = packed.track
      song.reference.volume = volumes[packed.volume]
      songs.append(song)
    }
    return songs
  }
}
