/// The source of FLAC frames: a file that contains nothing else, or the packets of an Ogg stream.
/// libFLAC and the searches for FLAC frames read from this source. Reading and searching do not
/// affect each other.
protocol FLACInput: AnyObject {
  /// The place where the first FLAC frame is expected.
  var start: FLACPlace { get }
  /// The end of the last byte in the file. Moves if the next link of a chain is found early.
  var end: Int64 { get }
  /// Number of bytes that may still be read before ``read(into:count:)`` returns nil. libFLAC does
  /// not return by itself before it has a FLAC frame.
  var allowance: Int64 { get set }
  /// The reason why reading failed; nil if reading has not failed.
  var failure: DecodeError? { get }

  /// Reads up to `count` of the next bytes. 0 at the end; nil if the medium failed or the allowance
  /// is used up.
  func read(into destination: UnsafeMutableRawPointer, count: Int) -> Int?

  /// The first place where a FLAC frame could begin, if the last `unread` bytes that were read were
  /// not examined.
  func place(unread: Int64) -> FLACPlace

  /// Goes to `place`; the next read starts there.
  func move(to place: FLACPlace)

  /// The next place after `place` where a FLAC frame could begin.
  func place(after place: FLACPlace) -> FLACPlace

  /// Searches for a frame header from `place` on, before byte `bound`. Stops after about `limit`
  /// bytes.
  func search(from place: FLACPlace, before bound: Int64, limit: Int64) throws(ByteSourceError)
    -> FLACSearchResult
}

/// A place where a FLAC frame could begin.
struct FLACPlace: Comparable {
  /// Bytes from the start of the file; in Ogg, up to the start of the page.
  var offset: Int64
  /// In Ogg: number of packets that begin on the page before this packet.
  var packet = 0

  static func < (a: FLACPlace, b: FLACPlace) -> Bool {
    (a.offset, a.packet) < (b.offset, b.packet)
  }
}

/// The result of ``FLACInput/search(from:before:limit:)``.
struct FLACSearchResult {
  /// Nil if there is none.
  let header: FLACFrameHeader?
  /// The place of the header. Without a header: where to continue; at or after the bound, nothing
  /// is left.
  let place: FLACPlace
  /// The cost of the search, in bytes that were examined.
  let cost: Int64
  /// True if there is data before the place that is not a FLAC frame.
  let passedJunk: Bool
}

/// FLAC frames that follow each other in a file.
final class FLACFileInput: FLACInput {
  /// Number of bytes that a search reads at once. A probe for a seek needs one or two FLAC frames.
  private static let windowBytes = 16 * 1024

  let start: FLACPlace
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
    start = FLACPlace(offset: range.lowerBound)
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

  func place(unread: Int64) -> FLACPlace {
    FLACPlace(offset: start.offset + reader.position - unread)
  }

  func move(to place: FLACPlace) {
    reader.seek(to: place.offset - start.offset)
  }

  func place(after place: FLACPlace) -> FLACPlace { FLACPlace(offset: place.offset + 1) }

  func search(from place: FLACPlace, before bound: Int64, limit: Int64) throws(ByteSourceError)
    -> FLACSearchResult
  {
    let bound = min(bound, end)
    var offset = place.offset
    while offset < bound, offset - place.offset < limit {
      try load(offset)
      if let (found, header) = firstHeader(from: offset), found < bound {
        return FLACSearchResult(
          header: header, place: FLACPlace(offset: found), cost: found - place.offset + 1,
          passedJunk: found > place.offset)
      }
      // A header that is cut off by the end of the window is found in the next window.
      let next = windowEnd - Int64(FLACFrameHeader.maximumBytes - 1)
      offset = next > offset ? next : bound
    }
    return FLACSearchResult(
      header: nil, place: FLACPlace(offset: offset), cost: offset - place.offset + 1,
      passedJunk: offset > place.offset)
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
