// Edits of the queue by a person, which ``undo()`` can undo, and changes that the unit makes by itself.
extension PlayQueue {
  // MARK: Edits

  /// Inserts items behind the current entry and behind the items that were inserted in this way and still wait, in the
  /// playing order and in the list's own order. Returns the numbers of the new entries.
  @discardableResult
  public mutating func playNext(_ items: [Item], at moment: QueueMoment) -> [ID] {
    addStep(at: moment)
    let ids = items.map { newID($0) }
    insert(ids, .next, at: indexAfterWishes)
    return ids
  }

  /// Adds items at the end, in the playing order and in the list's own order. Returns the numbers of the new entries.
  @discardableResult
  public mutating func append(_ items: [Item], at moment: QueueMoment) -> [ID] {
    addStep(at: moment)
    let ids = items.map { newID($0) }
    insert(ids, .last, at: contents.order.count)
    return ids
  }

  /// Inserts entries that a person wants at an index of the playing order.
  private mutating func insert(_ ids: [ID], _ wish: Wish, at index: Int) {
    for id in ids { contents.wishes[id] = wish }
    contents.order.insert(contentsOf: ids, at: index)
    if isShuffled {
      // In the list's own order, the entries follow the same entry as in the playing order.
      let before = wish == .next && index > 0 ? contents.order[index - 1] : nil
      let own = before.flatMap { contents.list.firstIndex(of: $0) }.map { $0 + 1 }
      contents.list.insert(contentsOf: ids, at: own ?? (wish == .next ? 0 : contents.list.count))
    } else {
      contents.list = contents.order
    }
    if contents.at == nil, !ids.isEmpty { contents.at = 0 }
    contents.isChosen = true
    noteChange(removes: true)
  }

  /// Removes an entry. If this was the current entry, the next entry becomes current. If there is no next entry, the
  /// last entry becomes current. Returns false if no entry has this number.
  @discardableResult
  public mutating func remove(_ id: ID, at moment: QueueMoment) -> Bool {
    guard let index = index(of: id), let at = contents.at else { return false }
    addStep(at: moment)
    if index == at { remember() }
    leaveLastList(id)
    contents.order.remove(at: index)
    contents.list.removeAll { $0 == id }
    contents.wishes[id] = nil
    let last = contents.order.count - 1
    contents.at = last < 0 ? nil : min(index < at ? at - 1 : at, last)
    if index > at, at == last { contents.isEmptied = true }
    contents.context?.isReduced = true
    contents.isChosen = true
    noteChange(removes: true)
    return true
  }

  /// Moves an entry in the playing order. The list's own order does not change while the queue is shuffled.
  ///
  /// - Parameter other: the entry before which `id` is put. If nil, `id` is put at the end.
  /// - Returns: false if `id` or `other` is not in the queue.
  @discardableResult
  public mutating func move(_ id: ID, before other: ID?, at moment: QueueMoment) -> Bool {
    guard let from = index(of: id), other.map({ index(of: $0) != nil }) ?? true else {
      return false
    }
    if id == other { return true }
    addStep(at: moment)
    let current = currentID
    contents.order.remove(at: from)
    contents.order.insert(id, at: other.flatMap { index(of: $0) } ?? contents.order.count)
    contents.at = current.flatMap { index(of: $0) }
    contents.wishes[id] = nil
    if !isShuffled {
      leaveLastList(id)
      contents.list = contents.order
    }
    contents.isChosen = true
    noteChange(removes: true)
    return true
  }

  /// If this entry begins the list that was added last, the entry after it now begins it.
  private mutating func leaveLastList(_ id: ID) {
    guard contents.lastList == id, let index = contents.list.firstIndex(of: id) else { return }
    contents.lastList = contents.list[(index + 1)...].first
  }

  /// Removes all entries except the current entry.
  public mutating func clear(at moment: QueueMoment) {
    addStep(at: moment)
    if let context = currentList?.context { contents.context = context }
    (contents.lastList, contents.earlierLists) = (nil, [])
    contents.list = currentID.map { [$0] } ?? []
    contents.order = contents.list
    contents.at = contents.list.isEmpty ? nil : 0
    contents.wishes = [:]
    contents.isEmptied = true
    contents.context?.isReduced = true
    contents.isChosen = true
    noteChange(removes: true)
    dropUnreachable()
  }

