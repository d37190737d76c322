/// The source of FLAC frames: the part of a native FLAC file after its metadata, or the packets of an Ogg stream.
/// libFLAC and the searches for FLAC frames read from this source. Reading and searching do not affect each other.
protocol FLACInput: AnyObject {
  /// The offset where the first FLAC frame is expected.
  var start: FLACOffset { get }
  /// The byte of the file at which the FLAC frames end. In Ogg this offset becomes smaller if the next link of a chain
  /// begins earlier than expected.
  var end: Int64 { get }
  /// Number of bytes that may still be read before ``read(into:count:)`` returns nil. The limit is needed because
  /// libFLAC returns only if it has a FLAC frame or if reading ends.
  var allowance: Int64 { get set }
  /// The reason why reading failed; nil if reading has not failed.
  var failure: DecodeError? { get }

  /// Reads up to `count` of the next bytes. Returns 0 at the end, and nil if the medium failed or the allowance is used
  /// up.
  func read(into destination: UnsafeMutableRawPointer, count: Int) -> Int?

  /// The first offset where a FLAC frame could begin after the bytes that libFLAC has examined. libFLAC has not
  /// examined the last `unread` bytes that it has read.
  func offset(unread: Int64) -> FLACOffset

  /// Goes to `offset`; the next read starts there.
  func move(to offset: FLACOffset)

  /// The next offset after `offset` where a FLAC frame could begin.
  func offset(after offset: FLACOffset) -> FLACOffset

  /// Searches for a FLAC frame header from `start` on, before byte `bound`. Stops after about `limit` bytes.
  func search(from start: FLACOffset, before bound: Int64, limit: Int64) throws(ByteSourceError)
    -> FLACSearchResult
}

/// Where a FLAC frame could begin.
struct FLACOffset: Comparable {
  /// The byte of the file. In Ogg this is the offset of the page.
  var byte: Int64
  /// In Ogg: number of packets that begin before this packet on the same page.
  var packet = 0

  static func < (a: FLACOffset, b: FLACOffset) -> Bool {
    (a.byte, a.packet) < (b.byte, b.packet)
  }
}

/// The result of ``FLACInput/search(from:before:limit:)``.
struct FLACSearchResult {
  /// Nil if no header was found.
  let header: FLACFrameHeader?
  /// The offset of the header. If there is no header, the search continues at this offset. If this offset is at or
  /// after the bound, the search has reached its end.
  let offset: FLACOffset
  /// The cost of the search, in bytes that were examined.
  let cost: Int64
  /// True if the search has passed data that is not a FLAC frame.
  let passedJunk: Bool
}

/// The FLAC frames of a native FLAC file.
final class FLACFileInput: FLACInput {
  /// Number of bytes that a search reads at once. This is the size of one or two FLAC frames, which is enough for a
  /// step of a seek.
  private static let windowBytes = 16 * 1024

  let start: FLACOffset
  let end: Int64
  var allowance = Int64.max
  private let source: any ByteSource
  private let reader: SequentialReader
  /// The bytes that the search examined last; `windowStart` is their offset in the file.
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  /// - Parameter range: the part of the file after its metadata.
  init(_ source: any ByteSource, range: Range<Int64>) {
    self.source = source
    start = FLACOffset(byte: range.lowerBound)
    end = range.upperBound
    reader = SequentialReader(source, range: range)
  }

  var failure: DecodeError? { reader.failure.map { DecodeError($0, .endTrack) } }

  func read(into destination: UnsafeMutableRawPointer, count: Int) -> Int? {
    guard allowance > 0 else { return nil }
    let read = reader.read(into: destination, count: count)
    allowance -= Int64(read ?? 0)
    return read
  }

  func offset(unread: Int64) -> FLACOffset {
    FLACOffset(byte: start.byte + reader.position - unread)
  }

  func move(to offset: FLACOffset) {
    reader.seek(to: offset.byte - start.byte)
  }

  func offset(after offset: FLACOffset) -> FLACOffset { FLACOffset(byte: offset.byte + 1) }

  func search(from start: FLACOffset, before bound: Int64, limit: Int64) throws(ByteSourceError)
    -> FLACSearchResult
  {
    let bound = min(bound, end)
    var offset = start.byte
    while offset < bound, offset - start.byte < limit {
      try load(offset)
      if let (found, header) = firstHeader(from: offset), found < bound {
        return FLACSearchResult(
          header: header, offset: FLACOffset(byte: found), cost: found - start.byte + 1,
          passedJunk: found > start.byte)
      }
      // The next window begins a little before the end of this window, because the end can cut off a header.
      let next = windowEnd - Int64(FLACFrameHeader.maximumBytes - 1)
      offset = next > offset ? next : bound
    }
    return FLACSearchResult(
      header: nil, offset: FLACOffset(byte: offset), cost: offset - start.byte + 1,
      passedJunk: offset > start.byte)
  }

  private var windowEnd: Int64 { windowStart + Int64(window.count) }

  /// Loads the bytes from `offset` on into the window.
  private func load(_ offset: Int64) throws(ByteSourceError) {
    let needed = min(offset + Int64(FLACFrameHeader.maximumBytes), end)
    guard offset < windowStart || needed > windowEnd else { return }
    window = try source.prefix(
      at: offset, count: Int(min(Int64(Self.windowBytes), end - offset)))
    windowStart = offset
  }

  private func firstHeader(from offset: Int64) -> (Int64, FLACFrameHeader)? {
    let skip = Int(offset - windowStart)
    guard skip < window.count else { return nil }
    let found = window.withUnsafeBytes {
      FLACFrameHeader.first(in: UnsafeRawBufferPointer(rebasing: $0[skip...]))
    }
    return found.map { (offset + Int64($0.index), $0.header) }
  }
}
