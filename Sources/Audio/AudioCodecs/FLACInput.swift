/// Where FLAC frames come from: a file that holds nothing else, or the packets of an Ogg stream.
/// libFLAC reads on in it, and whoever looks for a frame searches it; the two do not disturb
/// each other.
protocol FLACInput: AnyObject {
  /// Where the first frame is expected.
  var start: FLACPlace { get }
  /// Behind the last byte, in the file. Moves when the next link of a chain is met early.
  var end: Int64 { get }
  /// How many bytes may still be read before ``read(into:count:)`` says no: libFLAC does not
  /// come back by itself before it has a frame.
  var allowance: Int64 { get set }
  /// Why reading failed, if it did.
  var failure: DecodeError? { get }

  /// Up to `count` of the next bytes; 0 at the end, nil where the medium failed or nothing more
  /// is allowed.
  func read(into destination: UnsafeMutableRawPointer, count: Int) -> Int?

  /// Where a frame could begin at the earliest, when of what was read the last `unread` bytes
  /// were not looked at.
  func place(unread: Int64) -> FLACPlace

  /// Goes to `place`: what is read next stands there.
  func move(to place: FLACPlace)

  /// The next place after `place` where a frame could begin.
  func place(after place: FLACPlace) -> FLACPlace

  /// Looks for a frame header at `place` or behind it, but before byte `bound`, and gives up
  /// after about `limit` bytes.
  func search(from place: FLACPlace, before bound: Int64, limit: Int64) throws(ByteSourceError)
    -> FLACSearchResult
}

/// A place where a frame could begin.
struct FLACPlace: Comparable {
  /// Bytes from the start of the file; of Ogg, those before the page.
  var offset: Int64
  /// Of Ogg: how many packets begin on the page before this one.
  var packet = 0

  static func < (a: FLACPlace, b: FLACPlace) -> Bool {
    (a.offset, a.packet) < (b.offset, b.packet)
  }
}

/// What ``FLACInput/search(from:before:limit:)`` found.
struct FLACSearchResult {
  /// Nil where there is none.
  let header: FLACFrameHeader?
  /// Where the header is; without one, where to go on. At or behind the bound: nothing is left.
  let place: FLACPlace
  /// What the search has cost, in bytes that were looked at.
  let cost: Int64
  /// There was something that is no frame in front of it.
  let passedJunk: Bool
}

/// Frames that stand in a file one after the other.
final class FLACFileInput: FLACInput {
  /// What a search reads at once: a probe for a place in time needs one frame or two.
  private static let windowBytes = 16 * 1024

  let start: FLACPlace
  let end: Int64
  var allowance = Int64.max
  private let source: any ByteSource
  private let reader: SequentialReader
  /// What the search looked at last, and where it stands in the file.
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  /// - Parameter range: of the file, without its metadata.
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
      // A header that the window cuts off is seen in the next one.
      let next = windowEnd - Int64(FLACFrameHeader.maximumBytes - 1)
      offset = next > offset ? next : bound
    }
    return FLACSearchResult(
      header: nil, place: FLACPlace(offset: offset), cost: offset - place.offset + 1,
      passedJunk: offset > place.offset)
  }

  private var windowEnd: Int64 { windowStart + Int64(window.count) }

  /// Brings the bytes from `offset` on into the window.
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
