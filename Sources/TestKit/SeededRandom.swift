/// Returns the same numbers for the same seed on every machine (algorithm: SplitMix64).
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator with a seed.
  public init(_ seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns a number from 0 to `bound` − 1.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  /// Returns true in `percent` of 100 cases.
  public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  /// Returns a time in the range, which is in seconds.
  public mutating func seconds(_ range: ClosedRange<Double>) -> Duration {
    .seconds(Double.random(in: range, using: &self))
  }
}