  /// Replaces the queue with a list that a person has chosen.
  ///
  /// - Parameters:
  ///   - first: the index of the item that becomes current. If nil, the first item becomes current, or with shuffle any
  ///     item.
  ///   - mode: the order of playback.
  ///   - seed: a random number.
  public mutating func choose(
    _ new: [Item], first: Int?, from context: QueueContext, _ mode: MediaCommand.ShuffleMode,
    seed: UInt64, at moment: QueueMoment
  ) {
    // A queue that was neither chosen nor heard is not worth a step.
    if contents.at != nil, contents.isChosen || contents.isCurrentHeard { addStep(at: moment) }
    contents = Contents()
    begin(new)
    contents.shuffle = QueueShuffle(mode, seed: seed)
    contents.context = context
    contents.isChosen = true
    if let first, contents.list.indices.contains(first) {
      contents.at = first
      arrange()
    } else if let shuffle = contents.shuffle {
      contents.order = mixed(contents.list, shuffle)
    }
    dropUnreachable()
  }

  // MARK: Changes of the unit

  /// Adds items of the list from which the queue was made, which were not known when the list was chosen. This is not
  /// an edit: undoing an earlier edit keeps these items. They come before the songs that a person wants last. In a
  /// shuffled order they get random positions in front.
  public mutating func follow(with new: [Item]) {
    let ids = new.map { newID($0) }
    let current = currentID.flatMap { contents.list.firstIndex(of: $0) } ?? -1
    contents.list.insert(
      contentsOf: ids, at: max(indexOfLastWishes(in: contents.list), current + 1))
    if let shuffle = contents.shuffle, contents.at != nil {
      mixIn(ids, shuffle)
    } else {
      contents.order = contents.list
    }
    if contents.at == nil, !contents.list.isEmpty { contents.at = 0 }
    addToSteps(ids)
    noteChange(removes: false)
  }

  /// Adds the items of another list at the end of the queue, and removes entries that were heard long ago. This is not
  /// an edit.
  ///
  /// - Parameter kept: the number of entries before the current entry that are kept.
  public mutating func extend(_ new: [Item], from context: QueueContext, keeping kept: Int) {
    let ids = new.map { newID($0) }
    contents.list += ids
    contents.order += contents.shuffle.map { mixed(ids, $0) } ?? ids
    if contents.at == nil, !contents.list.isEmpty { contents.at = 0 }
    if let earlier = contents.context {
      contents.earlierLists.append(EarlierList(context: earlier, first: contents.lastList))
      // More lists are not kept in front of the current one.
      if contents.earlierLists.count > 100 { contents.earlierLists.removeFirst() }
    }
    contents.context = context
    contents.lastList = ids.first
    addToSteps(ids)
    for index in steps.indices where steps[index].generation == generation {
      steps[index].contents.context = contents.context
      steps[index].contents.lastList = contents.lastList
      steps[index].contents.earlierLists = contents.earlierLists
    }
    guard let at = contents.at, at > kept else { return noteChange(removes: false) }
    noteChange(removes: true)
    let removed = Set(contents.order[..<(at - kept)])
    contents.order.removeFirst(at - kept)
    contents.at = kept
    contents.list.removeAll { removed.contains($0) }
    for id in removed { contents.wishes[id] = nil }
    removeFromSteps(removed)
    absent.subtract(removed)
    dropUnreachable()
  }

  /// Replaces all items with the present files of the unit, if no person has chosen a queue. What was heard and the
  /// current entry stay, if the new items contain these songs. This is not an edit.
  ///
  /// - Parameters:
  ///   - isCurrent: true for the current item. If there is no such item, the first item becomes current, or with
  ///     shuffle any item.
  ///   - seed: a random number.
  public mutating func setAll(
    _ new: some Sequence<Item>, isCurrent: (Item) -> Bool, seed: UInt64
  ) {
    let (shuffle, wasHeard) = (contents.shuffle, contents.isCurrentHeard)
    let heard = (lostHeard + contents.heard.compactMap { items[$0]?.songKey })
      .suffix(Self.heardLimit)
    contents = Contents()
    begin(new)
    contents.shuffle = QueueShuffle(shuffle?.mode ?? .off, seed: seed)
    if let at = contents.list.firstIndex(where: { items[$0].map(isCurrent) ?? false }) {
      contents.at = at
      contents.isCurrentHeard = wasHeard
      arrange()
    } else if let shuffle = contents.shuffle {
      contents.order = mixed(contents.list, shuffle)
    }
    if !heard.isEmpty {
      let keys = Set(heard)
      var ids: [UInt64: ID] = [:]
      for id in contents.list {
        if let key = items[id]?.songKey, keys.contains(key) { ids[key] = ids[key] ?? id }
      }
      contents.heard = heard.compactMap { ids[$0] }
      lostHeard = heard.filter { ids[$0] == nil }
    }
    dropUnreachable()
  }

