internal import BusMethods
internal import EventLoop
internal import LibraryModel

/// Encodes the library as `a{sv}`: its state, its volumes, and the rows of its lists.
enum LibraryCoding {
  // MARK: Rows

  static func value(of row: LibraryRow) -> BusValue {
    var fields = WireBuilder()
    fields.add("id", .string(row.identifier))
    fields.add("kind", .string(row.kind.rawValue))
    fields.add("title", WireText.line(row.title))
    fields.add("artist", row.artist.map(WireText.line))
    if row.kind == .problem {
      fields.add("reason", row.detail.map(WireText.line))
    } else {
      fields.add("album", row.detail.map(WireText.line))
    }
    if row.isVarious { fields.add("isVarious", .boolean(true)) }
    func add(_ name: String, _ number: Int) {
      if number > 0 { fields.add(name, .uint32(UInt32(clamping: number))) }
    }
    add("count", row.count)
    if row.milliseconds > 0 { fields.add("duration", .time(.milliseconds(row.milliseconds))) }
    fields.add("place", row.bookmark.map { .time(.milliseconds($0)) })
    add("disc", row.disc)
    add("number", row.number)
    add("year", row.year)
    fields.add("artwork", row.artwork.map(WireText.word))
    fields.add("isBrowsable", .boolean(row.node != nil))
    fields.add("isPlayable", .boolean(row.isPlayable))
    fields.add("isAbsent", .boolean(row.isAbsent))
    if row.isCurrent { fields.add("isCurrent", .boolean(true)) }
    return fields.value
  }

  static func row(_ fields: WireFields) throws(WireError) -> LibraryRow {
    let id = try fields.required("id", fields.text("id"))
    guard let reference = RowReference(identifier: id) else {
      throw WireError("id", "'\(id)' is not an identity of a row")
    }
    let kind = reference.kind
    var row = LibraryRow(
      kind: kind, id: reference.id, title: try fields.required("title", fields.text("title")))
    row.artist = try fields.text("artist")
    row.detail = try fields.text(kind == .problem ? "reason" : "album")
    row.isVarious = try fields.flag("isVarious") ?? false
    row.count = try fields.integer("count") ?? 0
    row.milliseconds = try fields.milliseconds("duration") ?? 0
    row.bookmark = try fields.milliseconds("place")
    row.disc = try fields.integer("disc") ?? 0
    row.number = try fields.integer("number") ?? 0
    row.year = try fields.integer("year") ?? 0
    row.isAbsent = try fields.flag("isAbsent") ?? false
    row.isCurrent = try fields.flag("isCurrent") ?? false
    row.artwork = try fields.text("artwork")
    return row
  }

  static func value(ofRows rows: [LibraryRow]) -> BusValue { .list(rows.map { value(of: $0) }) }

  static func rows(_ value: BusValue) throws(WireError) -> [LibraryRow] {
    var rows: [LibraryRow] = []
    for element in (value.elements ?? []).prefix(1000) {
      rows.append(try row(try WireFields(element, "rows")))
    }
    return rows
  }

  static func value(of groups: [LetterGroup]) -> BusValue {
    .array(
      of: "(su)",
      groups.map { .structure([.string($0.heading), .uint32(UInt32(clamping: $0.count))]) })
  }

  static func groups(_ value: BusValue) -> [LetterGroup] {
    (value.elements ?? []).prefix(1000).compactMap { group in
      guard let fields = group.elements, fields.count == 2, let heading = fields[0].text else {
        return nil
      }
      return LetterGroup(heading: heading, count: fields[1].integer ?? 0)
    }
  }

  // MARK: The state

  static func value(of state: LibraryState) -> BusValue {
    var fields = WireBuilder()
    fields.add("revision", .count(Int(clamping: state.revision)))
    switch state.condition {
    case .unavailable: fields.add("condition", .string("unavailable"))
    case .ready: fields.add("condition", .string("ready"))
    case .scanning(let read, let all):
      fields.add("condition", .string("scanning"))
      fields.add("read", .uint32(UInt32(clamping: read)))
      fields.add("files", .uint32(UInt32(clamping: all)))
    }
    fields.add("songs", .uint32(UInt32(clamping: state.songs)))
    return fields.value
  }

  /// The maximum number of causes of problems that are sent or read for one volume.
  private static let causeLimit = 32

  static func value(ofVolumes volumes: [VolumeState]) -> BusValue {
    .list(volumes.map { value(of: $0) })
  }

