internal import CVorbisFile

/// Reads the pages of an Ogg file (RFC 3533) with libogg. libogg verifies the CRC of each page. So a damaged page, or
/// other data that looks like a page, is not accepted.
final class OggPageReader {
  /// One page with a correct CRC.
  struct Page {
    let offset: Int64
    let length: Int
    let serial: Int32
    /// The number of the page in its stream.
    let number: Int
    let granulePosition: Int64
    let beginsStream: Bool
    let endsStream: Bool
    let continuesPacket: Bool
  }

  /// Number of bytes in one read. libogg searches these bytes for a page. A page can need several reads, because it has
  /// up to 65 307 bytes.
  static let chunkBytes = 16 * 1024

  private let source: any ByteSource
  private let limit: Int64
  private var sync = ogg_sync_state()
  private var page = ogg_page()
  /// Offset of the next byte for libogg.
  private var readOffset: Int64
  /// Offset of the first byte that libogg has not examined.
  private(set) var pageOffset: Int64
  /// Number of bytes that were examined so far. Data that only looks like a page counts with the length that its header
  /// states, because libogg computes a checksum over this length. The next false page can begin a few bytes later, so a
  /// byte can count several times.
  private(set) var cost: Int64 = 0

  init(_ source: any ByteSource, range: Range<Int64>) {
    self.source = source
    limit = range.upperBound
    readOffset = range.lowerBound
    pageOffset = range.lowerBound
    ogg_sync_init(&sync)
  }

  deinit { ogg_sync_clear(&sync) }

  func seek(to offset: Int64) {
    ogg_sync_reset(&sync)
    readOffset = offset
    pageOffset = offset
  }

  /// The next page that starts before `bound`; nil if there is no such page, or if ``cost`` has reached `limit`.
  func next(before bound: Int64 = .max, cost limit: Int64 = .max) throws(ByteSourceError) -> Page? {
    while pageOffset < bound, cost < limit {
      let claimed = sync.claimedPageBytes
      let result = ogg_sync_pageseek(&sync, &page)
      cost += Int64(result < 0 ? max(-result, claimed) : result)
      if result > 0 {
        let offset = pageOffset
        pageOffset += Int64(result)
        guard offset < bound else { return nil }
        return Page(
          offset: offset, length: result, serial: ogg_page_serialno(&page),
          number: ogg_page_pageno(&page), granulePosition: ogg_page_granulepos(&page),
          beginsStream: ogg_page_bos(&page) != 0, endsStream: ogg_page_eos(&page) != 0,
          continuesPacket: ogg_page_continued(&page) != 0)
      } else if result < 0 {
        pageOffset -= Int64(result)
      } else if try !feed() {
        return nil
      }
    }
    return nil
  }

  /// The last page in `range`. If `serial` is given: the last page of this stream that has a granule position. Stops at
  /// the limit ``DecodingCost/perSearch``.
  static func lastPage(of serial: Int32? = nil, _ source: any ByteSource, range: Range<Int64>)
    throws(ByteSourceError) -> Page?
  {
    let reader = OggPageReader(source, range: range)
    var step: Int64 = 64 * 1024
    while true {
      let from = max(range.lowerBound, range.upperBound - step)
      reader.seek(to: from)
      var last: Page?
      while let page = try reader.next(cost: DecodingCost.perSearch.bytes) {
        if serial == nil || (page.serial == serial && page.granulePosition >= 0) { last = page }
      }
      if last != nil || from == range.lowerBound || reader.cost >= DecodingCost.perSearch.bytes {
        return last
      }
      step *= 4
    }
  }

  /// The lengths of the current page's segments; a segment of less than 255 bytes ends its packet.
  var lacing: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: page.header + 27, count: Int(page.header[26]))
  }

  /// The current page's payload, valid until the next call of ``next(before:cost:)``.
  var body: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: page.body, count: page.body_len)
  }

  /// Number of header bytes before ``body``.
  var headerLength: Int { page.header_len }

  private func feed() throws(ByteSourceError) -> Bool {
    let wanted = Int(min(Int64(Self.chunkBytes), limit - readOffset))
    guard wanted > 0, let buffer = ogg_sync_buffer(&sync, wanted) else { return false }
    let read = try source.read(
      at: readOffset, into: UnsafeMutableRawBufferPointer(start: buffer, count: wanted))
    ogg_sync_wrote(&sync, read)
    readOffset += Int64(read)
    return read > 0
  }
}

