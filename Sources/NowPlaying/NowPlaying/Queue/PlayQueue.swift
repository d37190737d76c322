/// The playing order and its current entry. This is a value that uses neither files nor sound.
///
/// Shuffle is a permutation of the whole queue. So *previous* returns through the tracks that were
/// heard, and no entry plays again before all entries have played. The number of an entry stays the
/// same when the order changes. So a number that was given to a player in advance remains valid.
public struct PlayQueue<Item> {
  /// An item in the queue, with its number.
  public struct Entry: Identifiable {
    /// The number of the entry, which the queue never uses twice.
    public let id: Int
    /// The item to play.
    public let item: Item
  }

  /// Entries by number. A library can have a hundred thousand entries, so a search through a list
  /// would be too slow.
  private var table: [Int: Entry] = [:]
  /// Entry numbers in the original order, without shuffle.
  private var ownOrder: [Int] = []
  /// Entry numbers in playing order.
  private var order: [Int] = []
  /// The number of the current entry; nil if the queue is empty.
  public private(set) var currentID: Int?
  /// The repeat mode, which applies at the end of a track and of the queue.
  public var repeatMode = MediaCommand.RepeatMode.off
  /// True if the playing order is shuffled.
  public private(set) var isShuffled = false
  private var lastID = 0

  /// Creates an empty queue.
  public init() {}

  /// Creates a queue of these items in order. The first item is current.
  public init(_ items: some Sequence<Item>) {
    for item in items { ownOrder.append(newEntry(item).id) }
    order = ownOrder
    currentID = order.first
  }

  // MARK: Reading

  /// The current entry; nil if the queue is empty.
  public var current: Entry? { currentID.flatMap(entry) }

  /// All entries in the original order, without shuffle.
  public var entries: [Entry] { ownOrder.compactMap(entry) }

  /// Number of entries.
  public var count: Int { order.count }

  /// An entry by its number.
  public func entry(_ id: Int) -> Entry? { table[id] }

  /// The place of an entry in the playing order, from 0.
  public func place(of id: Int) -> Int? { order.firstIndex(of: id) }

  /// All entries in the playing order.
  public var playingOrder: [Entry] { order.compactMap(entry) }

  /// The entry after `id`; nil at the end. `isAsked` is true if a command requested the next entry.
  /// In this case the repeat mode `one` acts like `all`.
  public func following(_ id: Int, isAsked: Bool) -> Int? {
    guard let place = order.firstIndex(of: id) else { return nil }
    if repeatMode == .one, !isAsked { return id }
    if place + 1 < order.count { return order[place + 1] }
    return repeatMode == .off ? nil : order.first
  }

  /// The entry before `id`; nil at the beginning.
  public func preceding(_ id: Int) -> Int? {
    guard let place = order.firstIndex(of: id) else { return nil }
    if place > 0 { return order[place - 1] }
    return repeatMode == .off ? nil : order.last
  }

  /// The entries that would play after the current entry if people pressed *next* again and again.
  /// Each entry appears at most once.
  public func upNext(limit: Int) -> [Entry] {
    var result: [Entry] = []
    var id = currentID
    while result.count < limit, let here = id, let next = following(here, isAsked: true),
      next != currentID, let entry = entry(next)
    {
      result.append(entry)
      id = next
    }
    return result
  }

  // MARK: Moving

  /// Makes an entry current. Returns false if no entry has this number.
  @discardableResult
  public mutating func move(to id: Int) -> Bool {
    guard order.contains(id) else { return false }
    currentID = id
    return true
  }

  /// Moves to the following entry and returns it. If no entry follows, the result is nil, and the
  /// current entry stays current.
  @discardableResult
  public mutating func advance(isAsked: Bool) -> Entry? {
    guard let id = currentID.flatMap({ following($0, isAsked: isAsked) }) else { return nil }
    currentID = id
    return entry(id)
  }

