/// An APEv2 tag: items with a name, and with UTF-8 texts or binary data. The tag ends with a footer of 32 bytes.
struct APETag {
  private static let footerBytes: Int64 = 32
  private static let maximumItems = 1024
  /// The largest size of a tag. Even a tag with several large pictures is smaller.
  private static let maximumBytes: Int64 = 64 << 20
  /// The largest number of bytes of a name with its NUL. The format permits 255 characters.
  private static let maximumName = 256
  /// The largest number of bytes of the file name before a picture.
  private static let maximumFileName = 1024

  private(set) var comments = VorbisComments()
  private(set) var pictures: [PictureReference] = []
  /// The first byte of the tag.
  let start: Int64

  /// Reads the tag that ends at `end`. Nil if no tag ends there.
  init?(_ source: any ByteSource, end: Int64) throws(ByteSourceError) {
    guard let footer = try source.bytes(at: end - Self.footerBytes, count: Int(Self.footerBytes)),
      footer.starts(with: "APETAGEX".utf8)
    else { return nil }
    // The size includes the footer, but not the header.
    let size = Int64(UInt32(littleEndian: footer[12...]))
    let first = end - size
    guard (Self.footerBytes...Self.maximumBytes).contains(size), first >= 0 else { return nil }
    let before = try source.bytes(at: first - Self.footerBytes, count: 8)
    let hasHeader = footer[23] & 0x80 != 0 && before?.elementsEqual("APETAGEX".utf8) ?? false
    start = first - (hasHeader ? Self.footerBytes : 0)
    let items = Int(UInt32(littleEndian: footer[16...]))
    // If a tag states a size but no items, the size can be wrong. With a wrong size, the tag could cover the sound, so
    // the tag is ignored.
    guard items > 0 || size == Self.footerBytes else { return nil }
    var collector = TagCollector()
    var offset = first
    let limit = end - Self.footerBytes
    for number in 0..<min(items, Self.maximumItems) {
      guard let item = try Item(source, at: offset, limit: limit) else {
        if number == 0 { return nil }
        break
      }
      offset = item.value.upperBound
      try read(item, source, &collector)
    }
    comments = collector.comments
  }

  private struct Item {
    let name: String
    let isText: Bool
    let value: Range<Int64>

    init?(_ source: any ByteSource, at offset: Int64, limit: Int64) throws(ByteSourceError) {
      let count = min(8 + Int64(maximumName), limit - offset)
      guard count > 9 else { return nil }
      let bytes = try source.prefix(at: offset, count: Int(count))
      guard bytes.count == Int(count), let end = bytes[8...].firstIndex(of: 0), end > 9,
        bytes[8..<end].allSatisfy({ (0x20...0x7E).contains($0) })
      else { return nil }
      name = String(decoding: bytes[8..<end], as: UTF8.self).uppercased()
      isText = bytes[4] >> 1 & 3 == 0
      let start = offset + Int64(end) + 1
      let length = Int64(UInt32(littleEndian: bytes))
      guard length <= limit - start else { return nil }
      value = start..<start + length
    }
  }

  private static let names = [
    "ALBUM ARTIST": "ALBUMARTIST", "TRACK": "TRACKNUMBER", "DISC": "DISCNUMBER", "YEAR": "DATE",
  ]

  private mutating func read(
    _ item: Item, _ source: any ByteSource, _ collector: inout TagCollector
  ) throws(ByteSourceError) {
    if item.name.hasPrefix("COVER ART") { return try readPicture(item, source) }
    guard item.isText else { return }
    let bytes = try source.prefix(
      at: item.value, TagCollector.maximumValueBytes * 4)
    let name = Self.names[item.name] ?? item.name
    for value in bytes.split(separator: 0) where collector.permits(name, valueBytes: value.count) {
      let isCut = value.count > TagCollector.maximumValueBytes
      let text = TagCollector.text(value.prefix(TagCollector.maximumValueBytes), isCut: isCut)
      collector.add(name, text, isCut: isCut)
    }
  }

  /// The item contains a file name, a NUL, and the picture.
  private mutating func readPicture(_ item: Item, _ source: any ByteSource) throws(ByteSourceError)
  {
    guard pictures.count < PictureReference.maximumPerStream else { return }
    let bytes = try source.prefix(at: item.value, Self.maximumFileName)
    guard let end = bytes.firstIndex(of: 0) else { return }
    let start = item.value.lowerBound + Int64(end) + 1
    let name = String(decoding: bytes[..<end], as: UTF8.self)
    pictures.append(
      PictureReference(
        type: item.name.hasSuffix("(FRONT)") ? 3 : item.name.hasSuffix("(BACK)") ? 4 : 0,
        mimeType: name.lowercased().hasSuffix(".png") ? "image/png" : "image/jpeg",
        description: name, width: 0, height: 0, byteCount: Int(item.value.upperBound - start),
        location: .file(start..<item.value.upperBound)))
  }
}
