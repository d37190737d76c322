internal import Glibc

/// Walks over the MPEG frames of a file, and finds the next MPEG frame after damage. The walk needs only the headers,
/// from which it also counts the frames of sound.
///
/// The decoder gets only bytes that are complete MPEG frames. So libmpg123 never searches for a header, and its work is
/// bounded.
final class MPEGFrames {
  /// Several MPEG frames, one after the other.
  struct Run {
    /// Valid until the next call of ``MPEGFrames/next(before:)``.
    let bytes: UnsafeRawBufferPointer
    /// The position of the first frame of sound.
    let position: Int64
    let frameCount: Int64
    /// The offset of the first MPEG frame in the file.
    let offset: Int64
  }

  enum Step {
    case run(Run)
    /// Bytes before the next MPEG frame do not belong to the sound.
    case skipped(bytes: Int64)
    /// The search for the next MPEG frame has examined this number of bytes, and is not complete.
    case searching(bytes: Int64)
    case end
  }

  /// The largest run, in bytes. It is small, so that a call of the decoder does little work.
  static let maximumRunBytes = 16 * 1024
  private static let windowBytes = 64 * 1024
  /// Number of consecutive MPEG frames that the search requires. More are required if their version, layer or rate
  /// differs from the stream, because in data that is not sound, false headers with other properties are more frequent
  /// than false headers with the properties of the stream.
  private static let searchedFrames = (same: 2, other: 4)

  private let source: any ByteSource
  let range: Range<Int64>
  /// A header of the stream, for comparison.
  private var reference: MPEGFrameHeader
  /// The offset of the next MPEG frame.
  private(set) var offset: Int64
  /// The position of the first frame of sound in the next MPEG frame, counted from the first MPEG frame of the stream.
  private(set) var position: Int64 = 0
  private let window = UnsafeMutableRawBufferPointer.allocate(
    byteCount: windowBytes, alignment: 16)
  private var windowRange: Range<Int64> = 0..<0
  /// The offset at which the search began. Nil if no search is active.
  private var searchStart: Int64?
  private(set) var index: MPEGIndex

  /// - Parameter range: the bytes with the MPEG frames. `reference` is the header at the start of this range.
  init(_ source: any ByteSource, range: Range<Int64>, reference: MPEGFrameHeader) {
    self.source = source
    self.range = range
    self.reference = reference
    offset = range.lowerBound
    index = MPEGIndex(start: range.lowerBound, header: reference)
  }

  deinit { window.deallocate() }

  /// The next MPEG frame.
  var entry: MPEGIndex.Entry {
    MPEGIndex.Entry(offset: offset, position: position, header: reference)
  }

  /// Goes to an MPEG frame whose position is known.
  func move(to entry: MPEGIndex.Entry) {
    offset = entry.offset
    position = entry.position
    reference = entry.header
    searchStart = nil
  }

  /// Returns the next MPEG frames, at least one. After the first one, only MPEG frames that begin before `limit` are
  /// added. `limit` counts frames of sound.
  func next(before limit: Int64 = .max) throws(ByteSourceError) -> Step {
    if searchStart != nil { return try search(before: limit) }
    var bytes = 0
    let (first, start) = (position, offset)
    try load(offset, count: Self.maximumRunBytes)
    while let header = header(at: offset), header.isCompatible(with: reference),
      header.bitRate > 0, offset + Int64(header.byteCount) <= range.upperBound,
      bytes + header.byteCount <= Self.maximumRunBytes, bytes == 0 || position < limit
    {
      index.record(MPEGIndex.Entry(offset: offset, position: position, header: header))
      bytes += header.byteCount
      offset += Int64(header.byteCount)
      position += Int64(header.frameCount)
    }
    guard bytes > 0 else {
      guard range.upperBound - offset >= MPEGFrameHeader.bytes else { return .end }
      if let end = try endOfTags() {
        offset = end
        return try next(before: limit)
      }
      searchStart = offset
      return try search(before: limit)
    }
    let skipped = Int(start - windowRange.lowerBound)
    return .run(
      Run(
        bytes: UnsafeRawBufferPointer(rebasing: window[skipped..<skipped + bytes]),
        position: first, frameCount: position - first, offset: start))
  }

