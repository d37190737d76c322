/// The random number generator SplitMix64. The code is small, and the numbers are the same on every machine.
struct Randomness: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(in range: ClosedRange<UInt64>) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return range.lowerBound + bits % (range.upperBound - range.lowerBound + 1)
  }
}
