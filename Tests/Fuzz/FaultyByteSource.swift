/// A medium that returns fewer bytes than requested, as pipes and network mounts do. A read that includes the byte at
/// the offset `failsAt` or a later byte fails, as on a removed stick.
final class FaultyByteSource: ByteSource {
  private let contents: [UInt8]
  private let largestRead: Int
  private let failsAt: Int64

  init(_ contents: [UInt8], largestRead: Int, failsAt: Int64 = .max) {
    self.contents = contents
    self.largestRead = largestRead
    self.failsAt = failsAt
  }

  var size: Int64 { Int64(contents.count) }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    guard offset >= 0, offset < size else { return 0 }
    let end = min(offset + Int64(min(buffer.count, largestRead)), size)
    guard end <= failsAt else { throw ByteSourceError(offset: offset, code: 5, reason: "removed") }
    for index in Int(offset)..<Int(end) { buffer[index - Int(offset)] = contents[index] }
    return Int(end - offset)
  }
}
