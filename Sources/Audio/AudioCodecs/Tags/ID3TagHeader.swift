extension ID3Tag {
  /// The first 10 bytes of a tag.
  struct Header {
    static let bytes = 10
    /// The largest number of tags that are passed at the start of a file.
    private static let maximumTags = 16
    let version: ID3Version?
    let flags: UInt8
    /// The content in the file, without a footer.
    let range: Range<Int64>
    /// The offset after the tag.
    let end: Int64

    /// Nil if no tag begins at `offset`.
    /// - Parameter limit: the tag must end before this offset. Nil for the end of the source.
    init?(_ source: any ByteSource, at offset: Int64, limit: Int64? = nil) throws(ByteSourceError) {
      guard let bytes = try source.bytes(at: offset, count: Self.bytes),
        bytes.starts(with: "ID3".utf8), bytes[3] < 0xFF, bytes[4] < 0xFF,
        bytes[6...9].allSatisfy({ $0 < 0x80 })
      else { return nil }
      version = ID3Version(rawValue: bytes[3])
      flags = bytes[5]
      let length = bytes[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
      let start = offset + Int64(Self.bytes)
      guard start + length <= min(limit ?? .max, source.size) else { return nil }
      range = start..<start + length
      let hasFooter = flags & 0x10 != 0 && bytes[3] >= 4
      end = range.upperBound + (hasFooter ? Int64(Self.bytes) : 0)
    }

    /// The tags at the start of the source. Some files have several.
    static func all(_ source: any ByteSource) throws(ByteSourceError) -> [Self] {
      var headers: [Self] = []
      while headers.count < maximumTags, let header = try Self(source, at: headers.last?.end ?? 0),
        header.end <= source.size
      {
        headers.append(header)
      }
      return headers
    }

    private var hasUnsynchronisation: Bool { flags & 0x80 != 0 }
    /// In ID3v2.2 and ID3v2.3 the whole content is unsynchronised.
    var isUnsynchronised: Bool { hasUnsynchronisation && version != .v4 }
    /// In ID3v2.4 the content of each frame is unsynchronised.
    var hasUnsynchronisedFrames: Bool { hasUnsynchronisation && version == .v4 }
    var hasExtendedHeader: Bool { flags & 0x40 != 0 && version != .v2 }
    /// ID3v2.2 has a flag for a compression that was never defined.
    var isCompressed: Bool { flags & 0x40 != 0 && version == .v2 }
  }
}
