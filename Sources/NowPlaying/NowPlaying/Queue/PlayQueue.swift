/// The playing order and its current entry. This is a value that uses neither files nor sound.
///
/// Shuffle is a permutation of the whole queue. So *previous* goes back through the tracks that were heard, and no
/// entry plays again before all entries have played. If the queue repeats, each round has another permutation. The
/// number of an entry stays the same when the order changes. So a number that was given to a player in advance remains
/// valid.
///
/// An entry is absent while its stick is not connected. An absent entry keeps its position in the order, but is passed
/// over.
public struct PlayQueue<Item> {
  /// An item in the queue, with its number.
  public struct Entry: Identifiable {
    /// The number of the entry. The queue never uses a number twice.
    public let id: Int
    /// The item to play.
    public let item: Item
  }

  /// The values that an edit changes, and that ``undo()`` restores.
  struct Contents {
    /// The items. The key is the number of the entry. An array would make the search for a number too slow.
    var table: [Int: Item] = [:]
    /// Entry numbers in the original order, without shuffle.
    var ownOrder: [Int] = []
    /// Nil if the playing order is the original order.
    var shuffle: ShuffleOrder?
    /// Entry numbers in playing order.
    var order: [Int] = []
    var currentID: Int?
    /// The entry that was heard last in the previous round.
    var lastOfFormerRound: Int?

    /// Computes the playing order.
    mutating func arrange() { order = shuffle?.sorted(ownOrder) ?? ownOrder }

    /// Adds entries at the end. If the order is shuffled, the entries are added at random positions after the current
    /// entry.
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
  /// The entries that do not play in a shuffled order.
  private var avoided: Set<Int> = []
  /// The repeat mode, which applies at the end of a track and of the queue.
  public var repeatMode = MediaCommand.RepeatMode.off
  /// Counts the changes of the entries and of their order.
  public internal(set) var revision = 0 { didSet { editRevision = revision } }
  /// The revision of the last change other than ``follow(with:)``. If the sender of an edit has seen this revision or a
  /// later revision, all entries that the edit names still exist.
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

  /// The entries at these indices of the playing order. Indices after the end are ignored.
  public func playingOrder(_ indices: Range<Int>) -> [Entry] {
    contents.order[indices.clamped(to: 0..<contents.order.count)].compactMap(entry)
  }

  /// The entry after `id`; nil at the end. Absent entries are passed over. In a shuffled order, avoided entries are
  /// passed over too. `isAsked` is true if a command requested the next entry. In this case the repeat mode `one` acts
  /// like `all`.
  public func following(_ id: Int, isAsked: Bool) -> Int? {
    guard let index = index(of: id) else { return nil }
    if repeatMode == .one, !isAsked, !absent.contains(id) { return id }
    let order = contents.order
    return order[(index + 1)...].first { !passesOver($0) } ?? followingTheLast(at: index)
  }

  /// The entry before `id`; nil at the beginning. The same entries as in ``following(_:isAsked:)`` are passed over.
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

  /// Stores which entries cannot be played now.
  public mutating func setAbsent(_ isAbsent: (Item) -> Bool) {
    absent = []
    for (id, item) in contents.table where isAbsent(item) { absent.insert(id) }
  }

  /// Stores which entries do not play in a shuffled order, for example disliked entries. An entry that a person chooses
  /// plays in any case.
  public mutating func setAvoided(_ isAvoided: (Item) -> Bool) {
    avoided = []
    for (id, item) in contents.table where isAvoided(item) { avoided.insert(id) }
    // If no other entry can play, the avoided entries play.
    if contents.table.keys.allSatisfy({ absent.contains($0) || avoided.contains($0) }) {
      avoided = []
    }
  }

  /// A random entry with which a shuffled order can begin. Nil if no entry can play.
  public func randomID(using random: inout some RandomNumberGenerator) -> Int? {
    contents.order.filter { !absent.contains($0) && !avoided.contains($0) }
      .randomElement(using: &random)
  }

  /// True if *next* and *previous* pass over this entry.
  public func passesOver(_ id: Int) -> Bool {
    absent.contains(id) || isShuffled && avoided.contains(id)
  }

