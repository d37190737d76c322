// Edits of the queue. An edit can be undone until the next edit.
extension PlayQueue {
  /// Inserts items after the current entry, in the playing order and in the original order. Returns the numbers of the
  /// new entries.
  @discardableResult
  public mutating func playNext(_ items: [Item]) -> [Int] {
    beginEdit()
    let ids = items.map { newEntry($0).id }
    let index = index(after: currentID, in: contents.order)
    contents.ownOrder.insert(
      contentsOf: ids, at: self.index(after: currentID, in: contents.ownOrder))
    insert(ids, at: index)
    contents.currentID = currentID ?? ids.first
    return ids
  }

  /// Inserts an item after the current entry. Returns the number of the new entry.
  @discardableResult
  public mutating func playNext(_ item: Item) -> Int { playNext([item])[0] }

  /// Adds items: at the end, or at random positions after the current entry if the order is shuffled. Returns the
  /// numbers of the new entries.
  @discardableResult
  public mutating func append(_ items: [Item]) -> [Int] {
    beginEdit()
    let entries = items.map { nextEntry($0) }
    contents.append(entries)
    return entries.map(\.id)
  }

  /// Adds items as ``append(_:)`` does. The items belong to the list from which the queue was made, but were not known
  /// at that time. So this is not an edit: the last edit can still be undone, and undoing it keeps these items.
  public mutating func follow(with items: [Item]) {
    let entries = items.map { nextEntry($0) }
    contents.append(entries)
    undone?.append(entries)
    countFollowing()
  }

  /// Adds the items of another list at the end of the queue, and removes entries that were heard long ago. This cannot
  /// be undone.
  ///
  /// - Parameter kept: the number of entries before the current entry that are kept.
  public mutating func extend(_ items: [Item], keeping kept: Int) {
    append(items)
    undone = nil
    guard let index = currentID.flatMap({ index(of: $0) }), index > kept else { return }
    let removed = Set(contents.order[..<(index - kept)])
    contents.order.removeFirst(index - kept)
    contents.ownOrder.removeAll { removed.contains($0) }
    for id in removed {
      contents.table[id] = nil
      contents.shuffle?.keys[id] = nil
    }
    absent.subtract(removed)
  }

  /// Removes an entry. If this was the current entry, the next entry becomes current. If there is no next entry, the
  /// last entry becomes current. Returns false if no entry has this number.
  @discardableResult
  public mutating func remove(_ id: Int) -> Bool {
    guard let index = index(of: id) else { return false }
    beginEdit()
    contents.order.remove(at: index)
    contents.ownOrder.removeAll { $0 == id }
    contents.table[id] = nil
    contents.shuffle?.keys[id] = nil
    if currentID == id {
      let order = contents.order
      contents.currentID = index < order.count ? order[index] : order.last
    }
    return true
  }

  /// Moves an entry in the playing order. The original order does not change while the queue is shuffled.
  ///
  /// - Parameter other: the entry before which `id` is put. If nil, `id` is put at the end.
  /// - Returns: false if `id` or `other` is not in the queue.
  @discardableResult
  public mutating func move(_ id: Int, before other: Int?) -> Bool {
    guard let from = index(of: id), other.map({ index(of: $0) != nil }) ?? true else {
      return false
    }
    if id == other { return true }
    beginEdit()
    contents.order.remove(at: from)
    insert([id], at: other.flatMap { index(of: $0) } ?? contents.order.count)
    if !isShuffled { contents.ownOrder = contents.order }
    return true
  }

  /// Removes all entries except the current entry.
  public mutating func clear() {
    beginEdit()
    contents.table = current.map { [$0.id: $0.item] } ?? [:]
    contents.ownOrder = current.map { [$0.id] } ?? []
    contents.shuffle?.keys = [:]
    contents.order = contents.ownOrder
  }

  /// Undoes the last edit. The current entry stays current if it was in the queue before the edit. Returns false if
  /// there is nothing to undo.
  @discardableResult
  public mutating func undo() -> Bool {
    guard let before = undone else { return false }
    let current = currentID
    contents = before
    if let current, contents.table[current] != nil { contents.currentID = current }
    undone = nil
    revision += 1
    return true
  }