extension ogg_sync_state {
  /// If libogg's unread bytes begin with a page header, the length of the page according to this header. Otherwise 0.
  var claimedPageBytes: Int {
    guard let data, fill - returned >= 27 else { return 0 }
    let bytes = UnsafeBufferPointer(start: data + Int(returned), count: Int(fill - returned))
    let header = 27 + Int(bytes[26])
    guard bytes.starts(with: "OggS".utf8), bytes.count >= header else { return 0 }
    return bytes[27..<header].reduce(header) { $0 + Int($1) }
  }
}

/// Returns the packets of one logical stream. The bytes of a packet stay in the file, so a packet of 30 MB needs memory
/// only for the table of its parts.
struct OggPacketWalker {
  private let source: any ByteSource
  private let reader: OggPageReader
  private let serial: Int32
  private let start: Int64
  /// The current page's segments that were not returned yet: for each segment, its range in the file, and whether it
  /// ends its packet.
  private var segments: ArraySlice<(range: Range<Int64>, endsPacket: Bool)> = []
  /// The current page, and the number of returned packets that began on this page.
  private var page: Range<Int64>
  private var packetsOnPage = 0

  init(_ source: any ByteSource, stream: Range<Int64>, serial: Int32) {
    self.source = source
    self.serial = serial
    start = stream.lowerBound
    page = start..<start
    reader = OggPageReader(source, range: stream)
  }

  /// The offset of the next packet.
  var offset: FLACOffset {
    segments.isEmpty
      ? FLACOffset(byte: page.upperBound)
      : FLACOffset(byte: page.lowerBound, packet: packetsOnPage)
  }

  /// The end of the page on which the last returned packet ends.
  var pageEnd: Int64 { page.upperBound }

  /// The next packet; nil if no packet is left.
  mutating func next() throws(ByteSourceError) -> OggPacket? {
    var parts: [Range<Int64>] = []
    var isInside = false
    while true {
      while let segment = segments.popFirst() {
        if !segment.range.isEmpty {
          if !isInside { packetsOnPage += 1 }
          if let last = parts.last, last.upperBound == segment.range.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<segment.range.upperBound
          } else {
            parts.append(segment.range)
          }
        }
        if segment.endsPacket { return OggPacket(source, parts: parts) }
        isInside = true
      }
      guard try readPage() else { return nil }
    }
  }

  /// Loads the next page of the stream. Returns false at the end of the stream, and if the page begins more than
  /// ``FLACMetadata/maximumHeaderBytes`` after the start, because only header packets are needed.
  private mutating func readPage() throws(ByteSourceError) -> Bool {
    let bound = start + FLACMetadata.maximumHeaderBytes
    while let found = try reader.next(before: bound, cost: DecodingCost.perSearch.bytes) {
      guard found.serial == serial else { continue }
      page = found.offset..<found.offset + Int64(found.length)
      packetsOnPage = 0
      var offset = found.offset + Int64(reader.headerLength)
      segments = []
      for length in reader.lacing {
        segments.append((offset..<offset + Int64(length), length < 255))
        offset += Int64(length)
      }
      return true
    }
    return false
  }
}

/// One Ogg packet. Its bytes are read from its pages in the file.
final class OggPacket: ByteSource {
  private let source: any ByteSource
  /// For each part, its offset in the packet and its range in the file.
  private let parts: [(start: Int64, file: Range<Int64>)]
  let size: Int64

  init(_ source: any ByteSource, parts: [Range<Int64>]) {
    self.source = source
    var total: Int64 = 0
    var table: [(start: Int64, file: Range<Int64>)] = []
    // A packet of 32 MB has up to 118 000 parts. Room for all parts is reserved at once, because a table that grows
    // would need twice the memory.
    table.reserveCapacity(parts.count)
    for part in parts {
      table.append((total, part))
      total += part.upperBound - part.lowerBound
    }
    self.parts = table
    size = total
  }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    guard offset >= 0, offset < size else { return 0 }
    // Find the last part that begins at or before `offset`.
    var low = 0
    var high = parts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if parts[middle].start <= offset { low = middle } else { high = middle }
    }
    let part = parts[low]
    let skip = offset - part.start
    let available = part.file.upperBound - part.file.lowerBound - skip
    let count = Int(min(Int64(buffer.count), available))
    return try source.read(
      at: part.file.lowerBound + skip,
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }
}
