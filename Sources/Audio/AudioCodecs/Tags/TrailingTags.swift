/// The tags at the end of an MPEG file: ID3v1 in the last 128 bytes, and before it APEv2, Lyrics3 or ID3v2.4 with a
/// footer.
struct TrailingTags {
  /// Number of bytes at the end of the source that are loaded with one read.
  private static let tailBytes: Int64 = 4096
  /// The largest number of tags before ID3v1.
  private static let maximumTags = 4

  /// The end of the sound, at which the first of these tags begins.
  private(set) var start: Int64
  private(set) var comments = VorbisComments()
  private(set) var pictures: [PictureReference] = []

  /// Reads the tags. Damaged tags are not read.
  /// - Parameters:
  ///   - source: should be a ``BufferedByteSource``, because the reads are small.
  ///   - bound: the start of the sound. Data that begins before `bound` is not a tag.
  init(_ source: any ByteSource, after bound: Int64) throws(ByteSourceError) {
    start = source.size
    // This read loads the usual tags, so the following reads do not need the medium.
    _ = try source.prefix(at: max(bound, source.size - Self.tailBytes), count: 1)
    let old = try ID3v1(source)
    if old != nil { start -= ID3v1.bytes }
    for _ in 0..<Self.maximumTags {
      if let tag = try APETag(source, end: start), tag.start >= bound {
        start = tag.start
        comments.addMissing(tag.comments)
        pictures += tag.pictures
      } else if let begin = try Self.lyricsStart(source, end: start), begin >= bound {
        start = begin
      } else if let header = try Self.id3Header(source, end: start),
        header.range.lowerBound >= bound
      {
        start = header.range.lowerBound - Int64(ID3Tag.Header.bytes)
        let tag = try ID3Tag(source, header)
        comments.addMissing(tag.comments)
        pictures += tag.pictures
      } else {
        break
      }
    }
    // The texts of ID3v1 are cut after 30 bytes, so the other tags have priority.
    if let old { comments.addMissing(old.comments) }
    start = max(start, bound)
  }

  /// True if one of the tags at the end of a file begins at `offset`.
  static func isStart(_ source: any ByteSource, _ offset: Int64) throws(ByteSourceError) -> Bool {
    let bytes = try source.prefix(at: offset, count: lyricsBegin.utf8.count)
    return ["TAG", "ID3", "APETAGEX", lyricsBegin].contains { bytes.starts(with: $0.utf8) }
  }

  private static let lyricsBegin = "LYRICSBEGIN"

  /// The start of a Lyrics3 tag (version 2) that ends at `end`. The tag begins with `LYRICSBEGIN`. It ends with six
  /// digits and the name `LYRICS200`. The digits are the size of the tag without the digits and without `LYRICS200`.
  private static func lyricsStart(_ source: any ByteSource, end: Int64) throws(ByteSourceError)
    -> Int64?
  {
    guard let bytes = try source.bytes(at: end - 15, count: 15),
      bytes[6...].elementsEqual("LYRICS200".utf8),
      let size = Int64(String(decoding: bytes[..<6], as: UTF8.self)), size >= 0,
      let begin = try source.bytes(at: end - 15 - size, count: lyricsBegin.utf8.count),
      begin.elementsEqual(lyricsBegin.utf8)
    else { return nil }
    return end - 15 - size
  }

  /// The header of an ID3v2.4 tag whose footer ends at `end`. The footer is a copy of the header with the name `3DI`.
  private static func id3Header(_ source: any ByteSource, end: Int64) throws(ByteSourceError)
    -> ID3Tag.Header?
  {
    let count = Int64(ID3Tag.Header.bytes)
    guard let bytes = try source.bytes(at: end - count, count: Int(count)),
      bytes.starts(with: "3DI".utf8), bytes[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = bytes[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    guard let header = try ID3Tag.Header(source, at: end - size - 2 * count, limit: end),
      header.end == end
    else { return nil }
    return header
  }
}

extension VorbisComments {
  /// Adds the tags of `other` whose names are missing here.
  mutating func addMissing(_ other: VorbisComments) {
    let names = Set(entries.map(\.name))
    entries += other.entries.filter { !names.contains($0.name) }
    cutValues += other.cutValues
  }
}
