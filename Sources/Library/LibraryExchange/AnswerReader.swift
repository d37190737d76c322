internal import EventLoop
internal import LibraryModel

/// Why an answer of the library is wrong. The text is a part of a log line.
struct AnswerFault: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Reads the answers and signals of the library, in which the daemon does not believe: the process of the library reads
/// the tags of strangers, and may have been taken over.
///
/// This is the only place that reads values of the library. ``CheckedMethod`` compares the signature with that of the
/// method before the first value. Each value has a range. What may be in the tags of a file is not a fault of the
/// library, so it is limited and not refused: see ``milliseconds()``.
struct AnswerReader {
  private var body: BodyReader

  /// A value whose D-Bus type was compared with that of its declaration.
  init(_ value: BusValue) { body = BodyReader([value]) }

  private init(fields: [BusValue]) { body = BodyReader(fields) }

  // MARK: Containers

  /// A structure.
  mutating func structure() throws(AnswerFault) -> AnswerReader {
    AnswerReader(fields: try value().elements ?? [])
  }

  /// An array of structures.
  mutating func structures(atMost limit: Int) throws(AnswerFault) -> [AnswerReader] {
    try elements(atMost: limit).map { AnswerReader(fields: $0.elements ?? []) }
  }

  /// An array of values, each of which has its own reader.
  mutating func fields(atMost limit: Int) throws(AnswerFault) -> [AnswerReader] {
    try elements(atMost: limit).map { AnswerReader($0) }
  }

  /// An array of numbers.
  mutating func numbers(atMost limit: Int, _ range: ClosedRange<Int>) throws(AnswerFault) -> [Int] {
    var numbers: [Int] = []
    for var field in try fields(atMost: limit) { numbers.append(try field.number(range)) }
    return numbers
  }

  /// An array of texts.
  mutating func texts(
    atMost limit: Int, bytes: Int = LibraryInterface.textBytes
  ) throws(AnswerFault) -> [String] {
    var texts: [String] = []
    for var field in try fields(atMost: limit) { texts.append(try field.text(atMost: bytes)) }
    return texts
  }

  private mutating func elements(atMost limit: Int) throws(AnswerFault) -> [BusValue] {
    let elements = try value().elements ?? []
    guard elements.count <= limit else {
      throw AnswerFault("\(elements.count) elements, more than \(limit)")
    }
    return elements
  }

  private mutating func value() throws(AnswerFault) -> BusValue {
    do throws(BusTypeError) { return try body.value() } catch { throw AnswerFault("\(error)") }
  }

  // MARK: Texts

  /// sd-bus has checked that the text is valid UTF-8.
  mutating func text(
    atMost limit: Int = LibraryInterface.textBytes
  ) throws(AnswerFault) -> String {
    let text = try value().text ?? ""
    guard text.utf8.count <= limit else {
      throw AnswerFault("a text has \(text.utf8.count) bytes, more than \(limit)")
    }
    return text
  }

  /// Nil for an empty text.
  mutating func optionalText(
    atMost limit: Int = LibraryInterface.textBytes
  ) throws(AnswerFault) -> String? {
    let text = try text(atMost: limit)
    return text.isEmpty ? nil : text
  }

  /// The identity of a volume. That of a folder has its path.
  mutating func identity() throws(AnswerFault) -> String {
    try text(atMost: LibraryInterface.identityBytes)
  }

  /// A path below a volume, as bytes. It does not lead out of the volume.
  mutating func path() throws(AnswerFault) -> [UInt8] {
    let path = try bytes(atMost: LibraryInterface.pathBytes)
    let names = path.split(separator: 0x2F, omittingEmptySubsequences: false)
    let isPlain = names.allSatisfy { !$0.isEmpty && $0 != [0x2E] && $0 != [0x2E, 0x2E] }
    guard isPlain, !path.contains(0) else {
      throw AnswerFault("a path has a name that no file can have")
    }
    return path
  }

  /// `ay`
  mutating func bytes(atMost limit: Int) throws(AnswerFault) -> [UInt8] {
    let bytes = try value().byteArray ?? []
    guard bytes.count <= limit else {
      throw AnswerFault("\(bytes.count) bytes, more than \(limit)")
    }
    return bytes
  }

  // MARK: Numbers

  mutating func flag() throws(AnswerFault) -> Bool { try value().flag ?? false }

  /// A number. Without a range: a count or a number from a tag, so that sums of several of them fit.
  mutating func number(
    _ range: ClosedRange<Int> = 0...Int(UInt32.max)
  ) throws(AnswerFault) -> Int {
    guard let number = try value().integer, range.contains(number) else {
      throw AnswerFault("a number is not in \(range.lowerBound) … \(range.upperBound)")
    }
    return number
  }

  /// The daemon adds its own revisions.
  mutating func revision() throws(AnswerFault) -> Int64 { Int64(try number(0...1 << 53)) }

  /// The id of an entry. Only the playlists of the unit have ids below 0, and the library has none of them.
  mutating func id() throws(AnswerFault) -> Int64 { Int64(try number(0...Int.max)) }

  /// The duration of a song; 0 if it is not known. A header that states more than a song can have is wrong, and so the
  /// duration is not known.
  mutating func milliseconds() throws(AnswerFault) -> Int64 {
    let number = try number(Int.min...Int.max)
    return (0...LibraryInterface.maximumMilliseconds).contains(number) ? Int64(number) : 0
  }

  /// See ``LibraryTrack/stamp``.
  mutating func stamp() throws(AnswerFault) -> UInt32 { UInt32(try number()) }

  // MARK: Names

  /// A word that stands for a value.
  mutating func word<Word: RawRepresentable<String>>(
    _ type: Word.Type
  ) throws(AnswerFault) -> Word {
    let text = try text()
    guard let word = Word(rawValue: text) else {
      throw AnswerFault("'\(text.prefix(64))' is not \(type)")
    }
    return word
  }

  /// The name of a row. The library knows no playlists of the unit.
  mutating func row() throws(AnswerFault) -> RowReference {
    let text = try text()
    guard let row = RowReference(identifier: text), row.id >= 0 else {
      throw AnswerFault("'\(text.prefix(64))' is not a row")
    }
    return row
  }

  /// The name of a list; nil for an empty text. The library knows no playlists of the unit.
  mutating func node() throws(AnswerFault) -> LibraryNode? {
    guard let text = try optionalText() else { return nil }
    switch LibraryNode(text: text) {
    case .own, nil: throw AnswerFault("'\(text.prefix(64))' is not a list")
    case let node?: return node
    }
  }
}
