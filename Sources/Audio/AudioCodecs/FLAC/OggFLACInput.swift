/// FLAC frames in Ogg packets. Each packet contains one FLAC frame (RFC 9639, section 10.1). Each page has its own
/// checksum, so a damaged page is detected and left out. FLAC frames are searched only where packets begin.
final class OggFLACInput: FLACInput {
  let start: FLACOffset
  private(set) var end: Int64
  var allowance = Int64.max
  private(set) var failure: DecodeError?

  private let serial: Int32
  private let reader: OggPageReader
  /// The page that is being read; `position` is the offset in its body.
  private var current: Page?
  private var position = 0
  /// True if the beginning of a packet was not read. If the next page continues this packet, the rest of the packet is
  /// left out.
  private var dropsRest = true
  /// The offset at which reading continues if no page is loaded.
  private var wanted = FLACOffset(byte: 0)

  private let finder: OggPageReader
  /// The page that was searched last.
  private var searched: Page?

  private struct Page {
    let offset: Int64
    let number: Int
    let body: [UInt8]
    /// Offsets in `body` where packets begin.
    let starts: [Int]
  }

  /// - Parameters:
  ///   - range: the link's range in the file.
  ///   - start: the offset after the link's header packets.
  init(_ source: any ByteSource, range: Range<Int64>, start: FLACOffset, serial: Int32) {
    self.start = start
    self.serial = serial
    end = range.upperBound
    let rest = min(start.byte, range.upperBound)..<range.upperBound
    reader = OggPageReader(source, range: rest)
    finder = OggPageReader(source, range: rest)
    move(to: start)
  }

  // MARK: Reading

  func offset(unread: Int64) -> FLACOffset {
    // A read never crosses the end of a packet. So the unread bytes are the rest of a packet, in which no FLAC frame
    // begins.
    guard let current else { return wanted }
    return FLACOffset(
      byte: current.offset,
      packet: current.starts.firstIndex { $0 >= position }
        ?? current.starts.count)
  }

  func move(to offset: FLACOffset) {
    wanted = offset
    if let current, current.offset == offset.byte {
      begin(offset.packet, on: current)
    } else {
      current = nil
      reader.seek(to: offset.byte)
    }
  }

  func read(into destination: UnsafeMutableRawPointer, count: Int) -> Int? {
    guard failure == nil, allowance > 0 else { return nil }
    while true {
      if let current, position < current.body.count {
        // The read ends at the end of the packet at the latest, because a FLAC frame ends there.
        let next = current.starts.first { $0 > position } ?? current.body.count
        let taken = min(count, next - position)
        current.body.withUnsafeBytes {
          destination.copyMemory(from: $0.baseAddress! + position, byteCount: taken)
        }
        position += taken
        allowance -= Int64(taken)
        return taken
      }
      do throws(ByteSourceError) {
        guard try readPage() else { return allowance > 0 ? 0 : nil }
      } catch {
        failure = DecodeError(error, .endTrack)
        return nil
      }
    }
  }

  /// Loads the next page. Returns false at the end, or if the allowance is used up.
  private func readPage() throws(ByteSourceError) -> Bool {
    let before = reader.cost
    let page = try nextPage(reader, before: end, cost: before + allowance)
    // Only the bytes before the page reduce the allowance here. The bytes of the page reduce the allowance when `read`
    // returns these bytes.
    allowance -= reader.cost - before - (page.map { Int64($0.body.count) } ?? 0)
    guard let page else { return false }
    let last = current
    current = page
    if last == nil, page.offset == wanted.byte {
      begin(wanted.packet, on: page)
    } else if let last, page.number == last.number + 1, !dropsRest {
      position = 0
    } else {
      begin(0, on: page)
    }
    return true
  }

  private func begin(_ packet: Int, on page: Page) {
    position = packet < page.starts.count ? page.starts[packet] : page.body.count
    dropsRest = packet >= page.starts.count
  }

  /// The next page of this stream.
  private func nextPage(_ reader: OggPageReader, before bound: Int64, cost: Int64)
    throws(ByteSourceError) -> Page?
  {
    while let page = try reader.next(before: min(bound, end), cost: cost) {
      if page.beginsStream {
        // Reading begins after the pages that begin the streams of this link. So this page begins the next link.
        end = page.offset
        return nil
      }
      guard page.serial == serial else { continue }
      var starts: [Int] = []
      var position = 0
      var isInside = page.continuesPacket
      for length in reader.lacing {
        if !isInside, length > 0 { starts.append(position) }
        position += Int(length)
        isInside = length == 255
      }
      return Page(
        offset: page.offset, number: page.number, body: Array(reader.body), starts: starts)
    }
    return nil
  }

  // MARK: Searching

  func offset(after offset: FLACOffset) -> FLACOffset {
    FLACOffset(byte: offset.byte, packet: offset.packet + 1)
  }

  func search(from start: FLACOffset, before bound: Int64, limit: Int64) throws(ByteSourceError)
    -> FLACSearchResult
  {
    let before = finder.cost
    var looked: Int64 = 1
    var offset = start
    var passedJunk = false
    if searched?.offset != offset.byte {
      searched = nil
      finder.seek(to: offset.byte)
    }
    while true {
      let last = searched
      if let page = searched {
        while offset.packet < page.starts.count {
          let bytes = page.body[page.starts[offset.packet]...]
          looked += Int64(FLACFrameHeader.maximumBytes)
          let header = bytes.withUnsafeBytes { FLACFrameHeader($0) }
          if let header {
            return FLACSearchResult(
              header: header, offset: offset, cost: looked + finder.cost - before,
              passedJunk: passedJunk)
          }
          passedJunk = true
          offset.packet += 1
        }
      }
      searched = try nextPage(finder, before: bound, cost: before + limit - looked)
      guard let page = searched else {
        // `isDone` is true if no page is left, false if the limit is reached.
        let isDone = finder.cost - before < limit - looked
        return FLACSearchResult(
          header: nil, offset: FLACOffset(byte: isDone ? bound : finder.pageOffset),
          cost: looked + finder.cost - before, passedJunk: passedJunk)
      }
      if let last { passedJunk = passedJunk || page.number != last.number + 1 }
      if page.offset != offset.byte { offset = FLACOffset(byte: page.offset) }
    }
  }
}
