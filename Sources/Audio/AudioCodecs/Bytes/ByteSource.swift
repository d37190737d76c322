/// The source of coded bytes: a file, a part of a file, memory. AudioCodecs opens no files. The code that opens a file
/// knows its path, so only this code can distinguish a removed stick from a read error.
///
/// - Thread: one thread at a time; a decoder reads its source on the thread that calls the decoder.
/// - Blocks: until the medium has delivered the bytes. Never called below the real-time line.
public protocol ByteSource: AnyObject {
  /// Length in bytes, as it was when the source was opened.
  var size: Int64 { get }

  /// Reads up to `buffer.count` bytes at `offset` and returns their number. The number can be smaller than
  /// `buffer.count`, even before the end of the source. 0 means the end.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
}

/// The medium failed, so the track ends. The bytes that were read earlier stay valid.
public struct ByteSourceError: Error, Equatable, Sendable {
  /// Byte offset of the failed read.
  public let offset: Int64
  /// `errno` of the failed call.
  public let code: Int32
  /// The system's text for `code`.
  public let reason: String

  /// Creates an error for a failed read at `offset`.
  public init(offset: Int64, code: Int32, reason: String) {
    self.offset = offset
    self.code = code
    self.reason = reason
  }
}

extension ByteSource {
  /// Reads exactly `count` bytes; nil if the source has fewer bytes after `offset`.
  func bytes(at offset: Int64, count: Int) throws(ByteSourceError) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= size, Int64(count) <= size - offset else { return nil }
    var result = [UInt8](repeating: 0, count: count)
    let filled = try fill(&result, at: offset)
    return filled == count ? result : nil
  }

  /// Reads up to `count` bytes; fewer at the end of the source.
  func prefix(at offset: Int64, count: Int) throws(ByteSourceError) -> [UInt8] {
    let available = Swift.max(0, Swift.min(Int64(count), size - offset))
    var result = [UInt8](repeating: 0, count: Int(available))
    let filled = try fill(&result, at: offset)
    result.removeLast(result.count - filled)
    return result
  }

  /// The bytes that a single read returns, up to `count`.
  func available(at offset: Int64, count: Int) throws(ByteSourceError) -> [UInt8] {
    guard count > 0 else { return [] }
    var result = [UInt8](repeating: 0, count: count)
    let read = try result.withUnsafeMutableBytes { buffer in
      Result { () throws(ByteSourceError) in try self.read(at: offset, into: buffer) }
    }.get()
    result.removeLast(count - read)
    return result
  }

  /// Reads at most `limit` bytes at the start of a range.
  func prefix(at range: Range<Int64>, _ limit: Int) throws(ByteSourceError) -> [UInt8] {
    try prefix(
      at: range.lowerBound, count: Int(min(Int64(limit), range.upperBound - range.lowerBound)))
  }

  /// Reads until `buffer` is full or the source ends, and returns the number of bytes.
  public func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64)
    throws(ByteSourceError) -> Int
  {
    var filled = 0
    while filled < buffer.count {
      let count = try read(
        at: offset + Int64(filled),
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  private func fill(_ bytes: inout [UInt8], at offset: Int64) throws(ByteSourceError) -> Int {
    // The closure of `withUnsafeMutableBytes` cannot throw a typed error, so a `Result` carries the error.
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(ByteSourceError) in try self.fill(buffer, at: offset) }
    }
    return try result.get()
  }
}

/// Bytes in memory.
public final class MemoryByteSource: ByteSource {
  private let contents: [UInt8]

  /// Creates a source with these bytes.
  public init(_ contents: [UInt8]) { self.contents = contents }

  public var size: Int64 { Int64(contents.count) }

  /// See ``ByteSource/read(at:into:)``. Never fails.
  public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    guard offset >= 0, offset < size else { return 0 }
    let count = min(buffer.count, contents.count - Int(offset))
    contents.withUnsafeBytes { bytes in
      buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset) + count]))
    }
    return count
  }
}

/// A byte source that returns a part of another byte source.
final class ByteSourcePart: ByteSource {
  private let source: any ByteSource
  private let start: Int64
  let size: Int64

  /// - Parameter range: the part in `source`. If `source` ends earlier, the part ends there too.
  init(_ source: any ByteSource, range: Range<Int64>) {
    self.source = source
    start = range.lowerBound
    size = max(0, min(range.upperBound, source.size) - range.lowerBound)
  }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    guard offset >= 0, offset < size else { return 0 }
    let count = Int(min(Int64(buffer.count), size - offset))
    return try source.read(
      at: start + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }
}

/// Reads a part of a source sequentially, in chunks, for libraries that read through callbacks. Positions are relative
/// to the start of the part.
final class SequentialReader {
  /// Number of bytes in one read of the medium. libFLAC gets at most ``LibFLAC/bytesPerRead`` bytes at a time, and one
  /// system call for each of these small reads would take too long.
  static let chunkBytes = 64 * 1024

  private let source: any ByteSource
  let range: Range<Int64>
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
  /// The positions of the bytes in `buffer`, relative to the start of `range`.
  private var buffered: Range<Int64> = 0..<0
  private(set) var position: Int64 = 0
  /// The first failure of the medium. It is stored here, because libraries report only that a read failed, not why.
  private(set) var failure: ByteSourceError?

  init(_ source: any ByteSource, range: Range<Int64>) {
    self.source = source
    self.range = range
  }

  deinit { buffer.deallocate() }

  var count: Int64 { range.upperBound - range.lowerBound }

  func seek(to position: Int64) {
    self.position = position
  }

  /// Reads up to `count` bytes to `destination`; 0 at the end, nil if the medium failed.
  func read(into destination: UnsafeMutableRawPointer, count wanted: Int) -> Int? {
    if !buffered.contains(position) {
      guard position >= 0, position < count else { return 0 }
      // The read ends at a multiple of the chunk size, because the medium itself reads aligned blocks.
      let rest = Int64(buffer.count) - (range.lowerBound + position) % Int64(buffer.count)
      let limit = Int(min(rest, count - position))
      do {
        let read = try source.read(
          at: range.lowerBound + position,
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<limit]))
        buffered = position..<position + Int64(read)
      } catch {
        if failure == nil { failure = error }
        return nil
      }
      if buffered.isEmpty { return 0 }
    }
    let offset = Int(position - buffered.lowerBound)
    let taken = min(wanted, Int(buffered.upperBound - position))
    destination.copyMemory(from: buffer.baseAddress! + offset, byteCount: taken)
    position += Int64(taken)
    return taken
  }
}
