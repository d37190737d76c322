/// Returns the same numbers for the same seed on every machine (algorithm: SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func seconds(_ range: ClosedRange<Double>) -> Duration {
    .seconds(Double.random(in: range, using: &self))
  }
}