  /// Makes these items the list. The first item is current.
  private mutating func begin(_ new: some Sequence<Item>) {
    lastGeneration += 1
    generation = lastGeneration
    // If no step returns to the old items, they are released first: a large queue is in memory only once.
    if steps.isEmpty { items = [:] }
    // Without reserved capacity, a large queue needs twice its memory while it grows.
    items.reserveCapacity(items.count + new.underestimatedCount)
    contents.list.reserveCapacity(new.underestimatedCount)
    for item in new { contents.list.append(newID(item)) }
    contents.order = contents.list
    contents.at = contents.list.isEmpty ? nil : 0
    noteChange(removes: true)
  }
}

// MARK: Saving

extension PlayQueue {
  /// The values of a queue that are saved and restored, without its entries.
  public struct Saved {
    /// The numbers of the entries in the playing order. Nil if it is the list's own order.
    public var order: [ID]?
    /// The number of the current entry.
    public var currentID: ID?
    /// Nil without shuffle.
    public var shuffle: QueueShuffle?
    /// The songs that a person wants next or last, and that have not played yet.
    public var wishes: [ID: Wish] = [:]
    /// The entries that were current before, the latest last.
    public var heard: [ID] = []
    /// See ``PlayQueue/context``.
    public var context: QueueContext?
    /// The first entry of the list that was added last.
    public var lastList: ID?
    /// See ``PlayQueue/isEmptied``.
    public var isEmptied = false
    /// See ``PlayQueue/hasEnded``.
    public var hasEnded = false

    public init() {}
  }

  /// The number of songs that a person wants next or last, and that have not played yet.
  public var wishCount: Int { contents.wishes.count }

  /// The values to save.
  public var saved: Saved {
    var saved = Saved()
    saved.order = isShuffled ? contents.order : nil
    saved.currentID = currentID
    saved.shuffle = contents.shuffle
    saved.wishes = contents.wishes
    saved.heard = contents.heard
    saved.context = contents.context
    saved.lastList = contents.lastList
    saved.isEmptied = contents.isEmptied
    saved.hasEnded = contents.hasEnded
    return saved
  }

  /// Restores a saved queue, which a person has chosen. If several entries have the same number, only the first of them
  /// is used. Numbers without an entry are ignored.
  ///
  /// - Parameter entries: the entries in the list's own order.
  public mutating func restore(_ entries: some Sequence<Entry>, _ saved: Saved) {
    contents = Contents()
    steps = []
    begin([])
    for entry in entries where items[entry.id] == nil {
      items[entry.id] = entry.item
      contents.list.append(entry.id)
      lastID = max(lastID, entry.id)
    }
    contents.order = saved.order.map { permutation($0) } ?? contents.list
    contents.shuffle = saved.order == nil ? nil : saved.shuffle
    contents.wishes = saved.wishes.filter { items[$0.key] != nil }
    contents.context = saved.context
    contents.lastList = saved.lastList.flatMap { items[$0] == nil ? nil : $0 }
    (contents.isEmptied, contents.hasEnded) = (saved.isEmptied, saved.hasEnded)
    contents.at = contents.order.isEmpty ? nil : saved.currentID.flatMap { index(of: $0) } ?? 0
    contents.isChosen = true
    contents.isCurrentHeard = true
    setHeard(saved.heard)
    // The queue is not saved when a song plays, so a saved wish can be of a song that has played.
    for id in contents.heard { contents.wishes[id] = nil }
    if let currentID { contents.wishes[currentID] = nil }
  }

  /// A permutation of the list that begins with `ids`.
  private func permutation(_ ids: [ID]) -> [ID] {
    var left = Set(contents.list)
    return ids.filter { left.remove($0) != nil } + contents.list.filter { left.contains($0) }
  }
}
