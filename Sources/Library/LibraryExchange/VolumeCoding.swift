internal import EventLoop
internal import LibraryModel

/// Volumes and the state of the library on the wire between the daemon and the library.
enum VolumeCoding {
  static let volume = "(ssaysbb)"
  static let volumeReport = "(sssuuuua(su)bx)"
  static let report = "(xxa\(volumeReport))"

  static func value(of volumes: [LibraryVolume]) -> BusValue {
    .array(
      of: volume,
      volumes.map {
        .structure([
          .string($0.identity), .string($0.label), .bytes($0.path), .string($0.mount),
          .boolean($0.storesLocalTime), .boolean($0.isMedium),
        ])
      })
  }

  static func volumes(_ value: BusValue) throws(BusTypeError) -> [LibraryVolume] {
    var volumes: [LibraryVolume] = []
    for element in value.elements ?? [] {
      var fields = BodyReader(element.elements ?? [])
      volumes.append(
        LibraryVolume(
          identity: try fields.string(), label: try fields.string(), path: try fields.bytes(),
          mount: try fields.string(), storesLocalTime: try fields.boolean(),
          isMedium: try fields.boolean()))
    }
    return volumes
  }

  static func value(of report: LibraryReport) -> BusValue {
    .structure([
      .int64(report.revision), .int64(report.songsRevision),
      .array(
        of: volumeReport,
        report.volumes.map { volume in
          let (word, first, second) = words(volume.condition)
          return .structure([
            text(volume.identity), text(volume.label), .string(word), RowCoding.count(first),
            RowCoding.count(second), RowCoding.count(volume.songs),
            RowCoding.count(volume.problems), causes(volume.causes), .boolean(volume.wasCut),
            .int64(volume.folder),
          ])
        }),
    ])
  }

  static func report(_ value: BusValue) throws(BusTypeError) -> LibraryReport {
    var fields = BodyReader(value.elements ?? [])
    var report = LibraryReport(
      revision: Int64(try fields.integer()), songsRevision: Int64(try fields.integer()))
    for element in try fields.value().elements ?? [] {
      var fields = BodyReader(element.elements ?? [])
      let (identity, label) = (try fields.string(), try fields.string())
      let word = try fields.string()
      let (first, second) = (try fields.integer(), try fields.integer())
      guard let condition = condition(word, first, second) else {
        throw BusTypeError(expected: "a condition of a volume", found: word, index: 2)
      }
      var volume = VolumeReport(
        identity: identity, label: label, condition: condition, songs: try fields.integer(),
        problems: try fields.integer(), causes: try causes(try fields.value()),
        wasCut: try fields.boolean())
      volume.folder = Int64(try fields.integer())
      report.volumes.append(volume)
    }
    return report
  }

  private static func causes(_ causes: [String: Int]) -> BusValue {
    .array(
      of: "(su)",
      causes.sorted { $0.key < $1.key }.map {
        .structure([text($0.key), RowCoding.count($0.value)])
      })
  }

  private static func causes(_ value: BusValue) throws(BusTypeError) -> [String: Int] {
    var causes: [String: Int] = [:]
    for element in value.elements ?? [] {
      var fields = BodyReader(element.elements ?? [])
      let word = try fields.string()
      causes[word] = try fields.integer()
    }
    return causes
  }

  private static func text(_ text: String) -> BusValue {
    .string(BusText.harmless(text, limit: 256))
  }

  private static func words(_ condition: VolumeReport.Condition) -> (String, Int, Int) {
    switch condition {
    case .ready: ("ready", 0, 0)
    case .waiting: ("waiting", 0, 0)
    case .listing(let found): ("listing", found, 0)
    case .reading(let read, let all): ("reading", read, all)
    case .absent: ("absent", 0, 0)
    case .unreadable: ("unreadable", 0, 0)
    case .empty: ("empty", 0, 0)
    case .refused: ("refused", 0, 0)
    }
  }

  private static func condition(
    _ word: String, _ first: Int, _ second: Int
  ) -> VolumeReport.Condition? {
    switch word {
    case "ready": .ready
    case "waiting": .waiting
    case "listing": .listing(first)
    case "reading": .reading(first, of: second)
    case "absent": .absent
    case "unreadable": .unreadable
    case "empty": .empty
    case "refused": .refused
    default: nil
    }
  }
}
