/// Vorbis comments: the tags of FLAC (RFC 9639, section 8.6) and Ogg Vorbis (Vorbis I
/// specification, section 5). The same name may occur several times. Upper and lower case are equal
/// in names.
public struct VorbisComments: Equatable, Sendable {
  /// One `NAME=value`.
  public struct Entry: Equatable, Sendable {
    /// The name in upper-case ASCII.
    public let name: String
    /// The value, read as UTF-8. Invalid bytes are replaced by U+FFFD. The value may contain any
    /// character. A surface that draws the value removes the characters that would disturb the
    /// display.
    public let value: String

    /// Stores the name and the value unchanged.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The software that wrote the file.
  public var vendor = ""
  /// The tags in the order of the file.
  public var entries: [Entry] = []
  /// Number of values that were cut or left out, because they exceed a limit.
  public var cutValues = 0

  /// No tags.
  public init() {}

  /// The first value of `name` that is not empty.
  public func first(_ name: String) -> String? {
    entries.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of `name` that are not empty, in order.
  public func all(_ name: String) -> [String] {
    entries.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }
}

/// The result of reading one comment block.
struct CommentBlock {
  var comments = VorbisComments()
  /// For each `METADATA_BLOCK_PICTURE` tag, the range of its base64 text in the source of the
  /// block.
  var pictureTexts: [Range<Int64>] = []
  /// Damage of the block. The tags that were read before the damage are valid.
  var damage: [DecodeError] = []
}

/// Reads a comment block in pieces, so that a hostile block of 32 MB is never in memory as a whole.
struct CommentReader {
  /// Maximum number of tags that are read. Normal files have dozens of tags. A hostile file may
  /// have millions of empty tags, and each tag costs a read.
  static let maximumTags = 50_000

  private let source: any ByteSource
  private let range: Range<Int64>
  private var offset: Int64
  private var result = CommentBlock()

  /// - Parameter range: the block in `source`, starting at the vendor's length.
  static func read(_ source: any ByteSource, range: Range<Int64>) throws(ByteSourceError)
    -> CommentBlock
  {
    var reader = CommentReader(source: source, range: range)
    try reader.run()
    return reader.result
  }

  private init(source: any ByteSource, range: Range<Int64>) {
    self.source = source
    self.range = range
    offset = range.lowerBound
  }

  private mutating func run() throws(ByteSourceError) {
    guard let vendorLength = try length("vendor") else { return }
    result.comments.vendor = try cutText(at: offset, count: vendorLength)
    offset += vendorLength
    guard let count = try number() else { return damaged("the number of tags is cut off") }

    var collector = TagCollector()
    collector.set(vendor: result.comments.vendor)
    defer { result.comments = collector.comments }
    for index in 0..<Int64(count) {
      guard index < Self.maximumTags else {
        damaged("only \(Self.maximumTags) of \(count) tags are read")
        break
      }
      guard let length = try length("tag \(index + 1) of \(count)") else { break }
      let start = offset
      offset += length
      guard
        let (name, nameLength) = try name(
          at: start, limit: min(length, Int64(TagCollector.maximumNameBytes)))
      else { continue }
      let valueStart = start + nameLength + 1
      let valueLength = length - nameLength - 1
      if name == "METADATA_BLOCK_PICTURE" {
        if result.pictureTexts.count < PictureReference.maximumPerStream {
          result.pictureTexts.append(valueStart..<valueStart + valueLength)
        }
        continue
      }
      guard collector.permits(name, valueBytes: Int(clamping: valueLength)) else { continue }
      let value = try cutText(at: valueStart, count: valueLength)
      collector.add(name, value, isCut: valueLength > TagCollector.maximumValueBytes)
    }
  }

  private mutating func damaged(_ reason: String) {
    result.damage.append(DecodeError(.skipPacket, at: .byte(offset), reason))
  }

  private mutating func number() throws(ByteSourceError) -> UInt32? {
    guard offset + 4 <= range.upperBound, let bytes = try source.bytes(at: offset, count: 4)
    else { return nil }
    offset += 4
    return UInt32(littleEndian: bytes)
  }

  /// Reads a length. Nil if the length is larger than the rest of the block.
  private mutating func length(_ what: String) throws(ByteSourceError) -> Int64? {
    guard let length = try number() else {
      damaged("\(what) is cut off")
      return nil
    }
    guard Int64(length) <= range.upperBound - offset else {
      damaged("\(what) claims \(length) bytes, \(range.upperBound - offset) are left")
      return nil
    }
    return Int64(length)
  }

  /// The name before `=` in upper case, and the length of the name. Nil if the data is not a tag.
  private func name(at start: Int64, limit: Int64) throws(ByteSourceError) -> (String, Int64)? {
    let bytes = try source.prefix(at: start, count: Int(limit))
    guard let end = bytes.firstIndex(of: UInt8(ascii: "=")), end > 0 else { return nil }
    var name: [UInt8] = []
    for byte in bytes[..<end] {
      guard (0x20...0x7D).contains(byte) else { return nil }
      name.append((0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
    }
    return (String(decoding: name, as: UTF8.self), Int64(end))
  }

  /// Reads a text. A text of more than ``TagCollector/maximumValueBytes`` is cut between two
  /// characters.
  private func cutText(at start: Int64, count: Int64) throws(ByteSourceError) -> String {
    let limit = Int64(TagCollector.maximumValueBytes)
    var bytes = try source.prefix(at: start, count: Int(min(count, limit)))
    while bytes.last == 0 { bytes.removeLast() }
    return TagCollector.text(bytes[...], isCut: count > limit)
  }
}

extension UInt32 {
  init(littleEndian bytes: some Collection<UInt8>) {
    self = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  init(bigEndian bytes: some Collection<UInt8>) {
    self = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
