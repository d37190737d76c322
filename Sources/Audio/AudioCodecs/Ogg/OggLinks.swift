/// One link of a chained Ogg file (RFC 3533, section 4): a part with its own streams.
struct OggLink {
  /// The content of the stream that was chosen for playback.
  enum Content {
    case codec(any OggCodec.Type)
    /// A codec that cannot be played. The value is its name for messages.
    case other(String)
  }

  /// From the link's first page to the first page of the next link.
  var range: Range<Int64>
  let content: Content
  let serial: Int32
  /// The serial numbers of all streams of the link.
  let serials: Set<Int32>
  /// The end of the pages with which the streams of the link begin.
  let contentStart: Int64

  /// Nil if the stream cannot be played.
  var codec: (any OggCodec.Type)? { if case .codec(let codec) = content { codec } else { nil } }
}

/// Finds the links of an Ogg file by bisection, so that a long chain (such as recorded radio) does not have to be read
/// completely. Each link is then played separately, so only one link is in memory.
struct OggLinks {
  /// The largest number of links that are found at once. Further links are found only when playback reaches them.
  static let maximumLinks = 1000
  /// The first page of a file must begin within this number of bytes from the start.
  static let maximumJunk: Int64 = 64 * 1024
  /// The largest number of multiplexed streams that are examined.
  private static let maximumStreams = 64

  private(set) var links: [OggLink] = []
  /// True if the last page of the last link has the end flag.
  private(set) var hasLastPage = true

  private let source: any ByteSource
  private let reader: OggPageReader
  /// The end of the last page. Data after this page is left out. If megabytes of other data followed the last page,
  /// libvorbisfile would need very long to find this page.
  private(set) var end: Int64

  /// Finds the links from `start` to `end`, or to the end of the file if `end` is nil.
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
    hasLastPage = last?.endsStream ?? false
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

  /// The first link that can be played. Usually this is the first link of the file. Then only the first pages are read.
  /// - Throws: ``DecodeError/Reaction/refuseFile``; the text names the codec.
  static func firstPlayable(_ source: any ByteSource, start: Int64) throws(DecodeError)
    -> (link: OggLink, codec: any OggCodec.Type)
  {
    let first = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try link(at: start, source: source, end: source.size)
    }
    if let first, let codec = first.codec { return (first, codec) }
    for link in try OggLinks(source, start: start).links {
      if let codec = link.codec { return (link, codec) }
    }
    guard case .other(let name)? = first?.content else {
      throw DecodeError(.refuseFile, at: .byte(start), "an Ogg file without its first page")
    }
    throw DecodeError(
      .refuseFile, at: .byte(start), "this is Ogg with \(name), which cannot be played",
      kind: .otherFormat)
  }

  /// True if the last page of the file does not belong to the link `first`. Also true after a read error, because then
  /// the end of the stream is unknown.
  static func isChained(_ source: any ByteSource, after first: OggLink) -> Bool {
    guard let last = try? OggPageReader.lastPage(source, range: first.range) else { return true }
    return !first.serials.contains(last.serial)
  }

  /// Reads the first pages of a link. Each of these pages begins a stream.
  static func link(at offset: Int64, source: any ByteSource, end: Int64) throws(ByteSourceError)
    -> OggLink?
  {
    let reader = OggPageReader(source, range: offset..<end)
    var first: Int64?
    var contentStart = offset
    var chosen: (content: OggLink.Content, serial: Int32)?
    var serials: Set<Int32> = []
    while let page = try reader.next(before: (first ?? offset) + maximumJunk) {
      guard page.beginsStream else {
        // The file can begin with pages of a link whose start is missing. Skip these pages.
        if first == nil { continue } else { break }
      }
      first = first ?? page.offset
      contentStart = page.offset + Int64(page.length)
      guard serials.count < maximumStreams else { break }
      serials.insert(page.serial)
      let content = content(reader.body)
      if case .other = content, chosen != nil { continue }
      if case .other? = chosen?.content { chosen = nil }
      chosen = chosen ?? (content, page.serial)
    }
    guard let first, let chosen else { return nil }
    return OggLink(
      range: first..<end, content: chosen.content, serial: chosen.serial, serials: serials,
      contentStart: contentStart)
  }

  private static func content(_ body: UnsafeBufferPointer<UInt8>) -> OggLink.Content {
    if let codec = OggCodecs.all.first(where: { body.starts(with: $0.signature) }) {
      return .codec(codec)
    }
    func starts(_ text: StaticString) -> Bool {
      text.withUTF8Buffer { $0.count <= body.count && $0.elementsEqual(body.prefix($0.count)) }
    }
    if starts("Speex") { return .other("Speex") }
    if starts("\u{80}theora") { return .other("Theora video") }
    if starts("fishead") { return .other("Skeleton") }
    return .other("an unknown codec")
  }
}