  /// Replaces all items. The new entries get new numbers. The first item that satisfies `isCurrent` becomes current. If
  /// no item satisfies it, the first entry becomes current, or a random entry if the order is shuffled. If the order
  /// was shuffled, the new entries are shuffled too. This cannot be undone.
  public mutating func replace(
    with items: some Sequence<Item>, current isCurrent: (Item) -> Bool,
    using random: inout some RandomNumberGenerator
  ) {
    let wasShuffled = isShuffled
    contents = Contents()
    undone = nil
    revision += 1
    // Without reserved capacity, a large queue needs twice its memory while it grows.
    contents.table.reserveCapacity(items.underestimatedCount)
    contents.ownOrder.reserveCapacity(items.underestimatedCount)
    for item in items {
      let entry = newEntry(item)
      contents.ownOrder.append(entry.id)
      if currentID == nil, isCurrent(item) { contents.currentID = entry.id }
    }
    contents.order = contents.ownOrder
    if wasShuffled {
      contents.currentID = currentID ?? contents.order.randomElement(using: &random)
      setShuffled(true, using: &random)
    } else {
      contents.currentID = currentID ?? contents.order.first
    }
  }

  /// Turns shuffle on or off. When shuffle is turned on, the current entry becomes the first entry, and the other
  /// entries follow in random order. When shuffle is turned off, the original order returns and the current entry stays
  /// current.
  ///
  /// - Parameter next: entries that will play next in any case, because a player already has them. They are put
  ///   directly after the current entry.
  public mutating func setShuffled(
    _ shuffled: Bool, next: [Int] = [], using random: inout some RandomNumberGenerator
  ) {
    guard shuffled != isShuffled else { return }
    undone = nil
    revision += 1
    contents.shuffle = shuffled ? ShuffleOrder(seed: random.next(), first: currentID) : nil
    contents.lastOfFormerRound = nil
    contents.arrange()
    if shuffled, let currentID { put(next, behind: currentID) }
  }

  // MARK: Parts

  /// Puts entries directly after the first entry of a shuffled order.
  mutating func put(_ next: [Int], behind first: Int) {
    var ids: [Int] = []
    for id in next where id != first && contents.table[id] != nil && !ids.contains(id) {
      ids.append(id)
    }
    guard !ids.isEmpty else { return }
    contents.order.removeAll { ids.contains($0) }
    insert(ids, at: 1)
  }

  private mutating func beginEdit() {
    undone = contents
    revision += 1
  }

  private func index(after id: Int?, in ids: [Int]) -> Int {
    id.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
  }

  /// Inserts entries at an index of the playing order.
  private mutating func insert(_ ids: [Int], at index: Int) {
    let lower = index > 0 ? contents.order[index - 1] : nil
    let upper = index < contents.order.count ? contents.order[index] : nil
    contents.order.insert(contentsOf: ids, at: index)
    guard isShuffled, contents.shuffle?.put(ids, after: lower, before: upper) == false else {
      return
    }
    contents.shuffle?.spread(contents.order)
  }

}

// MARK: Saving

extension PlayQueue {
  /// The values of a queue that are saved and restored.
  public struct Saved {
    /// The entries in the original order.
    public var entries: [Entry]
    /// The number of the current entry.
    public var currentID: Int?
    /// The shuffled order; nil if shuffle is off.
    public var shuffle: ShuffleOrder?

    public init(entries: [Entry], currentID: Int?, shuffle: ShuffleOrder?) {
      self.entries = entries
      self.currentID = currentID
      self.shuffle = shuffle
    }
  }

  /// The values to save.
  public var saved: Saved {
    Saved(entries: entries, currentID: currentID, shuffle: contents.shuffle)
  }

  /// Restores a saved queue. If several entries have the same number, only the first of these entries is used.
  public mutating func restore(_ saved: Saved) {
    contents = Contents()
    undone = nil
    revision += 1
    contents.table.reserveCapacity(saved.entries.count)
    contents.ownOrder.reserveCapacity(saved.entries.count)
    for entry in saved.entries where contents.table[entry.id] == nil {
      contents.table[entry.id] = entry.item
      contents.ownOrder.append(entry.id)
      lastID = max(lastID, entry.id)
    }
    contents.shuffle = saved.shuffle
    contents.currentID =
      saved.currentID.flatMap { contents.table[$0] == nil ? nil : $0 } ?? contents.ownOrder.first
    contents.arrange()
  }
}

extension PlayQueue.Entry {
  /// Creates an entry of a saved queue.
  public init(id: Int, _ item: Item) {
    self.init(id: id, item: item)
  }
}
