/// The result of reading one comment block.
struct CommentBlock {
  var comments = VorbisComments()
  /// For each `METADATA_BLOCK_PICTURE` tag, the range of its base64 text in the source of the block.
  var pictureTexts: [Range<Int64>] = []
  /// Damage of the block. The tags that were read before the damage are valid.
  var damage: [DecodeError] = []
}

/// Reads a comment block in pieces, so that a hostile block of 32 MB is never in memory as a whole.
struct CommentReader {
  /// Maximum number of tags that are read. Normal files have dozens of tags. A hostile file can have millions of empty
  /// tags, and each tag costs a read.
  static let maximumTags = 50_000

  private let range: Range<Int64>
  private var offset: Int64
  private var window: ByteWindow
  private var result = CommentBlock()

  /// - Parameter range: the block in `source`. It starts with the length of the vendor.
  static func read(_ source: any ByteSource, range: Range<Int64>) throws(ByteSourceError)
    -> CommentBlock
  {
    var reader = CommentReader(source: source, range: range)
    try reader.run()
    return reader.result
  }

  private init(source: any ByteSource, range: Range<Int64>) {
    self.range = range
    offset = range.lowerBound
    window = ByteWindow(source, range)
  }

  private mutating func run() throws(ByteSourceError) {
    guard let vendorLength = try length(of: 0, in: 0) else { return }
    result.comments.vendor = try cutText(at: offset, count: vendorLength)
    offset += vendorLength
    guard let count = try number() else { return damaged("the number of tags is cut off") }

    var collector = TagCollector()
    collector.set(vendor: result.comments.vendor)
    collector.expect(Int(count))
    defer { result.comments = collector.comments }
    for index in 0..<Int64(count) {
      guard index < Self.maximumTags else {
        damaged("only \(Self.maximumTags) of \(count) tags are read")
        break
      }
      guard let length = try length(of: index + 1, in: count) else { break }
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
    guard offset + 4 <= range.upperBound, let number = try window.number(at: offset)
    else { return nil }
    offset += 4
    return number
  }

  /// Reads the length of a tag, or of the vendor if `tag` is 0. Nil if the length is larger than the rest of the block.
  private mutating func length(
    of tag: Int64, in count: UInt32
  ) throws(ByteSourceError) -> Int64? {
    var what: String { tag == 0 ? "vendor" : "tag \(tag) of \(count)" }
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
  private mutating func name(
    at start: Int64, limit: Int64
  ) throws(ByteSourceError) -> (String, Int64)? {
    let bytes = try window.bytes(at: start, count: Int(limit))
    return bytes.withUnsafeBufferPointer { bytes in
      var count = 0
      while true {
        guard count < bytes.count else { return nil }
        if bytes[count] == UInt8(ascii: "=") { break }
        guard (0x20...0x7D).contains(bytes[count]) else { return nil }
        count += 1
      }
      guard count > 0 else { return nil }
      let name = String(unsafeUninitializedCapacity: count) { name in
        for index in 0..<count {
          let byte = bytes[index]
          name[index] = (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
        }
        return count
      }
      return (name, Int64(count))
    }
  }

  /// Reads a text. A text of more than ``TagCollector/maximumValueBytes`` is cut between two characters.
  private mutating func cutText(at start: Int64, count: Int64) throws(ByteSourceError) -> String {
    let limit = Int64(TagCollector.maximumValueBytes)
    var bytes = try window.bytes(at: start, count: Int(min(count, limit)))
    while bytes.last == 0 { bytes.removeLast() }
    return TagCollector.text(bytes, isCut: count > limit)
  }
}

/// A part of a source in memory, some kilobytes long. Many small texts are read from it.
private struct ByteWindow {
  /// Number of bytes that are loaded at once. After a seek, ``BufferedByteSource`` reads the same number from the
  /// medium.
  private static let bytes = BufferedByteSource.seekBytes

  private let source: any ByteSource
  private let range: Range<Int64>
  private var loaded: [UInt8] = []
  private var start: Int64 = 0

  init(_ source: any ByteSource, _ range: Range<Int64>) {
    self.source = source
    self.range = range
  }

  /// A number of 32 bits, little-endian. Nil if the source has fewer bytes.
  mutating func number(at offset: Int64) throws(ByteSourceError) -> UInt32? {
    let bytes = try bytes(at: offset, count: 4)
    guard bytes.count == 4 else { return nil }
    return bytes.withUnsafeBytes {
      UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))
    }
  }

  /// Up to `count` bytes; fewer at the end of the source.
  mutating func bytes(at offset: Int64, count: Int) throws(ByteSourceError) -> ArraySlice<UInt8> {
    let skipped = offset - start
    if skipped >= 0, skipped + Int64(count) <= Int64(loaded.count) {
      return loaded[Int(skipped)..<Int(skipped) + count]
    }
    let rest = max(0, min(range.upperBound, source.size) - offset)
    loaded = try source.available(at: offset, count: Int(min(rest, Int64(max(count, Self.bytes)))))
    start = offset
    if loaded.count < count, Int64(loaded.count) < rest {
      loaded = try source.prefix(at: offset, count: count)
    }
    return loaded.prefix(count)
  }
}
