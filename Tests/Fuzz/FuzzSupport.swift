// Code that the fuzz targets share.

/// xorshift64*: equal seeds give equal numbers, so that a crash can be reproduced.
struct FuzzRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// Computes the seed from all bytes of the input (FNV-1a).
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

/// Reads all bytes, so that the address sanitizer checks the reads. With `@inline(never)` the compiler does not remove
/// the call.
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
