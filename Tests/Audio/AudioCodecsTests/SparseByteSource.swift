@testable import AudioCodecs

/// Simulates a huge file. It consists of repeated bytes and of a few parts that a test puts into it.
final class SparseByteSource: ByteSource {
  let size: Int64
  private(set) var bytesRead = 0
  /// The bytes that are repeated outside of the parts of the test.
  var fill: [UInt8] = [0]
  private var parts: [(Int64, [UInt8])] = []

  init(size: Int64) { self.size = size }

  func put(_ offset: Int64, _ bytes: [UInt8]) { parts.append((offset, bytes)) }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    let count = Int(min(Int64(buffer.count), max(0, size - offset)))
    for index in 0..<count { buffer[index] = fill[(Int(offset) + index) % fill.count] }
    for (start, bytes) in parts {
      for (index, byte) in bytes.enumerated() {
        let target = start + Int64(index) - offset
        if target >= 0, target < Int64(count) { buffer[Int(target)] = byte }
      }
    }
    bytesRead += count
    return count
  }
}