  private static func value(of volume: VolumeState) -> BusValue {
    var fields = WireBuilder()
    fields.add("id", WireText.word(volume.report.identity))
    fields.add("kind", .string(volume.kind.rawValue))
    fields.add("name", WireText.word(volume.report.label))
    fields.add("path", volume.path.map(WireText.identity))
    let (word, read, files) = words(volume.report.condition)
    let hasFailed = volume.kind == .app && volume.report.condition == .unreadable
    fields.add("condition", .string(hasFailed ? "failed" : word))
    fields.add("read", read.map { .uint32(UInt32(clamping: $0)) })
    fields.add("files", files.map { .uint32(UInt32(clamping: $0)) })
    fields.add("songs", .uint32(UInt32(clamping: volume.report.songs)))
    fields.add("problems", .uint32(UInt32(clamping: volume.report.problems)))
    let causes = volume.report.causes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !causes.isEmpty {
      fields.add(
        "causes",
        .array(
          of: "(su)",
          causes.prefix(causeLimit).map {
            .structure([WireText.word($0.key), .uint32(UInt32(clamping: $0.value))])
          }))
    }
    fields.add("wasCut", .boolean(volume.report.wasCut))
    fields.add("plays", .boolean(volume.plays))
    if volume.kind == .phone {
      fields.add("app", volume.app.map(WireText.word))
    }
    fields.add("reason", volume.reason.map(WireText.identity))
    fields.add("remedy", volume.remedy.map(WireText.identity))
    return fields.value
  }

  private static func words(_ condition: VolumeReport.Condition) -> (String, Int?, Int?) {
    switch condition {
    case .ready: ("ready", nil, nil)
    case .waiting: ("waiting", nil, nil)
    case .listing(let files): ("listing", nil, files)
    case .reading(let read, let files): ("reading", read, files)
    case .absent: ("absent", nil, nil)
    case .unreadable: ("unreadable", nil, nil)
    case .empty: ("empty", nil, nil)
    case .refused: ("refused", nil, nil)
    }
  }

  static func state(_ value: BusValue) throws(WireError) -> LibraryState {
    let fields = try WireFields(value, "")
    var state = LibraryState()
    state.revision = Int64(clamping: try fields.integer("revision") ?? 0)
    switch try fields.required("condition", fields.text("condition")) {
    case "ready": state.condition = .ready
    case "scanning":
      state.condition = .scanning(
        try fields.integer("read") ?? 0, of: try fields.integer("files") ?? 0)
    default: state.condition = .unavailable
    }
    return state
  }

  static func volumes(_ value: BusValue) throws(WireError) -> [VolumeState] {
    var volumes: [VolumeState] = []
    for element in (value.elements ?? []).prefix(100) {
      volumes.append(try volume(try WireFields(element, "sources")))
    }
    return volumes
  }

  private static func volume(_ fields: WireFields) throws(WireError) -> VolumeState {
    let (read, files) = (try fields.integer("read") ?? 0, try fields.integer("files") ?? 0)
    let condition: VolumeReport.Condition =
      switch try fields.required("condition", fields.text("condition")) {
      case "ready": .ready
      case "waiting": .waiting
      case "listing": .listing(files)
      case "reading": .reading(read, of: files)
      case "absent": .absent
      case "empty": .empty
      case "refused": .refused
      default: .unreadable
      }
    var report = VolumeReport(
      identity: try fields.required("id", fields.text("id")),
      label: try fields.required("name", fields.text("name")), condition: condition,
      songs: try fields.integer("songs") ?? 0, problems: try fields.integer("problems") ?? 0,
      wasCut: try fields.flag("wasCut") ?? false)
    for cause in fields.value("causes")?.elements?.prefix(causeLimit) ?? [] {
      guard let parts = cause.elements, parts.count == 2, let word = parts[0].text else { continue }
      report.causes[word] = parts[1].integer ?? 0
    }
    var volume = VolumeState(
      kind: try fields.text("kind").flatMap { VolumeState.Kind(rawValue: $0) } ?? .folder,
      report: report, path: try fields.text("path"))
    volume.plays = try fields.flag("plays") ?? false
    volume.app = try fields.text("app")
    volume.reason = try fields.text("reason")
    volume.remedy = try fields.text("remedy")
    return volume
  }
}

extension LibraryCoding {
  static func value(of doubts: LibraryDoubts) -> BusValue {
    .array(
      of: "(sua(ss))",
      doubts.parts.map { part in
        .structure([
          .string(part.kind.rawValue), .uint32(UInt32(clamping: part.count)),
          .array(
            of: "(ss)",
            part.examples.map { .structure([WireText.line($0.name), WireText.line($0.detail)]) }),
        ])
      })
  }

  /// Decodes doubts. A part whose kind is unknown to this program is left out.
  static func doubts(_ value: BusValue) -> LibraryDoubts {
    LibraryDoubts(
      (value.elements ?? []).prefix(100).compactMap { part in
        guard let fields = part.elements, fields.count == 3,
          let kind = fields[0].text.flatMap({ LibraryDoubts.Kind(rawValue: $0) })
        else { return nil }
        let examples = (fields[2].elements ?? []).prefix(LibraryDoubts.maximumExamples)
        return LibraryDoubts.Part(
          kind, count: fields[1].integer ?? 0,
          examples: examples.compactMap { example in
            guard let texts = example.elements, texts.count == 2, let name = texts[0].text else {
              return nil
            }
            return .init(name: name, detail: texts[1].text ?? "")
          })
      })
  }
}
