// The rounds of a shuffled queue that repeats. Each round has another order, and begins with another track than the last
// one that was heard.
extension PlayQueue {
  /// True if this entry begins the next round, and the current entry ends this one.
  public func beginsRound(with id: Int) -> Bool {
    guard let currentID, lastOfRound == currentID else { return false }
    return id == nextRound?.first
  }

  /// The entry that this round ends with.
  private var lastOfRound: Int? {
    guard let index = currentID.flatMap(index) else { return nil }
    return contents.order[(index + 1)...].last { !passesOver($0) } ?? currentID
  }

  /// Begins the next round: its order becomes the playing order, and its first entry becomes current.
  ///
  /// - Parameter next: entries that will play next in any case, because a player already has them.
  ///   They come directly after the current entry.
  public mutating func beginRound(next: [Int] = []) {
    guard let nextRound else { return }
    undone = nil
    revision += 1
    let last = currentID
    contents.shuffle = nextRound.order
    contents.arrange()
    contents.currentID = nextRound.first
    contents.lastOfFormerRound = last
    put(next, behind: nextRound.first)
  }

  /// The order and the first entry of the next round. Nil without shuffle or repeat, and if there are not two
  /// entries that can play.
  private var nextRound: (order: ShuffleOrder, first: Int)? {
    guard repeatMode != .off, let shuffle = contents.shuffle, let last = lastOfRound else {
      return nil
    }
    return shuffle.nextRound(
      of: contents.ownOrder.lazy.filter { !passesOver($0) }, after: last)
  }

  /// The entry after the last one of the playing order; nil if the queue ends there.
  func followingTheLast(at index: Int) -> Int? {
    if repeatMode == .off { return nil }
    return nextRound?.first ?? contents.order[...index].first { !passesOver($0) }
  }

  /// The entry before the first one of the playing order; nil if the queue begins there.
  func precedingTheFirst(at index: Int) -> Int? {
    if repeatMode == .off { return nil }
    if let last = contents.lastOfFormerRound, contents.table[last] != nil, !passesOver(last) {
      return last
    }
    return contents.order[index...].last { !passesOver($0) }
  }

  /// Makes *previous* go from the current entry to `id`, which was heard before this order was made. Only a shuffled
  /// order changes: it begins with the two entries.
  public mutating func setPreceding(_ id: Int) {
    guard let shuffle = contents.shuffle, let currentID, id != currentID,
      contents.table[id] != nil, preceding(currentID) != id
    else { return }
    undone = nil
    revision += 1
    var order = ShuffleOrder(seed: shuffle.seed, first: id)
    order.keys[currentID] = 1
    contents.shuffle = order
    contents.arrange()
  }

  /// Notes what was heard last in the round before this one, in a queue that was restored at the beginning of a round.
  public mutating func setLastOfFormerRound(_ id: Int) {
    guard isShuffled, contents.order.first == currentID, id != currentID else { return }
    contents.lastOfFormerRound = id
  }

  /// The entries that would play after the current entry if people pressed *next* again and again.
  /// Each entry appears at most once.
  ///
  /// - Parameter last: an entry that plays after the current one in any case. The result begins behind it.
  public func upNext(limit: Int, after last: Int? = nil) -> [Entry] {
    guard let currentID, let index = index(of: currentID) else { return [] }
    var ids = contents.order[(index + 1)...].filter { !passesOver($0) }
    if repeatMode != .off, ids.count < limit || last.map({ !ids.contains($0) }) ?? false {
      let seen = Set(ids)
      let further = nextRound?.order.sorted(contents.ownOrder)[...] ?? contents.order[..<index]
      ids += further.filter { !passesOver($0) && !seen.contains($0) }
    }
    if let last, let index = ids.firstIndex(of: last) { ids.removeSubrange(...index) }
    return ids.lazy.filter { $0 != currentID }.prefix(limit).compactMap(entry)
  }
}

extension ShuffleOrder {
  /// Another order of these entries, and its first entry. It does not begin with `last`. Nil if there are not two
  /// entries.
  func nextRound(of ids: some Sequence<Int>, after last: Int) -> (order: ShuffleOrder, first: Int)?
  {
    var order = ShuffleOrder(seed: Self.hash(1, seed), start: 0, keys: [:])
    func isBefore(_ one: Int, _ other: Int) -> Bool {
      (order.key(of: one), one) < (order.key(of: other), other)
    }
    guard let first = ids.lazy.filter({ $0 != last }).min(by: isBefore) else { return nil }
    // The keys are counted from the start on, so everything before it comes last.
    if isBefore(last, first) { order = ShuffleOrder(seed: order.seed, first: first) }
    return (order, first)
  }
}
