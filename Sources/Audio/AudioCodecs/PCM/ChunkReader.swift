/// A chunk of a RIFF or IFF file: four characters, a length, and that number of bytes.
struct FileChunk: Equatable {
  let name: String
  /// The content, as far as the file contains it.
  let range: Range<Int64>
  /// The length that the chunk states. It may be larger than `range`.
  let statedLength: Int64

  var isCut: Bool { statedLength > range.upperBound - range.lowerBound }
}

/// Walks over the chunks of a WAV or AIFF file. The length of the whole file in the first chunk is not used, because
/// many writers leave it wrong.
struct ChunkReader {
  /// The largest number of chunks of a file that are read. Normal files have less than twenty.
  static let maximumChunks = 1024
  private static let headerBytes: Int64 = 8

  private let source: any ByteSource
  private let isBigEndian: Bool
  private var offset: Int64
  private var remaining: Int
  /// The real length of chunks that state `0xFFFFFFFF`, from the chunk `ds64`.
  var longLengths: [String: Int64] = [:]

  /// - Parameters:
  ///   - start: the offset of the first chunk inside the file's form.
  ///   - limit: the largest number of chunks that are read.
  init(
    _ source: any ByteSource, start: Int64, isBigEndian: Bool, limit: Int = maximumChunks
  ) {
    remaining = limit
    self.source = source
    self.isBigEndian = isBigEndian
    offset = start
  }

  /// The next chunk. Nil at the end of the file, and where no chunk begins.
  mutating func next() throws(ByteSourceError) -> FileChunk? {
    guard remaining > 0, let header = try header(at: offset) else { return nil }
    remaining -= 1
    let start = offset + Self.headerBytes
    let length = header.length == UInt32.max ? longLengths[header.name] : nil
    let stated = length ?? Int64(header.length)
    let end = min(start + min(stated, source.size), source.size)
    offset = end
    // Chunks begin at even offsets. Some writers leave out the byte that fills the gap.
    if stated % 2 != 0 {
      let isChunk = try self.header(at: end) != nil
      let isZero = try source.bytes(at: end, count: 1) == [0]
      if isZero || !isChunk { offset += 1 }
    }
    return FileChunk(name: header.name, range: start..<end, statedLength: stated)
  }

  private func header(at offset: Int64) throws(ByteSourceError) -> (name: String, length: UInt32)? {
    guard let bytes = try source.bytes(at: offset, count: Int(Self.headerBytes)),
      bytes[..<4].allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    let length = isBigEndian ? UInt32(bigEndian: bytes[4...]) : UInt32(littleEndian: bytes[4...])
    return (String(decoding: bytes[..<4], as: UTF8.self), length)
  }
}
