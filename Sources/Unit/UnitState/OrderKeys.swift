// The versions 1 and 2 of the encoded queue differ from version 3 in the shuffled order, and version 1 has no stamps:
//
//     (1) if the queue is shuffled: seed, start, number of keys; of each key: number of the entry, key
//
// Flags, the added list and wishes do not follow.

/// A shuffled order of the versions 1 and 2. Each entry has a key, and the entries play in the order of their keys.
struct OrderKeys {
  let seed: UInt64
  private let start: UInt64
  /// The keys of the entries that were moved to another position.
  private var keys: [EntryID: UInt64] = [:]
  private var entries: [(key: UInt64, index: Int)] = []

  init(_ reader: inout QueueReader) throws(UnitStateError) {
    seed = try reader.number()
    start = try reader.number()
    for _ in 0..<(try reader.count(SavedQueue.maximumEntries)) {
      let id = try reader.id()
      let key = try reader.number()
      if let id { keys[id] = key } else { reader.damage.note("order") }
    }
  }

  /// Adds the next entry of the list. An entry without a number is the last one.
  mutating func add(_ id: EntryID?) {
    let key = id.map { keys[$0] ?? hash($0) &- start } ?? .max
    entries.append((key, entries.count))
  }

  /// The indices of the entries in the playing order.
  var order: [Int] { entries.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.index) }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  private func hash(_ id: EntryID) -> UInt64 {
    var value = seed &+ UInt64(clamping: id.number) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
