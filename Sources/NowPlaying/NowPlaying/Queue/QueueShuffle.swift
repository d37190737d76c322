/// The random order of a shuffled queue.
///
/// The order of a round depends only on the seed and on the numbers of the entries. So the list *Up Next* can show the
/// next round before it begins.
public enum QueueShuffle: Hashable, Sendable {
  /// The songs are in random order.
  case songs(seed: UInt64)
  /// The albums are in random order, and the songs of each album are in their own order.
  case albums(seed: UInt64)

  /// Nil if `mode` is `off`.
  public init?(_ mode: MediaCommand.ShuffleMode, seed: UInt64) {
    switch mode {
    case .off: return nil
    case .items: self = .songs(seed: seed)
    case .collections: self = .albums(seed: seed)
    }
  }

  /// The seed.
  public var seed: UInt64 {
    switch self {
    case .songs(let seed), .albums(let seed): seed
    }
  }

  /// The mode that surfaces show.
  public var mode: MediaCommand.ShuffleMode {
    switch self {
    case .songs: .items
    case .albums: .collections
    }
  }

  /// The order of the next round.
  var next: QueueShuffle {
    switch self {
    case .songs(let seed): .songs(seed: seed &+ 1)
    case .albums(let seed): .albums(seed: seed &+ 1)
    }
  }

  /// A number that looks random: the hash of an entry's number and of a seed, by SplitMix64 (Steele, Lea, Flood 2014).
  private static func hash(_ number: UInt64, _ seed: UInt64) -> UInt64 {
    var value = seed &+ number &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Sorts elements by the hashes of their numbers. Elements with equal hashes are in the order of their numbers.
  func mixed<Element>(_ elements: [Element], number: (Element) -> UInt32) -> [Element] {
    elements.map { (hash: Self.hash(UInt64(number($0)), seed), number: number($0), element: $0) }
      .sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }.map(\.element)
  }

  /// Puts new elements at random positions between others, and keeps the order of both.
  func merged<Element>(_ old: [Element], _ new: [Element]) -> [Element] {
    var (old, new) = (old[...], new[...])
    var result: [Element] = []
    result.reserveCapacity(old.count + new.count)
    while !old.isEmpty, !new.isEmpty {
      let count = UInt64(old.count + new.count)
      let isNew = Self.hash(count, seed &+ UInt64(new.count)) % count < UInt64(new.count)
      result.append(isNew ? new.removeFirst() : old.removeFirst())
    }
    return result + old + new
  }
}
