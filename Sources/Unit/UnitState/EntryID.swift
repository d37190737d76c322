/// The number of an entry of a queue. A saved queue may have any number, so a value of this type is within its limit.
public struct EntryID: Hashable, Comparable, Sendable {
  /// The largest number. A run that begins with it can make two thousand million entries before the numbers of a saved
  /// queue are as large as their type.
  public static let maximum: UInt32 = 1 << 30

  /// The number, 1 … ``maximum``.
  public let number: UInt32

  /// Nil outside of the limit.
  public init?(_ number: some BinaryInteger) {
    guard let number = UInt32(exactly: number), (1...Self.maximum).contains(number) else {
      return nil
    }
    self.number = number
  }

  /// Gives the entries without a number the lowest numbers that no other entry has.
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

  /// The lower number is less.
  public static func < (left: EntryID, right: EntryID) -> Bool { left.number < right.number }
}
