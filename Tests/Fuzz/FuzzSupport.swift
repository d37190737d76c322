// Code that the fuzz targets share: a faulty source, and random numbers that depend on the input.

/// A medium that returns fewer bytes than requested, as pipes and network mounts do. A read that
/// reaches beyond the byte `failsAt` fails, as on a removed stick.
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

/// xorshift64*: equal seeds give equal numbers, so that a crash can be reproduced.
struct FuzzRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// Seeded with every byte of the input (FNV-1a).
  init(from bytes: [UInt8]) {
    self.init(seed: bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  /// A number in 0 ..< `bound`. If `bound` is 1 or less, the number is 0.
  mutating func below(_ bound: Int) -> Int {
    bound > 1 ? Int(next() >> 1) % bound : 0
  }
}

/// Reads all bytes, so that the address sanitizer checks the reads. With `@inline(never)` the
/// compiler does not remove the call.
@inline(never)
func touch(_ bytes: UnsafeRawBufferPointer) -> UInt8 {
  bytes.reduce(0, ^)
}

/// Like `precondition`, but also prints the message in an optimised build.
func require(
  _ condition: Bool, _ message: @autoclosure () -> String = "the contract is violated",
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}