  /// Looks at each byte of the window for the start of consecutive MPEG frames.
  private func search(before limit: Int64) throws(ByteSourceError) -> Step {
    let begin = offset
    let end = min(begin + Int64(Self.windowBytes / 2), range.upperBound - 3)
    while offset < end {
      try load(offset, count: Self.windowBytes / 2)
      offset = firstByteOfHeader(from: offset, before: end)
      guard offset < end else { break }
      if try isStart(offset) {
        let skipped = offset - (searchStart ?? offset)
        searchStart = nil
        return skipped > 0 ? .skipped(bytes: skipped) : try next(before: limit)
      }
      offset += 1
    }
    return offset < range.upperBound - 3 ? .searching(bytes: offset - begin) : .end
  }

  /// The offset of the first byte in the window that can begin a header. `end` if there is no such byte.
  private func firstByteOfHeader(from offset: Int64, before end: Int64) -> Int64 {
    let skipped = Int(offset - windowRange.lowerBound)
    let count = Int(min(end, windowRange.upperBound) - offset)
    guard count > 0, let base = window.baseAddress,
      let found = memchr(base + skipped, 0xFF, count)
    else { return end }
    return windowRange.lowerBound + Int64(base.distance(to: found))
  }

  /// True if consecutive MPEG frames begin at `offset`. Then the first header becomes the reference, because these MPEG
  /// frames can belong to another stream.
  private func isStart(_ offset: Int64) throws(ByteSourceError) -> Bool {
    try load(offset, count: MPEGFrameHeader.bytes)
    guard let first = header(at: offset), first.bitRate > 0 else { return false }
    let isSame = first.isCompatible(with: reference)
    let wanted = isSame ? Self.searchedFrames.same : Self.searchedFrames.other
    var next = offset
    for _ in 0..<wanted {
      try load(next, count: MPEGFrameHeader.bytes)
      guard let header = header(at: next), header.bitRate > 0, header.isCompatible(with: first),
        next + Int64(header.byteCount) <= range.upperBound
      else { return false }
      next += Int64(header.byteCount)
      // No MPEG frame follows the last MPEG frame of the file, so fewer MPEG frames are sufficient there.
      if next == range.upperBound { break }
    }
    reference = first
    return true
  }

  /// Finds tags between MPEG frames. A file that was joined from several files contains the tags of each of these
  /// files.
  /// - Returns: the end of the tags that begin at ``offset``. Nil if no MPEG frames follow the tags.
  private func endOfTags() throws(ByteSourceError) -> Int64? {
    let end = try TagSize.end(ofTagsAt: offset, source)
    guard end > offset, try isStart(end) else { return nil }
    return end
  }

  // MARK: Bytes

  /// Loads bytes so that `count` bytes from `offset` on are in the window, if the range has them.
  private func load(_ offset: Int64, count: Int) throws(ByteSourceError) {
    let needed = min(offset + Int64(count), range.upperBound)
    guard offset < windowRange.lowerBound || needed > windowRange.upperBound else { return }
    let wanted = Int(min(Int64(window.count), range.upperBound - offset))
    windowRange = offset..<offset
    let filled = try source.fill(
      UnsafeMutableRawBufferPointer(rebasing: window[..<wanted]), at: offset)
    windowRange = offset..<offset + Int64(filled)
  }

  /// The header in the window. Nil if no header begins at `offset`.
  private func header(at offset: Int64) -> MPEGFrameHeader? {
    guard offset >= windowRange.lowerBound, offset + 4 <= windowRange.upperBound else { return nil }
    let word = window.loadUnaligned(
      fromByteOffset: Int(offset - windowRange.lowerBound), as: UInt32.self)
    return MPEGFrameHeader(word: UInt32(bigEndian: word))
  }
}
