/// One ID3v2 tag, of the versions 2.2, 2.3 or 2.4 (id3.org). Lengths are checked before use, and the bytes of pictures
/// stay in the file.
struct ID3Tag {
  /// The largest number of frames that are read.
  static let maximumFrames = 4096
  /// The largest number of bytes of a frame that are read, except for pictures.
  private static let maximumFrameBytes = 4096
  /// The largest number of bytes of a picture frame that are read to find its MIME type, its description and the start
  /// of the picture.
  private static let maximumPictureHeader = 1024

  /// The limit for an unsynchronised tag (see ``UnsynchronisedByteSource``), and for all unsynchronised pictures
  /// together. There is a limit because all bytes must be read to find the zero bytes that were added.
  private static let maximumUnsynchronisedBytes: Int64 = 32 << 20

  private(set) var comments = VorbisComments()
  private(set) var pictures: [PictureReference] = []
  private(set) var damage: [DecodeError] = []

  private let header: Header
  /// Number of bytes of unsynchronised pictures that were read to find the sizes of these pictures.
  private var scannedBytes: Int64 = 0
  /// The content of the tag. Its offsets begin at 0 after the header.
  private let content: any ByteSource

  /// Reads the frames of a tag.
  init(_ source: any ByteSource, _ header: Header) throws(ByteSourceError) {
    self.header = header
    content =
      header.isUnsynchronised
      ? UnsynchronisedByteSource(source, range: header.range)
      : ByteSourcePart(source, range: header.range)
    guard let version = header.version, !header.isCompressed else { return }
    guard !header.isUnsynchronised || content.size <= Self.maximumUnsynchronisedBytes else {
      damage.append(
        DecodeError(
          .skipPacket, at: .byte(header.range.lowerBound), "the tag is too large", kind: .tooLarge))
      return
    }
    var collected = Collected()
    var offset = try header.hasExtendedHeader ? extendedHeaderBytes(version) : 0
    var count = 0
    while let frame = try frame(at: offset, version) {
      count += 1
      guard count <= Self.maximumFrames else {
        damaged("only \(Self.maximumFrames) frames are read", at: offset)
        break
      }
      let start = offset + Int64(ID3Frame.headerBytes(version))
      guard frame.size <= content.size - start else {
        damaged("the frame \(frame.id) is longer than its tag", at: offset)
        break
      }
      offset = start + frame.size
      if frame.isReadable, frame.size > frame.prefixBytes {
        try read(frame, start + frame.prefixBytes..<offset, &collected)
      }
    }
    comments = collected.comments()
  }

  private mutating func damaged(_ reason: String, at offset: Int64) {
    // In an unsynchronised tag the offset in the file is unknown, because zeros were removed.
    let position = header.range.lowerBound + (header.isUnsynchronised ? 0 : offset)
    damage.append(DecodeError(.skipPacket, at: .byte(position), reason))
  }

  private func extendedHeaderBytes(_ version: ID3Version) throws(ByteSourceError) -> Int64 {
    let bytes = try content.prefix(at: 0, count: 4)
    guard bytes.count == 4 else { return 0 }
    // The size in ID3v2.3 does not include its own four bytes.
    return version == .v3
      ? Int64(UInt32(bigEndian: bytes)) + 4 : bytes.reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
  }

  /// The frame at an offset. Nil at the end of the tag.
  private func frame(at offset: Int64, _ version: ID3Version) throws(ByteSourceError) -> ID3Frame? {
    let count = ID3Frame.headerBytes(version)
    let bytes = try content.prefix(at: offset, count: count)
    let frame = ID3Frame(bytes, version)
    guard version == .v4, frame?.size ?? 0x80 >= 0x80,
      let plain = ID3Frame(bytes, version, usesPlainSizes: true)
    else { return frame }
    // Some programs write ID3v2.4 with the sizes of ID3v2.3. A size is right if a frame or filler begins after the
    // content of this size.
    if let frame, try isBoundary(offset + Int64(count) + frame.size) { return frame }
    return try isBoundary(offset + Int64(count) + plain.size) ? plain : frame
  }

  private func isBoundary(_ offset: Int64) throws(ByteSourceError) -> Bool {
    let bytes = try content.prefix(at: offset, count: 10)
    return offset == content.size || bytes.first == 0
      || ID3Frame(bytes, .v4, usesPlainSizes: true) != nil
  }

