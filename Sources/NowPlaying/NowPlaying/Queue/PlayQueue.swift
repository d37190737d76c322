/// The playing order and its current entry. This is a value that uses neither files nor sound.
///
/// Shuffle is a permutation of the whole queue. So *previous* returns through the tracks that were heard, and no entry
/// plays again before all entries have played. If the queue repeats, each round has another permutation. The number of
/// an entry stays the same when the order changes. So a number that was given to a player in advance remains valid.
///
/// An entry may be absent, because its stick is not there. It keeps its position, and is passed over.
public struct PlayQueue<Item> {
  /// An item in the queue, with its number.
  public struct Entry: Identifiable {
    /// The number of the entry, which the queue never uses twice.
    public let id: Int
    /// The item to play.
    public let item: Item
  }

  /// What an edit changes, and what its undoing restores.
  struct Contents {
    /// Items by the numbers of their entries. A search through a list would be too slow.
    var table: [Int: Item] = [:]
    /// Entry numbers in the original order, without shuffle.
    var ownOrder: [Int] = []
    /// Nil if the playing order is the original order.
    var shuffle: ShuffleOrder?
    /// Entry numbers in playing order.
    var order: [Int] = []
    var currentID: Int?
    /// The entry that was heard last in the round before this one.
    var lastOfFormerRound: Int?

    /// Computes the playing order.
    mutating func arrange() { order = shuffle?.sorted(ownOrder) ?? ownOrder }

    /// Adds entries at the end. If the order is shuffled, they are added at random positions after the current entry.
    mutating func append(_ entries: [Entry]) {
      for entry in entries { table[entry.id] = entry.item }
      let ids = entries.map(\.id)
      ownOrder += ids
      shuffle?.add(ids, behind: currentID)
      arrange()
      currentID = currentID ?? order.first
    }

    mutating func update(_ change: (Item) -> Item?) {
      for (id, item) in table {
        if let item = change(item) { table[id] = item }
      }
    }
  }

  var contents = Contents()
  /// The contents before the last edit. Nil if there is nothing to undo.
  var undone: Contents?
  /// The entries that cannot be played now.
  public internal(set) var absent: Set<Int> = []
  /// The entries that a shuffled order leaves out.
  private var avoided: Set<Int> = []
  /// The repeat mode, which applies at the end of a track and of the queue.
  public var repeatMode = MediaCommand.RepeatMode.off
  /// Counts the changes of the entries and of their order.
  public internal(set) var revision = 0 { didSet { editRevision = revision } }
  /// The revision of the last change that was more than songs that follow. An edit that was made for this revision, or
  /// a later one, finds each entry that it names.
  public private(set) var editRevision = 0
  var lastID = 0

  /// Creates an empty queue.
  public init() {}

  /// Creates a queue of these items in order. The first item is current.
  public init(_ items: some Sequence<Item>) {
    for item in items { contents.ownOrder.append(newEntry(item).id) }
    contents.order = contents.ownOrder
    contents.currentID = contents.order.first
  }

  // MARK: Reading

  /// The number of the current entry; nil if the queue is empty.
  public var currentID: Int? { contents.currentID }

  /// The current entry; nil if the queue is empty.
  public var current: Entry? { currentID.flatMap(entry) }

  /// All entries in the original order, without shuffle.
  public var entries: [Entry] { contents.ownOrder.compactMap(entry) }

  /// The numbers of all entries, in the playing order.
  public var ids: [Int] { contents.order }

  /// Number of entries.
  public var count: Int { contents.order.count }

  /// True if the playing order is shuffled.
  public var isShuffled: Bool { contents.shuffle != nil }

  /// The shuffled order; nil without shuffle.
  public var shuffle: ShuffleOrder? { contents.shuffle }

  /// An entry by its number.
  public func entry(_ id: Int) -> Entry? { contents.table[id].map { Entry(id: id, item: $0) } }

  /// The index of an entry in the playing order, from 0.
  public func index(of id: Int) -> Int? { contents.order.firstIndex(of: id) }

  /// True if there is an edit that can be undone.
  public var canUndo: Bool { undone != nil }

  /// All entries in the playing order.
  public var playingOrder: [Entry] { contents.order.compactMap(entry) }

  /// The entries at these indices of the playing order. Indices behind the end are left out.
  public func playingOrder(_ indices: Range<Int>) -> [Entry] {
    contents.order[indices.clamped(to: 0..<contents.order.count)].compactMap(entry)
  }

  /// The entry after `id`; nil at the end. Absent entries are passed over, and in a shuffled order avoided ones.
  /// `isAsked` is true if a command requested the next entry. In this case the repeat mode `one` acts like `all`.
  public func following(_ id: Int, isAsked: Bool) -> Int? {
    guard let index = index(of: id) else { return nil }
    if repeatMode == .one, !isAsked, !absent.contains(id) { return id }
    let order = contents.order
    return order[(index + 1)...].first { !passesOver($0) } ?? followingTheLast(at: index)
  }

