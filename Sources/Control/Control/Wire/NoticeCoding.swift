internal import BusMethods
internal import EventLoop
internal import Reports

/// Encodes a notice about files that cannot be played as an `a{sv}`.
enum NoticeCoding {
  /// The maximum number of formats that are read.
  private static let formatLimit = 64

  static func value(of notice: UnitNotice) -> BusValue {
    let files = notice.files ?? UnplayableFormats(count: 0, formats: [])
    var fields = WireBuilder()
    fields.add("medium", WireText.line(notice.about))
    fields.add("count", .uint32(UInt32(clamping: files.count)))
    fields.add("formats", .strings(files.formats))
    return fields.value
  }

  static func notice(_ value: BusValue) throws(WireError) -> UnitNotice {
    let fields = try WireFields(value, "files")
    let count = try fields.required("count", fields.integer("count"))
    let formats = try fields.texts("formats") ?? []
    return UnitNotice(
      .filesUnplayable, about: try fields.text("medium") ?? "",
      files: UnplayableFormats(
        count: max(0, count), formats: Array(formats.prefix(formatLimit))))
  }
}
