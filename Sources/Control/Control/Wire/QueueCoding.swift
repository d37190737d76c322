internal import BusMethods
internal import EventLoop
internal import Reports

/// Encodes the queue as `a{sv}`.
enum QueueCoding {
  /// The identity of an entry. The item of the entry in *up next* has the same identity.
  static func identity(_ entry: Int) -> String { QueueReport.Entry.item(entry) }

  /// The number of the entry with this identity. Nil if the text is not the identity of an entry.
  static func entry(_ identity: String) -> Int? { QueueReport.Entry.number(ofItem: identity) }

  static func value(of entry: QueueReport.Entry) -> BusValue {
    var fields = WireBuilder()
    fields.add("id", .string(identity(entry.id)))
    fields.add("title", WireText.line(entry.title))
    fields.add("artist", entry.artist.map(WireText.line))
    fields.add("album", entry.album.map(WireText.line))
    fields.add("duration", entry.duration.map { .time($0) })
    fields.add("isAbsent", .boolean(entry.isAbsent))
    return fields.value
  }

  static func value(of recent: RecentReport) -> BusValue {
    var fields = WireBuilder()
    fields.add("list", WireText.line(recent.list))
    fields.add("title", WireText.line(recent.title))
    fields.add("song", WireText.line(recent.song))
    fields.add("elapsed", .time(recent.elapsed))
    fields.add("isAbsent", .boolean(recent.isAbsent))
    let heard = recent.heard.flatMap { UInt32(exactly: (min(max($0, 0), 1) * 1000).rounded()) }
    fields.add("heard", heard.map { .uint32($0) })
    return fields.value
  }

  static func value(ofRecent reports: [RecentReport]) -> BusValue {
    .list(reports.map { value(of: $0) })
  }

  static func recent(_ rows: BusValue) throws(WireError) -> [RecentReport] {
    var reports: [RecentReport] = []
    for row in (rows.elements ?? []).prefix(RecentReport.limit) {
      let fields = try WireFields(row, "rows")
      reports.append(
        RecentReport(
          list: try fields.required("list", fields.text("list")),
          title: try fields.text("title") ?? "", song: try fields.text("song") ?? "",
          elapsed: try fields.duration("elapsed") ?? .zero,
          isAbsent: try fields.flag("isAbsent") ?? false,
          heard: try fields.integer("heard").map { Double(min(max($0, 0), 1000)) / 1000 }))
    }
    return reports
  }

  static func value(of report: QueueReport) -> BusValue {
    var fields = WireBuilder()
    func add(_ name: String, _ number: Int) {
      fields.add(name, .uint32(UInt32(clamping: number)))
    }
    add("count", report.count)
    add("absent", report.absent)
    add("first", report.first)
    if let position = report.position { add("position", position) }
    if !report.list.isEmpty { fields.add("list", WireText.line(report.list)) }
    if !report.title.isEmpty { fields.add("title", WireText.line(report.title)) }
    fields.add("isShuffled", .boolean(report.isShuffled))
    fields.add("canUndo", .boolean(report.canUndo))
    return fields.value
  }

  /// Reads all properties of a report except the revision and the entries.
  static func read(_ value: BusValue, into report: inout QueueReport) throws(WireError) {
    let fields = try WireFields(value, "queue")
    report.count = try fields.integer("count") ?? 0
    report.absent = try fields.integer("absent") ?? 0
    report.first = try fields.integer("first") ?? 0
    report.position = try fields.integer("position")
    report.list = try fields.text("list") ?? ""
    report.title = try fields.text("title") ?? ""
    report.isShuffled = try fields.flag("isShuffled") ?? false
    report.canUndo = try fields.flag("canUndo") ?? false
  }

  static func value(ofEntries entries: [QueueReport.Entry]) -> BusValue {
    .list(entries.map { value(of: $0) })
  }

  static func entries(_ rows: BusValue) throws(WireError) -> [QueueReport.Entry] {
    var entries: [QueueReport.Entry] = []
    for row in (rows.elements ?? []).prefix(QueueReport.limit) {
      entries.append(try entry(try WireFields(row, "rows")))
    }
    return entries
  }

  private static func entry(_ fields: WireFields) throws(WireError) -> QueueReport.Entry {
    let identity = try fields.required("id", fields.text("id"))
    guard let id = entry(identity) else {
      throw WireError("id", "'\(identity)' is not an identity of an entry")
    }
    var entry = QueueReport.Entry(
      id: id, title: try fields.required("title", fields.text("title")))
    entry.artist = try fields.text("artist")
    entry.album = try fields.text("album")
    entry.duration = try fields.duration("duration")
    entry.isAbsent = try fields.flag("isAbsent") ?? false
    return entry
  }
}
