/// Finds the end of tags that begin at a known offset, without reading their contents.
enum TagSize {
  private static let apeHeaderBytes: Int64 = 32
  /// The largest number of consecutive tags.
  private static let maximumTags = 4

  /// The end of all consecutive tags that begin at `offset`. If no tag begins there, the result is `offset`.
  static func end(ofTagsAt offset: Int64, _ source: any ByteSource) throws(ByteSourceError) -> Int64
  {
    var end = offset
    for _ in 0..<maximumTags {
      guard let next = try Self.end(ofTagAt: end, source) else { break }
      end = next
    }
    return end
  }

  /// The end of the ID3v1, ID3v2 or APE tag that begins at `offset`. Nil if no tag begins there. The end can be wrong,
  /// because data can begin like a tag by chance.
  static func end(ofTagAt offset: Int64, _ source: any ByteSource) throws(ByteSourceError) -> Int64?
  {
    let head = try source.prefix(at: offset, count: 16)
    if head.starts(with: "TAG".utf8) { return offset + ID3v1.bytes }
    if head.starts(with: "ID3".utf8) { return try ID3Tag.Header(source, at: offset)?.end }
    guard head.count == 16, head.starts(with: "APETAGEX".utf8) else { return nil }
    // The size includes the footer, but not this header.
    return offset + apeHeaderBytes + Int64(UInt32(littleEndian: head[12...]))
  }
}