  /// The entry before `id`; nil at the beginning. Absent entries are passed over.
  public func preceding(_ id: Int) -> Int? {
    guard let index = index(of: id) else { return nil }
    let order = contents.order
    return order[..<index].last { !passesOver($0) } ?? precedingTheFirst(at: index)
  }

  // MARK: Moving

  /// Makes an entry current. Returns false if no entry has this number.
  @discardableResult
  public mutating func move(to id: Int) -> Bool {
    guard contents.table[id] != nil else { return false }
    contents.currentID = id
    return true
  }

  /// Moves to the following entry and returns it. If no entry follows, the result is nil, and the current entry stays
  /// current.
  @discardableResult
  public mutating func advance(isAsked: Bool) -> Entry? {
    guard let id = currentID.flatMap({ following($0, isAsked: isAsked) }) else { return nil }
    if beginsRound(with: id) { beginRound() } else { contents.currentID = id }
    return entry(id)
  }

  /// Moves to the preceding entry and returns it. If no entry precedes, the result is nil, and the current entry stays
  /// current.
  @discardableResult
  public mutating func goBack() -> Entry? {
    guard let id = currentID.flatMap(preceding) else { return nil }
    contents.currentID = id
    return entry(id)
  }

  // MARK: Presence

  /// Notes which entries cannot be played now.
  public mutating func setAbsent(_ isAbsent: (Item) -> Bool) {
    absent = []
    for (id, item) in contents.table where isAbsent(item) { absent.insert(id) }
  }

  /// Notes which entries a shuffled order leaves out, for example disliked ones. An entry that a person chooses plays
  /// in any case.
  public mutating func setAvoided(_ isAvoided: (Item) -> Bool) {
    avoided = []
    for (id, item) in contents.table where isAvoided(item) { avoided.insert(id) }
    // An order of nothing else plays them.
    if contents.table.keys.allSatisfy({ absent.contains($0) || avoided.contains($0) }) {
      avoided = []
    }
  }

  /// An entry that a shuffled order may begin with. Nil if no entry can play.
  public func randomID(using random: inout some RandomNumberGenerator) -> Int? {
    contents.order.filter { !absent.contains($0) && !avoided.contains($0) }
      .randomElement(using: &random)
  }

  /// True if *next* and *previous* pass over this entry.
  public func passesOver(_ id: Int) -> Bool {
    absent.contains(id) || isShuffled && avoided.contains(id)
  }

  /// Replaces the items of entries, for example after their files got other paths.
  /// - Parameter isEdit: the change counts in ``revision``.
  public mutating func update(isEdit: Bool = false, _ change: (Item) -> Item?) {
    contents.update(change)
    undone?.update(change)
    if isEdit { revision += 1 }
  }

  /// Counts a change that makes no edit outdated.
  mutating func countFollowing() {
    let last = editRevision
    revision += 1
    editRevision = last
  }

  mutating func newEntry(_ item: Item) -> Entry {
    let entry = nextEntry(item)
    contents.table[entry.id] = item
    return entry
  }

  /// Gives an item a number. The entry is not in the queue yet.
  mutating func nextEntry(_ item: Item) -> Entry {
    lastID += 1
    return Entry(id: lastID, item: item)
  }

  // MARK: Rounds

  // The rounds of a shuffled queue that repeats. Each round has another order, and begins with another track than the
  // last one that was heard.

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
  /// - Parameter next: entries that will play next in any case, because a player already has them. They come directly
  ///   after the current entry.
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

  /// The order and the first entry of the next round. Nil without shuffle or repeat, and if there are not two entries
  /// that can play.
  private var nextRound: (order: ShuffleOrder, first: Int)? {
    guard repeatMode != .off, let shuffle = contents.shuffle, let last = lastOfRound else {
      return nil
    }
    return shuffle.nextRound(
      of: contents.ownOrder.lazy.filter { !passesOver($0) }, after: last)
  }

  /// The entry after the last one of the playing order; nil if the queue ends there.
  private func followingTheLast(at index: Int) -> Int? {
    if repeatMode == .off { return nil }
    return nextRound?.first ?? contents.order[...index].first { !passesOver($0) }
  }

  /// The entry before the first one of the playing order; nil if the queue begins there.
  private func precedingTheFirst(at index: Int) -> Int? {
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

  /// The entries that would play after the current entry if people pressed *next* again and again. Each entry appears
  /// at most once.
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

extension PlayQueue.Entry: Sendable where Item: Sendable {}
extension PlayQueue.Entry: Equatable where Item: Equatable {}
extension PlayQueue.Contents: Sendable where Item: Sendable {}
extension PlayQueue.Contents: Equatable where Item: Equatable {}
extension PlayQueue: Sendable where Item: Sendable {}
extension PlayQueue: Equatable where Item: Equatable {}

extension ShuffleOrder {
  /// Another order of these entries, and its first entry. It does not begin with `last`. Nil if there are not two
  /// entries.
  fileprivate func nextRound(of ids: some Sequence<Int>, after last: Int) -> (
    order: ShuffleOrder, first: Int
  )? {
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
