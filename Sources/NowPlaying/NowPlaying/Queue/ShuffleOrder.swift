/// The order of shuffled entries: each entry has a key, and the entries play in the order of their keys.
///
/// The key of an entry is a hash of its number, so a few numbers determine the whole order, *previous* is right after a
/// power cut, and an entry that comes or goes moves no other one. An entry that was put at a position of its own has a
/// key of its own.
public struct ShuffleOrder: Equatable, Sendable {
  /// Another seed gives another order.
  public let seed: UInt64
  /// The hash that comes first. The order begins with the entry that was current when the shuffle began.
  public let start: UInt64
  /// The keys of entries that were put at a position of their own.
  public internal(set) var keys: [Int: UInt64] = [:]

  /// - Parameter first: the number of the entry that comes first. Nil for any.
  public init(seed: UInt64, first: Int?) {
    self.seed = seed
    start = first.map { Self.hash($0, seed) } ?? 0
  }

  /// A saved order.
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

  /// Puts new entries at random positions behind an entry.
  mutating func add(_ ids: [Int], behind current: Int?) {
    guard let current else { return }
    let lowest = key(of: current)
    for id in ids {
      let key = key(of: id)
      // A position that was passed already would never play.
      if key <= lowest, lowest < .max { keys[id] = lowest + 1 + key % (.max - lowest) }
    }
  }

  /// Gives entries keys between two others. Returns false if there is no room for them.
  mutating func put(_ ids: [Int], after lower: Int?, before upper: Int?) -> Bool {
    let (low, high) = (lower.map(key) ?? 0, upper.map(key) ?? .max)
    guard high > low else { return false }
    let step = (high - low) / UInt64(ids.count + 1)
    guard step > 0 else { return false }
    for (index, id) in ids.enumerated() { keys[id] = low + step * UInt64(index + 1) }
    return true
  }

  /// Gives each entry a key of its own with the same room between them.
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
