/// A chunk of a RIFF or IFF file: a name of four characters, a length, and a content of this length.
struct FileChunk: Equatable {
  let name: String
  /// The content, as far as the file contains it.
  let range: Range<Int64>
  /// The length that the chunk states. It is larger than `range` if the file ends within the chunk.
  let statedLength: Int64

  var isCut: Bool { statedLength > range.upperBound - range.lowerBound }
}

/// Walks over the chunks of a WAV or AIFF file. The length of the whole file, which the first chunk states, is not
/// used, because many programs write a wrong value.
struct ChunkReader {
  /// The largest number of chunks of a file that are read. Normal files have fewer than twenty.
  static let maximumChunks = 1024
  private static let headerBytes: Int64 = 8

  private let source: any ByteSource
  private let isBigEndian: Bool
  private var offset: Int64
  private var remaining: Int
  /// For chunks that state the length `0xFFFFFFFF`: the real lengths from the chunk `ds64`, keyed by the name of the
  /// chunk.
  var longLengths: [String: Int64] = [:]

  /// - Parameters:
  ///   - start: the offset of the first chunk after the header of the RIFF or IFF form.
  ///   - limit: the largest number of chunks that are read.
  init(
    _ source: any ByteSource, start: Int64, isBigEndian: Bool, limit: Int = maximumChunks
  ) {
    remaining = limit
    self.source = source
    self.isBigEndian = isBigEndian
    offset = start
  }

  /// The next chunk. Nil at the end of the file, if the next bytes are not a chunk, or if the limit is reached.
  mutating func next() throws(ByteSourceError) -> FileChunk? {
    guard remaining > 0, let header = try header(at: offset) else { return nil }
    remaining -= 1
    let start = offset + Self.headerBytes
    let length = header.length == UInt32.max ? longLengths[header.name] : nil
    let stated = length ?? Int64(header.length)
    let end = min(start + min(stated, source.size), source.size)
    offset = end
    // Chunks begin at even offsets, so a byte is added to a chunk with an odd length. Some programs leave out this
    // byte.
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
