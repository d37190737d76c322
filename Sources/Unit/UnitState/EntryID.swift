/// The number of an entry of a queue. A saved queue can contain any number, so this type has a limit.
public struct EntryID: Hashable, Comparable, Sendable {
  /// The largest number that a saved queue can contain. New entries get numbers above the largest saved number. The
  /// limit is so small that these new numbers cannot overflow.
  public static let maximum: UInt32 = 1 << 30

  /// The number, 1 … ``maximum``.
  public let number: UInt32

  /// Returns nil if the number is outside of 1 … ``maximum``.
  public init?(_ number: some BinaryInteger) {
    guard let number = UInt32(exactly: number), (1...Self.maximum).contains(number) else {
      return nil
    }
    self.number = number
  }

  /// Returns the numbers of all entries. An entry without a number gets the lowest number that no other entry has.
  public static func numbered(_ ids: [EntryID?]) -> [EntryID] {
    var used = Set(ids.compactMap { $0 })
    var next: UInt32 = 0
    return ids.map { id in
      if let id { return id }
      while true {
        next &+= 1
        if let free = EntryID(next), used.insert(free).inserted { return free }
      }
    }
  }

  /// Compares the numbers of two entries.
  public static func < (left: EntryID, right: EntryID) -> Bool { left.number < right.number }
}
