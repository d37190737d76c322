/// The order of shuffled entries: each entry has a key, and the entries play in the order of their keys.
///
/// The key of an entry is a hash of its number and of the seed. So only a few numbers must be saved, and *previous* is
/// correct after a power cut. If an entry is added or removed, the order of the other entries does not change. An entry
/// that was put at a certain position has a stored key instead of the hash.
public struct ShuffleOrder: Equatable, Sendable {
  /// The seed of the hash. Another seed gives another order.
  public let seed: UInt64
  /// The hash with which the order begins: 0, or the hash of the first entry. When shuffle is turned on, the current
  /// entry becomes the first entry.
  public let start: UInt64
  /// The stored keys of entries that were put at a certain position.
  public internal(set) var keys: [Int: UInt64] = [:]

  /// - Parameter first: the number of the entry with which the order begins. If nil, the order begins at the hash 0.
  public init(seed: UInt64, first: Int?) {
    self.seed = seed
    start = first.map { Self.hash($0, seed) } ?? 0
  }

  /// Creates an order from saved values.
  public init(seed: UInt64, start: UInt64, keys: [Int: UInt64]) {
    self.seed = seed
    self.start = start
    self.keys = keys
  }

  /// The key of an entry.
  public func key(of id: Int) -> UInt64 { keys[id] ?? Self.hash(id, seed) &- start }

  /// The entries in their order. Entries with the same key are in the order of their numbers.
  func sorted(_ ids: [Int]) -> [Int] {
    ids.map { (key: key(of: $0), id: $0) }.sorted { ($0.key, $0.id) < ($1.key, $1.id) }.map(\.id)
  }

  /// Puts new entries at random positions after the entry `current`.
  mutating func add(_ ids: [Int], behind current: Int?) {
    guard let current else { return }
    let lowest = key(of: current)
    for id in ids {
      let key = key(of: id)
      // An entry before the current entry would not play in this round.
      if key <= lowest, lowest < .max { keys[id] = lowest + 1 + key % (.max - lowest) }
    }
  }

  /// Gives entries keys between the keys of `lower` and `upper`. Returns false if there are not enough numbers between
  /// these two keys.
  mutating func put(_ ids: [Int], after lower: Int?, before upper: Int?) -> Bool {
    let (low, high) = (lower.map(key) ?? 0, upper.map(key) ?? .max)
    guard high > low else { return false }
    let step = (high - low) / UInt64(ids.count + 1)
    guard step > 0 else { return false }
    for (index, id) in ids.enumerated() { keys[id] = low + step * UInt64(index + 1) }
    return true
  }

  /// Stores a key for each entry, with equal distances between the keys.
  mutating func spread(_ ids: [Int]) {
    let step = UInt64.max / UInt64(ids.count + 1)
    for (index, id) in ids.enumerated() { keys[id] = step * UInt64(index + 1) }
  }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  static func hash(_ id: Int, _ seed: UInt64) -> UInt64 {
    var value = seed &+ UInt64(bitPattern: Int64(id)) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