  /// Moves to the preceding entry and returns it. If no entry precedes, the result is nil, and the
  /// current entry stays current.
  @discardableResult
  public mutating func goBack() -> Entry? {
    guard let id = currentID.flatMap(preceding) else { return nil }
    currentID = id
    return entry(id)
  }

  // MARK: Changing

  /// Inserts an item after the current entry, in the playing order and in the original order.
  /// Returns the number of the new entry.
  @discardableResult
  public mutating func playNext(_ item: Item) -> Int {
    let entry = newEntry(item)
    ownOrder.insert(entry.id, at: place(of: currentID, in: ownOrder))
    order.insert(entry.id, at: place(of: currentID, in: order))
    currentID = currentID ?? entry.id
    return entry.id
  }

  /// Adds an item at the end. If the order is shuffled, the item is added at a random place after
  /// the current entry. Returns the number of the new entry.
  @discardableResult
  public mutating func append(_ item: Item, using random: inout some RandomNumberGenerator) -> Int {
    let entry = newEntry(item)
    ownOrder.append(entry.id)
    let next = place(of: currentID, in: order)
    order.insert(
      entry.id, at: isShuffled ? Int.random(in: next...order.count, using: &random) : order.count)
    currentID = currentID ?? entry.id
    return entry.id
  }

  /// Removes an entry. If this was the current entry, the next entry becomes current. If there is
  /// no next entry, the last entry becomes current.
  public mutating func remove(_ id: Int) {
    guard let place = order.firstIndex(of: id) else { return }
    order.remove(at: place)
    ownOrder.removeAll { $0 == id }
    table[id] = nil
    if currentID == id { currentID = place < order.count ? order[place] : order.last }
  }

  /// Replaces all items. The new entries get new numbers. The first item that satisfies `isCurrent`
  /// becomes current. If no item satisfies it, the first entry becomes current, or a random entry
  /// if the order is shuffled. A shuffled order is shuffled again.
  public mutating func replace(
    with items: some Sequence<Item>, current isCurrent: (Item) -> Bool,
    using random: inout some RandomNumberGenerator
  ) {
    // Without reserved capacity, a large queue needs twice its memory while it grows.
    table = Dictionary(minimumCapacity: items.underestimatedCount)
    ownOrder = []
    ownOrder.reserveCapacity(items.underestimatedCount)
    currentID = nil
    for item in items {
      let entry = newEntry(item)
      ownOrder.append(entry.id)
      if currentID == nil, isCurrent(item) { currentID = entry.id }
    }
    order = ownOrder
    if isShuffled {
      isShuffled = false
      if currentID == nil { currentID = order.randomElement(using: &random) }
      setShuffled(true, using: &random)
    } else {
      currentID = currentID ?? order.first
    }
  }

  /// Turns shuffle on or off. When shuffle is turned on, the current entry becomes the first entry,
  /// and the other entries follow in random order. When shuffle is turned off, the original order
  /// returns and the current entry stays current.
  ///
  /// - Parameter next: entries that will play next in any case, because a player already has them.
  ///   They are placed directly after the current entry.
  public mutating func setShuffled(
    _ shuffled: Bool, next: [Int] = [], using random: inout some RandomNumberGenerator
  ) {
    guard shuffled != isShuffled else { return }
    isShuffled = shuffled
    guard shuffled, let currentID else {
      order = ownOrder
      return
    }
    var first = [currentID]
    for id in next where order.contains(id) && !first.contains(id) { first.append(id) }
    order.removeAll { first.contains($0) }
    order.shuffle(using: &random)
    order = first + order
  }

  private func place(of id: Int?, in ids: [Int]) -> Int {
    id.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
  }

  private mutating func newEntry(_ item: Item) -> Entry {
    lastID += 1
    let entry = Entry(id: lastID, item: item)
    table[lastID] = entry
    return entry
  }
}

extension PlayQueue.Entry: Sendable where Item: Sendable {}
extension PlayQueue.Entry: Equatable where Item: Equatable {}
extension PlayQueue: Sendable where Item: Sendable {}
extension PlayQueue: Equatable where Item: Equatable {}