  /// Replaces the items of entries, for example after their files got other paths.
  /// - Parameter isEdit: true if the change must increase ``revision``.
  public mutating func update(isEdit: Bool = false, _ change: (Item) -> Item?) {
    contents.update(change)
    undone?.update(change)
    if isEdit { revision += 1 }
  }

  /// Increases ``revision`` but not ``editRevision``. So an edit whose sender has seen an older revision stays valid.
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

  /// Creates an entry with a new number. Does not add the entry to the queue.
  mutating func nextEntry(_ item: Item) -> Entry {
    lastID += 1
    return Entry(id: lastID, item: item)
  }

  // MARK: Rounds

  // A shuffled queue that repeats plays in rounds. Each round has another order. A round does not begin with the last
  // track of the previous round.

  /// True if the current entry is the last entry of this round, and `id` is the first entry of the next round.
  public func beginsRound(with id: Int) -> Bool {
    guard let currentID, lastOfRound == currentID else { return false }
    return id == nextRound?.first
  }

  /// The last entry of this round that can play.
  private var lastOfRound: Int? {
    guard let index = currentID.flatMap(index) else { return nil }
    return contents.order[(index + 1)...].last { !passesOver($0) } ?? currentID
  }

  /// Begins the next round: its order becomes the playing order, and its first entry becomes current.
  ///
  /// - Parameter next: entries that will play next in any case, because a player already has them. They are put
  ///   directly after the current entry.
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

  /// The order and the first entry of the next round. Nil if shuffle or repeat is off, or if fewer than two entries can
  /// play.
  private var nextRound: (order: ShuffleOrder, first: Int)? {
    guard repeatMode != .off, let shuffle = contents.shuffle, let last = lastOfRound else {
      return nil
    }
    return shuffle.nextRound(
      of: contents.ownOrder.lazy.filter { !passesOver($0) }, after: last)
  }

  /// The entry that plays after the end of the playing order. Nil if the queue does not repeat, or no entry can play.
  private func followingTheLast(at index: Int) -> Int? {
    if repeatMode == .off { return nil }
    return nextRound?.first ?? contents.order[...index].first { !passesOver($0) }
  }

  /// The entry to which *previous* goes from the start of the playing order. Nil if the queue does not repeat, or no
  /// entry can play.
  private func precedingTheFirst(at index: Int) -> Int? {
    if repeatMode == .off { return nil }
    if let last = contents.lastOfFormerRound, contents.table[last] != nil, !passesOver(last) {
      return last
    }
    return contents.order[index...].last { !passesOver($0) }
  }

  /// Changes a shuffled order so that *previous* goes from the current entry to `id`. The entry `id` was heard before
  /// this order was made. The new order begins with `id` and the current entry. Does nothing if shuffle is off.
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

  /// Stores which entry was heard last in the previous round. This has an effect only at the beginning of a round: if a
  /// queue is restored at this point, *previous* then goes to `id`.
  public mutating func setLastOfFormerRound(_ id: Int) {
    guard isShuffled, contents.order.first == currentID, id != currentID else { return }
    contents.lastOfFormerRound = id
  }

  /// The entries that would play after the current entry if a person pressed *next* again and again. Each entry appears
  /// at most once.
  ///
  /// - Parameter last: an entry that plays after the current entry in any case. The result begins after `last`.
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
  /// Another order of the entries `ids`, and the first entry of this order, which is never `last`. Nil if `ids`
  /// contains no entry except `last`.
  fileprivate func nextRound(of ids: some Sequence<Int>, after last: Int) -> (
    order: ShuffleOrder, first: Int
  )? {
    var order = ShuffleOrder(seed: Self.hash(1, seed), start: 0, keys: [:])
    func isBefore(_ one: Int, _ other: Int) -> Bool {
      (order.key(of: one), one) < (order.key(of: other), other)
    }
    guard let first = ids.lazy.filter({ $0 != last }).min(by: isBefore) else { return nil }
    // `last` would be first in this order. The new order starts at the hash of `first`, so the entries before `first`
    // move to the end.
    if isBefore(last, first) { order = ShuffleOrder(seed: order.seed, first: first) }
    return (order, first)
  }
}
