internal import EventLoop
internal import LibraryModel

/// The encoding of batches, rows and headings between the daemon and the library. An empty text stands for nil.
enum RowCoding {
  static let row = "(sxsssbuxuuubs)"
  /// The rows; the cursors of the next and of the previous batch; the number of rows of the list; the position of the
  /// first row.
  static let batch = "(a\(row)ssuu)"

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

  static func value(of batch: RowBatch) -> BusValue {
    .structure([
      value(of: batch.rows), .string(batch.next ?? ""), .string(batch.previous ?? ""),
      count(batch.count), count(batch.position),
    ])
  }

  static func value(of groups: [LetterGroup]) -> BusValue {
    .array(
      of: "(su)",
      groups.prefix(LibraryInterface.maximumHeadings).map {
        .structure([.string($0.heading), count($0.count)])
      })
  }

  /// An upper bound for the size of rows on the wire.
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

  private static func row(_ fields: inout AnswerReader) throws(AnswerFault) -> LibraryRow {
    var row = LibraryRow(
      kind: try fields.word(LibraryRow.Kind.self), id: try fields.id(), title: try fields.text())
    row.artist = try fields.optionalText()
    row.detail = try fields.optionalText()
    row.isVarious = try fields.flag()
    row.count = try fields.number()
    row.milliseconds = try fields.milliseconds()
    row.disc = try fields.number()
    row.number = try fields.number()
    row.year = try fields.number()
    row.isAbsent = try fields.flag()
    row.artwork = try fields.optionalText()
    return row
  }

  static func rows(_ answer: inout AnswerReader) throws(AnswerFault) -> [LibraryRow] {
    var rows: [LibraryRow] = []
    for var fields in try answer.structures(atMost: LibraryInterface.maximumRows) {
      rows.append(try row(&fields))
    }
    return rows
  }

  static func batch(_ answer: inout AnswerReader) throws(AnswerFault) -> RowBatch {
    var fields = try answer.structure()
    var batch = RowBatch()
    batch.rows = try rows(&fields)
    batch.next = try fields.optionalText(atMost: LibraryInterface.cursorBytes)
    batch.previous = try fields.optionalText(atMost: LibraryInterface.cursorBytes)
    batch.count = try fields.number()
    batch.position = try fields.number()
    return batch
  }

  static func groups(_ answer: inout AnswerReader) throws(AnswerFault) -> [LetterGroup] {
    var groups: [LetterGroup] = []
    for var fields in try answer.structures(atMost: LibraryInterface.maximumHeadings) {
      groups.append(
        LetterGroup(
          heading: try fields.text(atMost: LibraryInterface.headingBytes),
          count: try fields.number()))
    }
    return groups
  }

  /// A thumbnail as JPEG. Empty if the row has no thumbnail.
  static func thumbnail(_ answer: inout AnswerReader) throws(AnswerFault) -> [UInt8] {
    let jpeg = try answer.bytes(atMost: LibraryInterface.thumbnailBytes)
    guard jpeg.isEmpty || jpeg.starts(with: [0xFF, 0xD8]) else {
      throw AnswerFault("a thumbnail is not a JPEG")
    }
    return jpeg
  }

  /// The kinds of which a search has more rows than it returns.
  static func kinds(_ answer: inout AnswerReader) throws(AnswerFault) -> Set<LibraryRow.Kind> {
    Set(
      try answer.texts(atMost: LibraryRow.Kind.allCases.count)
        .compactMap { LibraryRow.Kind(rawValue: $0) })
  }
}
