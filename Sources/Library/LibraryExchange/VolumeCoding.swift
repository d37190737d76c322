internal import EventLoop
internal import LibraryModel

/// The encoding of volumes and of the state of the library on the wire between the daemon and the library.
enum VolumeCoding {
  static let volume = "(ssaysbb)"
  static let volumeReport = "(sssuuuua(su)bx)"
  static let harmfulFile = "(ssb)"
  static let report = "(xxa\(volumeReport)a\(harmfulFile)b)"

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
      .array(
        of: harmfulFile,
        report.harmfulFiles.prefix(LibraryReport.maximumHarmfulFiles).map {
          .structure([text($0.volume), text($0.path), .boolean($0.isExcluded)])
        }),
      .boolean(report.isInMemory),
    ])
  }

  static func report(_ answer: inout AnswerReader) throws(AnswerFault) -> LibraryReport {
    var fields = try answer.structure()
    var report = LibraryReport(
      revision: try fields.revision(), songsRevision: try fields.revision())
    for var fields in try fields.structures(atMost: LibraryInterface.maximumVolumes) {
      let (identity, label) = (try fields.identity(), try fields.text())
      let word = try fields.text()
      let (first, second) = (try fields.number(), try fields.number())
      guard let condition = condition(word, first, second) else {
        throw AnswerFault("'\(word.prefix(64))' is not a condition of a volume")
      }
      var volume = VolumeReport(
        identity: identity, label: label, condition: condition, songs: try fields.number(),
        problems: try fields.number(), causes: try causes(&fields), wasCut: try fields.flag())
      volume.folder = try fields.id()
      report.volumes.append(volume)
    }
    for var fields in try fields.structures(atMost: LibraryReport.maximumHarmfulFiles) {
      report.harmfulFiles.append(
        HarmfulFileReport(
          volume: try fields.identity(), path: try fields.text(), isExcluded: try fields.flag()))
    }
    report.isInMemory = try fields.flag()
    return report
  }

  private static func causes(_ causes: [String: Int]) -> BusValue {
    .array(
      of: "(su)",
      causes.sorted { $0.key < $1.key }.map {
        .structure([text($0.key), RowCoding.count($0.value)])
      })
  }

  private static func causes(
    _ fields: inout AnswerReader
  ) throws(AnswerFault) -> [String: Int] {
    var causes: [String: Int] = [:]
    for var fields in try fields.structures(atMost: LibraryInterface.maximumCauses) {
      causes[try fields.text()] = try fields.number()
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