  // MARK: Contents

  /// The texts of the frames, before the code page is known.
  private struct Collected {
    struct Value {
      let name: String
      let bytes: [UInt8]
      let encoding: UInt8
      let isCut: Bool
    }
    var values: [Value] = []
    var collector = TagCollector()

    mutating func add(_ name: String, _ bytes: ArraySlice<UInt8>, _ encoding: UInt8) {
      guard !bytes.isEmpty, collector.permits(name, valueBytes: bytes.count) else { return }
      var kept = bytes.prefix(TagCollector.maximumValueBytes)
      let isCut = kept.count < bytes.count
      if isCut, encoding == 0 || encoding == 3 {
        kept = kept.dropLast(TagCollector.partialCharacterBytes(kept))
      }
      // The bytes are copied, because a slice would keep the whole frame in memory.
      values.append(Value(name: name, bytes: Array(kept), encoding: encoding, isCut: isCut))
    }

    mutating func comments() -> VorbisComments {
      let page = CodePage.detect(values.filter { $0.encoding == 0 }.map(\.bytes))
      for value in values {
        var text = ID3Text.string(value.bytes[...], encoding: value.encoding, page)
        if value.isCut, text.last == "\u{FFFD}" { text.removeLast() }
        if value.name == "GENRE" { text = ID3Names.genre(text) }
        collector.add(value.name, text, isCut: value.isCut)
      }
      return collector.comments
    }
  }

  private mutating func read(
    _ frame: ID3Frame, _ range: Range<Int64>, _ collected: inout Collected
  ) throws(ByteSourceError) {
    switch frame.id {
    case "APIC", "PIC": try readPicture(frame, range)
    case "TXXX", "TXX", "COMM", "COM":
      let bytes = try bytes(frame, range, Self.maximumFrameBytes)
      guard let encoding = bytes.first else { return }
      // A comment begins with its language.
      let isComment = frame.id.hasPrefix("C")
      let parts = parts(bytes.dropFirst(isComment ? 4 : 1), encoding)
      guard let description = parts.first,
        let name = ID3Names.ofDescription(ID3Text.string(description, encoding: encoding, .western))
      else { return }
      // Only the comments of iTunes are read, such as iTunSMPB.
      guard !isComment || name.hasPrefix("ITUN") else { return }
      add(parts.dropFirst(), name, encoding, range, &collected)
    case "POPM", "POP":
      // The content is a name, a NUL, and the rating.
      let bytes = try bytes(frame, range, Self.maximumFrameBytes)
      guard let end = bytes.firstIndex(of: 0), end + 1 < bytes.endIndex,
        let stars = ID3Names.stars(bytes[end + 1])
      else { return }
      add([ArraySlice("\(stars)".utf8)], "RATING", 0, range, &collected)
    case "RVA2": readVolume(try bytes(frame, range, Self.maximumFrameBytes), &collected)
    default:
      guard let name = ID3Names.texts[frame.id] else { return }
      let bytes = try bytes(frame, range, Self.maximumFrameBytes)
      guard let encoding = bytes.first else { return }
      add(parts(bytes.dropFirst(), encoding)[...], name, encoding, range, &collected)
    }
  }

