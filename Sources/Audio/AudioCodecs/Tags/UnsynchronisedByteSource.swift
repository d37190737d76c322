/// Bytes from which ID3's unsynchronisation is removed (ID3v2.4 structure, section 6.1): a zero byte that follows a
/// byte 0xFF does not belong to the data.
///
/// A read is fast if it begins at or after the end of the read before. Otherwise the source is read again from its
/// start.
final class UnsynchronisedByteSource: ByteSource {
  private static let pieceBytes = 16 * 1024

  private let source: any ByteSource
  private let range: Range<Int64>
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
  /// The bytes of `piece` that are not used yet.
  private var rest = 0..<0
  /// The offset in `source` after the piece.
  private var next: Int64
  private var position: Int64 = 0
  private var follows0xFF = false
  /// The size before the zeros are removed. The reads can return fewer bytes in total.
  let size: Int64

  /// - Parameter range: the bytes in `source`.
  init(_ source: any ByteSource, range: Range<Int64>) {
    self.source = source
    self.range = range
    next = range.lowerBound
    size = range.upperBound - range.lowerBound
  }

  deinit { piece.deallocate() }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    guard offset >= 0, offset < size else { return 0 }
    if offset < position {
      (next, position, follows0xFF, rest) = (range.lowerBound, 0, false, 0..<0)
    }
    var count = 0
    while count < buffer.count, let byte = try nextByte() {
      if position > offset {
        buffer[count] = byte
        count += 1
      }
    }
    return count
  }

  /// The number of bytes without the zeros. Reads all bytes.
  func count() throws(ByteSourceError) -> Int64 {
    (next, position, follows0xFF, rest) = (range.lowerBound, 0, false, 0..<0)
    while try nextByte() != nil {}
    return position
  }

  private func nextByte() throws(ByteSourceError) -> UInt8? {
    while true {
      if rest.isEmpty {
        let wanted = Int(min(Int64(piece.count), range.upperBound - next))
        let count = try source.fill(
          UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted]), at: next)
        guard count > 0 else { return nil }
        next += Int64(count)
        rest = 0..<count
      }
      let byte = piece[rest.lowerBound]
      rest = rest.lowerBound + 1..<rest.upperBound
      let isFiller = follows0xFF && byte == 0
      follows0xFF = byte == 0xFF
      if isFiller { continue }
      position += 1
      return byte
    }
  }
}
