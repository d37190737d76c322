import EventLoop

@testable import LibraryExchange

/// Correct answers and signals of the library. Tests and the fuzz target change single values.
enum LibrarySamples {
  static func row(
    _ kind: String = "album", id: Int64 = 1, title: String = "a", milliseconds: Int64 = 1
  ) -> BusValue {
    .structure([
      .string(kind), .int64(id), .string(title), .string(""), .string(""), .boolean(false),
      .uint32(1), .int64(milliseconds), .uint32(1), .uint32(1), .uint32(1999), .boolean(false),
      .string(""),
    ])
  }
  static func rows(_ rows: [BusValue]) -> BusValue { .array(of: RowCoding.row, rows) }
  static func batch(
    _ rows: [BusValue] = [row()], next: String = "", previous: String = ""
  ) -> [BusValue] {
    [
      .structure([
        Self.rows(rows), .string(next), .string(previous), .uint32(9), .uint32(1),
      ])
    ]
  }
  static func track(
    _ path: [UInt8] = Array("a/b".utf8), volume: UInt32 = 0, title: String = "a",
    milliseconds: Int64 = 1
  ) -> BusValue {
    .structure([
      .uint32(volume), .bytes(path), .string(title), .string(""), .string(""),
      .int64(milliseconds), .uint32(.max), .uint32(.max),
    ])
  }
  static func tracks(
    _ tracks: [BusValue] = [track()], list: String = "songs", revision: Int64 = 1,
    count: UInt32 = 1, chosen: UInt32 = 0
  ) -> [BusValue] {
    [
      .structure([
        .string(list), .string("a"), .int64(revision), .uint32(count), .uint32(chosen),
        .strings(["v"]), .array(of: TrackCoding.track, tracks),
      ])
    ]
  }
  static func moved(
    _ tracks: [BusValue] = [track()], examined: UInt32 = 2, indices: [UInt32] = [1]
  ) -> [BusValue] {
    [
      .uint32(examined), .array(of: "u", indices.map { .uint32($0) }), .strings(["v"]),
      .array(of: TrackCoding.track, tracks),
    ]
  }
  static func problems(_ path: [UInt8] = Array("a/b".utf8)) -> [BusValue] {
    [
      .array(
        of: TrackCoding.problem,
        [.structure([.string("v"), .bytes(path), .string("bad"), .string("other")])])
    ]
  }
  static func doubts(_ kinds: [String] = ["sortNames"], examples: Int = 1) -> [BusValue] {
    let example = BusValue.structure([.string("a"), .string("b")])
    return [
      .array(
        of: "(sua(ss))",
        kinds.map {
          .structure([
            .string($0), .uint32(1),
            .array(of: "(ss)", Array(repeating: example, count: examples)),
          ])
        })
    ]
  }
  static func letters(_ count: Int, _ heading: String = "A") -> [BusValue] {
    let group = BusValue.structure([.string(heading), .uint32(1)])
    return [.array(of: "(su)", Array(repeating: group, count: count))]
  }
  static func report(
    revision: Int64 = 1, songsRevision: Int64 = 1, condition: String = "ready", songs: UInt32 = 1,
    folder: Int64 = 1, volumes: Int = 1, harmfulFiles: Int = 1
  ) -> [BusValue] {
    let volume = BusValue.structure([
      .string("v"), .string("V"), .string(condition), .uint32(0), .uint32(0), .uint32(songs),
      .uint32(0), .array(of: "(su)", [.structure([.string("other"), .uint32(1)])]),
      .boolean(false), .int64(folder),
    ])
    let harmful = BusValue.structure([.string("v"), .string("a.m3u"), .boolean(true)])
    return [
      .structure([
        .int64(revision), .int64(songsRevision),
        .array(of: VolumeCoding.volumeReport, Array(repeating: volume, count: volumes)),
        .array(of: VolumeCoding.harmfulFile, Array(repeating: harmful, count: harmfulFiles)),
        .boolean(false),
      ])
    ]
  }

  static let good: [String: [BusValue]] = [
    "GetPage": batch(), "GetLetters": letters(2), "Search": [rows([row()]), .strings(["album"])],
    "FindSimilar": [rows([row()]), .uint32(1)], "GetTracks": tracks(),
    "GetNeighbour": [.string("album:2")], "GetEntries": [.strings(["song:1", "album:2"])],
    "FindMoved": moved(), "GetProblems": problems(), "GetDoubts": doubts(),
    "GetThumbnail": [.bytes([0xFF, 0xD8, 0xFF])],
  ]
}