  /// The texts of a frame. Their number is at most one more than ``TagCollector`` keeps, so that ``TagCollector``
  /// counts that texts are left out.
  private func parts(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> [ArraySlice<UInt8>] {
    ID3Text.parts(bytes, encoding: encoding, limit: TagCollector.maximumValuesOfName + 1)
  }

  private func add(
    _ values: ArraySlice<ArraySlice<UInt8>>, _ name: String, _ encoding: UInt8,
    _ range: Range<Int64>, _ collected: inout Collected
  ) {
    for value in values { collected.add(name, value, encoding) }
    let isCut = range.count > Self.maximumFrameBytes
    if isCut, values.last?.count ?? 0 <= TagCollector.maximumValueBytes {
      collected.collector.countCutValue()
    }
  }

  private func isUnsynchronised(_ frame: ID3Frame) -> Bool {
    frame.isUnsynchronised || header.hasUnsynchronisedFrames
  }

  private func view(_ frame: ID3Frame, _ range: Range<Int64>) -> any ByteSource {
    isUnsynchronised(frame)
      ? UnsynchronisedByteSource(content, range: range) : ByteSourcePart(content, range: range)
  }

  private func bytes(_ frame: ID3Frame, _ range: Range<Int64>, _ limit: Int)
    throws(ByteSourceError) -> [UInt8]
  {
    try view(frame, range).prefix(at: 0, count: limit)
  }

  /// Reads `RVA2`: an identification, then for each channel its type, the gain in 1/512 dB, and the peak with its
  /// number of bits. Only the channel *master* is used.
  private func readVolume(_ bytes: [UInt8], _ collected: inout Collected) {
    guard let end = bytes.firstIndex(of: 0) else { return }
    let kind = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    var rest = bytes[(end + 1)...]
    while rest.count >= 4 {
      let base = rest.startIndex
      let gain = Int16(bitPattern: UInt16(rest[base + 1]) << 8 | UInt16(rest[base + 2]))
      if rest[base] == 1, kind == "track" || kind == "album" || kind.isEmpty {
        let name = kind == "album" ? "REPLAYGAIN_ALBUM_GAIN" : "REPLAYGAIN_TRACK_GAIN"
        let text = "\(Double(gain) / 512) dB"
        collected.add(name, Array(text.utf8)[...], 3)
      }
      rest = rest.dropFirst(4 + (Int(rest[base + 3]) + 7) / 8)
    }
  }

  /// Reads `APIC`: encoding, MIME type, kind, description, data. `PIC` has three characters in place of the MIME type.
  private mutating func readPicture(_ frame: ID3Frame, _ range: Range<Int64>)
    throws(ByteSourceError)
  {
    guard pictures.count < PictureReference.maximumPerStream else { return }
    let bytes = try bytes(frame, range, Self.maximumPictureHeader)
    guard let encoding = bytes.first else { return }
    var rest = bytes.dropFirst()
    let mimeType: String
    if frame.version == .v2 {
      guard rest.count >= 3 else { return }
      mimeType = rest.prefix(3).elementsEqual("PNG".utf8) ? "image/png" : "image/jpeg"
      rest = rest.dropFirst(3)
    } else {
      guard let end = rest.firstIndex(of: 0) else { return }
      mimeType = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
    }
    guard let type = rest.popFirst(), let end = ID3Text.firstZero(rest, encoding) else { return }
    let description = ID3Text.string(rest[..<end], encoding: encoding, .western)
    let start = Int64(end + ID3Text.unitBytes(encoding))
    var count = Int64(range.count)
    let first = header.range.lowerBound
    let bytesInFile = first + range.lowerBound..<first + range.upperBound
    let location: PictureReference.Location
    if isUnsynchronised(frame) {
      // The size in the tag includes the added zeros, so the bytes are counted without them.
      scannedBytes += count
      guard scannedBytes <= Self.maximumUnsynchronisedBytes else {
        return damaged("the picture is too large", at: range.lowerBound)
      }
      count = try UnsynchronisedByteSource(content, range: range).count()
      location = .unsynchronised(tag: bytesInFile, start: start)
    } else if header.isUnsynchronised {
      location = .unsynchronised(tag: header.range, start: range.lowerBound + start)
    } else {
      location = .file(bytesInFile.lowerBound + min(start, count)..<bytesInFile.upperBound)
    }
    guard count > start else { return }
    pictures.append(
      PictureReference(
        type: UInt32(type), mimeType: mimeType, description: description, width: 0, height: 0,
        byteCount: Int(count - start), location: location))
  }

  // MARK: The header

  /// The first 10 bytes of a tag.
  struct Header {
    static let bytes = 10
    /// The largest number of tags that are skipped at the start of a file.
    private static let maximumTags = 16
    let version: ID3Version?
    let flags: UInt8
    /// The content in the file, without a footer.
    let range: Range<Int64>
    /// The offset after the tag.
    let end: Int64

    /// Reads the header at `offset`. Nil if no tag begins there.
    /// - Parameter limit: the tag must not end after this offset. If nil, the limit is the end of the source.
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

    /// The tags at the start of the source. Some files have several tags.
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
