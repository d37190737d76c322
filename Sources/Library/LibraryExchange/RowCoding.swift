internal import EventLoop
internal import LibraryModel

/// Pages, rows and headings on the wire between the daemon and the library. An empty text stands for a fact
/// that is not known.
enum RowCoding {
  static let row = "(sxsssbuxuuubs)"
  /// The rows, the cursors of the next and of the previous page, the number of rows of the list, the number
  /// of the first row.
  static let page = "(a\(row)ssuu)"
  static let letters = "a(su)"

  // MARK: Writing

  static func value(of row: LibraryRow) -> BusValue {
    .structure([
      .string(row.kind.rawValue), .int64(row.id), text(row.title), text(row.artist),
      text(row.detail), .boolean(row.isVarious), count(row.count), .int64(row.milliseconds),
      count(row.disc), count(row.number), count(row.year), .boolean(row.isAbsent),
      text(row.artwork),
    ])
  }

  static func value(of rows: [LibraryRow]) -> BusValue {
    .array(of: row, rows.map { value(of: $0) })
  }

  static func value(of page: LibraryPage) -> BusValue {
    .structure([
      value(of: page.rows), .string(page.next ?? ""), .string(page.previous ?? ""),
      count(page.count), count(page.position),
    ])
  }

  static func value(of groups: [LetterGroup]) -> BusValue {
    .array(of: "(su)", groups.map { .structure([.string($0.heading), count($0.count)]) })
  }

  /// The size of rows on the wire, or a little more.
  static func bytes(of rows: [LibraryRow]) -> Int {
    rows.reduce(0) { sum, row in
      sum + 128
        + [row.title, row.artist, row.detail].reduce(0) {
          $0 + min($1?.utf8.count ?? 0, LibraryInterface.textBytes)
        }
    }
  }

  static func text(_ text: String?) -> BusValue {
    .string(BusText.harmless(text ?? "", limit: LibraryInterface.textBytes))
  }

  static func count(_ count: Int) -> BusValue { .uint32(UInt32(clamping: count)) }

  // MARK: Reading

  static func row(_ value: BusValue) throws(BusTypeError) -> LibraryRow {
    var fields = BodyReader(value.elements ?? [])
    let word = try fields.string()
    guard let kind = LibraryRow.Kind(rawValue: word) else {
      throw BusTypeError(expected: "a kind of row", found: word, index: 0)
    }
    var row = LibraryRow(kind: kind, id: Int64(try fields.integer()), title: try fields.string())
    row.artist = optional(try fields.string())
    row.detail = optional(try fields.string())
    row.isVarious = try fields.boolean()
    row.count = try fields.integer()
    row.milliseconds = Int64(try fields.integer())
    row.disc = try fields.integer()
    row.number = try fields.integer()
    row.year = try fields.integer()
    row.isAbsent = try fields.boolean()
    row.artwork = optional(try fields.string())
    return row
  }

  static func rows(_ value: BusValue) throws(BusTypeError) -> [LibraryRow] {
    var rows: [LibraryRow] = []
    for element in value.elements ?? [] { rows.append(try row(element)) }
    return rows
  }

  static func page(_ value: BusValue) throws(BusTypeError) -> LibraryPage {
    var fields = BodyReader(value.elements ?? [])
    var page = LibraryPage()
    page.rows = try rows(try fields.value())
    page.next = optional(try fields.string())
    page.previous = optional(try fields.string())
    page.count = try fields.integer()
    page.position = try fields.integer()
    return page
  }

  static func groups(_ value: BusValue) throws(BusTypeError) -> [LetterGroup] {
    var groups: [LetterGroup] = []
    for element in value.elements ?? [] {
      var fields = BodyReader(element.elements ?? [])
      groups.append(LetterGroup(heading: try fields.string(), count: try fields.integer()))
    }
    return groups
  }

  static func optional(_ text: String) -> String? { text.isEmpty ? nil : text }
}
