/// Reads the boxes of an MP4 file (ISO/IEC 14496-12) to find the coding of its sound. Reads only the headers of boxes
/// and the sample descriptions, and at most ``boxLimit`` boxes.
struct MP4Boxes {
  /// The largest number of boxes that are read.
  private static let boxLimit = 1000
  /// The number of bytes of a sample description that are read.
  private static let descriptionBytes = 256
  /// The number of bytes of the sample entry before its boxes.
  private static let entryBytes = 36

  /// The brands of music files and audiobooks. A file with one of these brands does not count as a film, even if it has
  /// a track of pictures.
  private static let musicBrands: Set<String> = ["M4A ", "M4B ", "M4P ", "aax ", "aaxc"]
  private static let pictureBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "mif1", "msf1", "avif", "avis",
  ]

  private struct Box {
    let type: String
    let body: Range<Int64>
  }

  private let source: any ByteSource
  private var count = 0
  private var brand = ""
  private var sound: ForeignFormat?
  private var hasVideo = false

  private init(_ source: any ByteSource) { self.source = source }

  /// The format of the file that begins at `start`.
  static func format(_ source: any ByteSource, start: Int64) throws(ByteSourceError)
    -> ForeignFormat
  {
    var boxes = MP4Boxes(source)
    try boxes.readFile(from: start)
    if boxes.hasVideo, !musicBrands.contains(boxes.brand) { return .video }
    return boxes.sound ?? (pictureBrands.contains(boxes.brand) ? .picture : .mp4)
  }

  private mutating func readFile(from start: Int64) throws(ByteSourceError) {
    var rest = start..<max(start, source.size)
    while let box = try next(&rest) {
      if box.type == "ftyp" { brand = try type(at: box.body.lowerBound, in: box.body) ?? "" }
      // The box `moov` can be the last box, after the sound.
      guard box.type == "moov" else { continue }
      var tracks = box.body
      while let track = try next(&tracks) {
        if track.type == "trak" { try readTrack(track.body) }
      }
      return
    }
  }

  private mutating func readTrack(_ track: Range<Int64>) throws(ByteSourceError) {
    guard var media = try first("mdia", in: track) else { return }
    var handler: String?
    var description: Range<Int64>?
    while let box = try next(&media) {
      // The type of the track follows the version, the flags and a word that is always 0.
      if box.type == "hdlr" { handler = try type(at: box.body.lowerBound + 8, in: box.body) }
      if box.type == "minf", let table = try first("stbl", in: box.body) {
        description = try first("stsd", in: table)
      }
    }
    switch handler {
    case "vide": hasVideo = true
    case "soun":
      let new = try description.map { (body) throws(ByteSourceError) in try coding(body) } ?? .mp4
      // The first track of sound decides. But if one of several tracks is protected, the file counts as protected.
      if sound == nil || new == .protected { sound = new }
    default: break
    }
  }

  /// The coding that a sample description states.
  private func coding(_ body: Range<Int64>) throws(ByteSourceError) -> ForeignFormat {
    // The first entry follows the version, the flags and the number of entries.
    let begin = body.lowerBound + 8
    guard begin < body.upperBound else { return .mp4 }
    let count = min(Int64(Self.descriptionBytes), body.upperBound - begin)
    let entry = try source.prefix(at: begin, count: Int(count))
    guard entry.count >= 8 else { return .mp4 }
    switch String(decoding: entry[4..<8], as: UTF8.self) {
    case "mp4a": return Self.isAAC(entry) ? .aac : .mp4
    case "alac": return .alac
    case "drms", "enca", "aavd", "adrm": return .protected
    case "ac-3": return .ac3
    case "ec-3": return .eac3
    case "dtsc", "dtsh", "dtsl", "dtse": return .dts
    case "samr", "sawb", "sawp": return .amr
    default: return .mp4
    }
  }

  /// False if the entry `mp4a` states a coding other than AAC, for example MP3.
  private static func isAAC(_ entry: [UInt8]) -> Bool {
    // The box `esds` contains descriptors with tags (ISO/IEC 14496-1). The stream descriptor (tag 3) begins with an
    // identity of two bytes and a byte of flags. The decoder configuration (tag 4) follows, and its first byte is the
    // coding.
    guard entry.count > entryBytes + 12, entry[(entryBytes + 4)...].starts(with: "esds".utf8) else {
      return true
    }
    var rest = entry[(entryBytes + 12)...]
    guard rest.popFirst() == 3 else { return true }
    skipLength(&rest)
    guard rest.dropFirst(2).first == 0 else { return true }
    rest = rest.dropFirst(3)
    guard rest.popFirst() == 4 else { return true }
    skipLength(&rest)
    return rest.first.map { [0x40, 0x66, 0x67, 0x68].contains($0) } ?? true
  }

  /// Skips a length of up to four bytes. The highest bit is set in all of these bytes except the last.
  private static func skipLength(_ rest: inout ArraySlice<UInt8>) {
    for _ in 0..<4 {
      guard let byte = rest.popFirst(), byte & 0x80 != 0 else { return }
    }
  }

  /// The body of the first box of this type in `range`.
  private mutating func first(_ type: String, in range: Range<Int64>) throws(ByteSourceError)
    -> Range<Int64>?
  {
    var rest = range
    while let box = try next(&rest) {
      if box.type == type { return box.body }
    }
    return nil
  }

  /// Returns the box at the start of `rest`, and removes the box from `rest`. If the stated size is larger than `rest`,
  /// the box ends with `rest`. Nil if no box begins there.
  private mutating func next(_ rest: inout Range<Int64>) throws(ByteSourceError) -> Box? {
    let begin = rest.lowerBound
    guard count < Self.boxLimit, rest.upperBound - begin >= 8 else { return nil }
    count += 1
    let head = try source.prefix(at: begin, count: 16)
    guard head.count >= 8 else { return nil }
    let available = UInt64(rest.upperBound - begin)
    var size = UInt64(Self.bigEndian(head[0..<4]))
    var headerBytes: UInt64 = 8
    if size == 1 {
      // The size does not fit into 32 bits. A size of 64 bits follows the type.
      guard head.count == 16, available >= 16 else { return nil }
      size = Self.bigEndian(head[8..<16])
      headerBytes = 16
    } else if size == 0 {
      size = available
    }
    guard size >= headerBytes else { return nil }
    let end = begin + Int64(min(size, available))
    rest = end..<rest.upperBound
    return Box(
      type: String(decoding: head[4..<8], as: UTF8.self), body: begin + Int64(headerBytes)..<end)
  }

  private func type(at offset: Int64, in body: Range<Int64>) throws(ByteSourceError) -> String? {
    guard body.upperBound - offset >= 4 else { return nil }
    return try source.bytes(at: offset, count: 4).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
