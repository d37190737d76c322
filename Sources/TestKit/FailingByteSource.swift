public import AudioCodecs

/// Simulates a stick that is removed: bytes from a certain offset on cannot be read.
public final class FailingByteSource: ByteSource {
  private let contents: MemoryByteSource
  private let failsAt: Int64

  /// - Parameter failsAt: the offset of the first byte that cannot be read.
  public init(_ bytes: [UInt8], failsAt: Int64) {
    contents = MemoryByteSource(bytes)
    self.failsAt = failsAt
  }

  /// The number of all bytes, including the bytes that cannot be read.
  public var size: Int64 { contents.size }

  /// Throws if one of the requested bytes cannot be read.
  public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    if offset + Int64(buffer.count) > failsAt {
      throw ByteSourceError(offset: offset, code: 5, reason: "pulled")
    }
    return try contents.read(at: offset, into: buffer)
  }
}
