// What both fuzz targets share: sources that behave badly, and numbers drawn from the input.

/// A medium that gives less than it is asked for, as pipes and network mounts do, and that may
/// fail for good at some byte, as a pulled stick does.
final class UnrulyByteSource: ByteSource {
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
    guard end <= failsAt else { throw ByteSourceError(offset: offset, code: 5, reason: "gone") }
    for index in Int(offset)..<Int(end) { buffer[index - Int(offset)] = contents[index] }
    return Int(end - offset)
  }
}

/// xorshift64*: the same seed gives the same numbers, so that a crasher crashes again.
struct FuzzRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// Numbers that depend on every byte of the input (FNV-1a).
  init(from bytes: [UInt8]) {
    self.init(seed: bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  /// 0 ..< `bound`; 0 where there is no choice.
  mutating func below(_ bound: Int) -> Int {
    bound > 1 ? Int(next() >> 1) % bound : 0
  }
}

/// Optimised away it would read nothing, and the address sanitizer would have nothing to check.
@inline(never)
func touch(_ bytes: UnsafeRawBufferPointer) -> UInt8 {
  bytes.reduce(0, ^)
}

/// `precondition` keeps its words to itself in an optimised build.
func require(
  _ condition: Bool, _ words: @autoclosure () -> String = "a promise is broken",
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { fatalError(words(), file: file, line: line) }
}
