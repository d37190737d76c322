internal import EventLoop
internal import LibraryModel

/// The reason why an answer of the library is wrong. The text is a part of a log line.
struct AnswerFault: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Reads the answers and signals of the library. The daemon does not trust them, because the process of the library
/// reads files from unknown sources. Such a file can exploit a bug and take over the process of the library.
///
/// All values of the library are read with this type. ``CheckedMethod`` first compares the D-Bus signature of the
/// values with the signature of the method. Each value has a permitted range. A value that is copied from a file can be
/// out of range without a fault of the library. Such a value is replaced and not refused: see ``milliseconds()``.
struct AnswerReader {
  private var body: BodyReader

  /// - Parameter value: its D-Bus type must already be checked.
  init(_ value: BusValue) { body = BodyReader([value]) }

  private init(fields: [BusValue]) { body = BodyReader(fields) }

  // MARK: Containers

  /// Reads a structure.
  mutating func structure() throws(AnswerFault) -> AnswerReader {
    AnswerReader(fields: try value().elements ?? [])
  }

  /// Reads an array of structures.
  mutating func structures(atMost limit: Int) throws(AnswerFault) -> [AnswerReader] {
    try elements(atMost: limit).map { AnswerReader(fields: $0.elements ?? []) }
  }

  /// Reads an array of values. The result contains one reader for each value.
  mutating func fields(atMost limit: Int) throws(AnswerFault) -> [AnswerReader] {
    try elements(atMost: limit).map { AnswerReader($0) }
  }

  /// Reads an array of numbers.
  mutating func numbers(atMost limit: Int, _ range: ClosedRange<Int>) throws(AnswerFault) -> [Int] {
    var numbers: [Int] = []
    for var field in try fields(atMost: limit) { numbers.append(try field.number(range)) }
    return numbers
  }

  /// Reads an array of texts.
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

  /// Reads a text. sd-bus has checked that the text is valid UTF-8.
  mutating func text(
    atMost limit: Int = LibraryInterface.textBytes
  ) throws(AnswerFault) -> String {
    let text = try value().text ?? ""
    guard text.utf8.count <= limit else {
      throw AnswerFault("a text has \(text.utf8.count) bytes, more than \(limit)")
    }
    return text
  }

  /// Reads a text. Nil if the text is empty.
  mutating func optionalText(
    atMost limit: Int = LibraryInterface.textBytes
  ) throws(AnswerFault) -> String? {
    let text = try text(atMost: limit)
    return text.isEmpty ? nil : text
  }

  /// Reads the identity of a volume. Its limit is large, because the identity of a music folder contains its path.
  mutating func identity() throws(AnswerFault) -> String {
    try text(atMost: LibraryInterface.identityBytes)
  }

  /// Reads a path below a volume, as bytes. A path that leads out of the volume is refused.
  mutating func path() throws(AnswerFault) -> [UInt8] {
    let path = try bytes(atMost: LibraryInterface.pathBytes)
    let names = path.split(separator: 0x2F, omittingEmptySubsequences: false)
    let isPlain = names.allSatisfy { !$0.isEmpty && $0 != [0x2E] && $0 != [0x2E, 0x2E] }
    guard isPlain, !path.contains(0) else {
      throw AnswerFault("a path contains an invalid file name")
    }
    return path
  }

  /// Reads a value of type `ay`.
  mutating func bytes(atMost limit: Int) throws(AnswerFault) -> [UInt8] {
    let bytes = try value().byteArray ?? []
    guard bytes.count <= limit else {
      throw AnswerFault("\(bytes.count) bytes, more than \(limit)")
    }
    return bytes
  }

  // MARK: Numbers

  mutating func flag() throws(AnswerFault) -> Bool { try value().flag ?? false }

  /// Reads a number. The default range fits a count or a number from a tag, and sums of such numbers do not overflow.
  mutating func number(
    _ range: ClosedRange<Int> = 0...Int(UInt32.max)
  ) throws(AnswerFault) -> Int {
    guard let number = try value().integer, range.contains(number) else {
      throw AnswerFault("a number is not in \(range.lowerBound) … \(range.upperBound)")
    }
    return number
  }

  /// Reads a revision. The maximum is far below `Int64.max`, because the daemon adds its own revisions to this number.
  mutating func revision() throws(AnswerFault) -> Int64 { Int64(try number(0...1 << 53)) }

  /// Reads the id of a row. Ids below 0 are refused: they belong to the unit's own playlists, which the library does
  /// not know.
  mutating func id() throws(AnswerFault) -> Int64 { Int64(try number(0...Int.max)) }

  /// Reads the duration of a song; 0 if it is not known. An impossible duration in a header counts as not known.
  mutating func milliseconds() throws(AnswerFault) -> Int64 {
    let number = try number(Int.min...Int.max)
    return (0...LibraryInterface.maximumMilliseconds).contains(number) ? Int64(number) : 0
  }

  /// Reads a number that can have any value.
  mutating func uint32() throws(AnswerFault) -> UInt32 { UInt32(try number()) }

  // MARK: Names

  /// Reads a value of an enum, which is sent as a word.
  mutating func word<Word: RawRepresentable<String>>(
    _ type: Word.Type
  ) throws(AnswerFault) -> Word {
    let text = try text()
    guard let word = Word(rawValue: text) else {
      throw AnswerFault("'\(text.prefix(64))' is not \(type)")
    }
    return word
  }

  /// Reads the identifier of a row. A playlist of the unit itself is refused, because the library does not know these
  /// playlists.
  mutating func row() throws(AnswerFault) -> RowReference {
    let text = try text()
    guard let row = RowReference(identifier: text), row.id >= 0 else {
      throw AnswerFault("'\(text.prefix(64))' is not a row")
    }
    return row
  }

  /// Reads the name of a list. Nil if the text is empty. A playlist of the unit itself is refused, because the library
  /// does not know these playlists.
  mutating func node() throws(AnswerFault) -> LibraryNode? {
    guard let text = try optionalText() else { return nil }
    switch LibraryNode(text: text) {
    case .own, nil: throw AnswerFault("'\(text.prefix(64))' is not a list")
    case let node?: return node
    }
  }
}
