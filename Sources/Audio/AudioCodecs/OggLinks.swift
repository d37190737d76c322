/// One link of a chained Ogg file (RFC 3533, section 4): a stretch with streams of its own.
struct OggLink {
  /// What the stream that will be played is.
  enum Codec: Equatable {
    case vorbis
    case flac
    case other(String)
  }

  /// From its first page to the next link's first.
  var range: Range<Int64>
  let codec: Codec
  let serial: Int32
  /// Every stream of the link has one.
  let serials: Set<Int32>
  /// Behind the pages that begin its streams.
  let contentStart: Int64
}

/// Finds the links of an Ogg file by bisection: a chain of radio songs is understood without
/// reading it whole, and each link is then played by itself, so that memory holds one at a time.
struct OggLinks {
  /// Beyond this many, later links are found only as they are reached.
  static let maximumLinks = 1000
  /// How far a file's first page may be from its start.
  static let maximumJunk: Int64 = 64 * 1024
  /// Multiplexed streams beyond this many are not looked at.
  private static let maximumStreams = 64

  private(set) var links: [OggLink] = []
  /// The last page of the last link carries the end flag.
  private(set) var endsProperly = true

  private let source: any ByteSource
  private let reader: OggPageReader
  /// Behind the last page. libvorbisfile takes ages to look for it behind megabytes of junk.
  private(set) var end: Int64

  /// Finds those from `start` to `end`, or to the end of the file.
  init(_ source: any ByteSource, start: Int64, end: Int64? = nil) throws(DecodeError) {
    self.source = source
    let end = end ?? source.size
    self.end = end
    reader = OggPageReader(source, range: start..<end)
    do {
      try discover(from: start)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
  }

  private mutating func discover(from start: Int64) throws(ByteSourceError) {
    let last = try OggPageReader.lastPage(source, range: start..<end)
    endsProperly = last?.endsStream ?? false
    if let last { end = last.offset + Int64(last.length) }
    var offset = start
    while offset < end, links.count < Self.maximumLinks,
      let link = try Self.link(at: offset, source: source, end: end)
    {
      links.append(link)
      guard let last else { return }
      var search = OggBoundarySearch(reader, after: link, last: last)
      guard let next = try search.run() else { return }
      links[links.count - 1].range = link.range.lowerBound..<next
      offset = next
    }
  }

  /// Reads the first pages of a link, which all begin a stream.
  static func link(at offset: Int64, source: any ByteSource, end: Int64) throws(ByteSourceError)
    -> OggLink?
  {
    let reader = OggPageReader(source, range: offset..<end)
    var first: Int64?
    var contentStart = offset
    var chosen: (codec: OggLink.Codec, serial: Int32)?
    var serials: Set<Int32> = []
    while let page = try reader.next(before: (first ?? offset) + maximumJunk) {
      guard page.beginsStream else {
        // Pages of a link that was cut off may come before the first whole one.
        if first == nil { continue } else { break }
      }
      first = first ?? page.offset
      contentStart = page.offset + Int64(page.length)
      guard serials.count < maximumStreams else { break }
      serials.insert(page.serial)
      let codec = codec(reader.body)
      if case .other = codec, chosen != nil { continue }
      if case .other? = chosen?.codec { chosen = nil }
      chosen = chosen ?? (codec, page.serial)
    }
    guard let first, let chosen else { return nil }
    return OggLink(
      range: first..<end, codec: chosen.codec, serial: chosen.serial, serials: serials,
      contentStart: contentStart)
  }

  private static func codec(_ body: UnsafeBufferPointer<UInt8>) -> OggLink.Codec {
    func starts(_ text: StaticString) -> Bool {
      text.withUTF8Buffer { $0.count <= body.count && $0.elementsEqual(body.prefix($0.count)) }
    }
    if starts("\u{1}vorbis") { return .vorbis }
    if starts("\u{7F}FLAC") { return .flac }
    if starts("OpusHead") { return .other("Opus") }
    if starts("Speex") { return .other("Speex") }
    if starts("\u{80}theora") { return .other("Theora video") }
    if starts("fishead") { return .other("Skeleton") }
    return .other("an unknown codec")
  }
}
