/// The order in which things play, with what comes next: a value, without files or sound.
///
/// Shuffle is a permutation of the whole queue, so *previous* walks back through what was heard, and
/// nothing comes twice before all came once. Entries have numbers of their own, which stay when
/// the order changes; whatever was handed to a player ahead of time keeps its meaning.
public struct PlayQueue<Item> {
  /// One thing in the queue.
  public struct Entry: Identifiable {
    /// Given by the queue, never used twice in it.
    public let id: Int
    /// What to play.
    public let item: Item
  }

  /// A library has a hundred thousand of them, so they are found by number.
  private var table: [Int: Entry] = [:]
  /// Entry numbers in the order in which they were added.
  private var ownOrder: [Int] = []
  /// Entry numbers in playing order.
  private var order: [Int] = []
  /// Which one plays; nil in an empty queue.
  public private(set) var currentID: Int?
  /// What happens at the end.
  public var repeatMode = MediaCommand.RepeatMode.off
  /// Whether the order is a shuffled one.
  public private(set) var isShuffled = false
  private var lastID = 0

  /// Empty.
  public init() {}

  /// In order, at the first.
  public init(_ items: some Sequence<Item>) {
    for item in items { ownOrder.append(newEntry(item).id) }
    order = ownOrder
    currentID = order.first
  }

  // MARK: Reading

  /// The one that plays.
  public var current: Entry? { currentID.flatMap(entry) }

  /// All in their own order.
  public var entries: [Entry] { ownOrder.compactMap(entry) }

  /// How many there are.
  public var count: Int { order.count }

  /// An entry by its number.
  public func entry(_ id: Int) -> Entry? { table[id] }

  /// Where an entry stands in the order in which they play, from 0.
  public func place(of id: Int) -> Int? { order.firstIndex(of: id) }

  /// All in the order in which they play.
  public var playingOrder: [Entry] { order.compactMap(entry) }

  /// What follows an entry: by itself, or because somebody asked (which leaves one that repeats).
  /// Nil at the end.
  public func following(_ id: Int, isAsked: Bool) -> Int? {
    guard let place = order.firstIndex(of: id) else { return nil }
    if repeatMode == .one, !isAsked { return id }
    if place + 1 < order.count { return order[place + 1] }
    return repeatMode == .off ? nil : order.first
  }

  /// What stands before an entry; nil at the beginning.
  public func preceding(_ id: Int) -> Int? {
    guard let place = order.firstIndex(of: id) else { return nil }
    if place > 0 { return order[place - 1] }
    return repeatMode == .off ? nil : order.last
  }

  /// What *next* leads through from the current one, each at most once.
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

  /// Makes an entry the current one; false if there is none of that number.
  @discardableResult
  public mutating func move(to id: Int) -> Bool {
    guard order.contains(id) else { return false }
    currentID = id
    return true
  }

  /// Goes on, and returns what plays then; nil, and no step, at the end.
  @discardableResult
  public mutating func advance(isAsked: Bool) -> Entry? {
    guard let id = currentID.flatMap({ following($0, isAsked: isAsked) }) else { return nil }
    currentID = id
    return entry(id)
  }

  /// Goes back; nil, and no step, at the beginning.
  @discardableResult
  public mutating func goBack() -> Entry? {
    guard let id = currentID.flatMap(preceding) else { return nil }
    currentID = id
    return entry(id)
  }

  // MARK: Changing

  /// Behind the current one, whatever the order; returns its number.
  @discardableResult
  public mutating func playNext(_ item: Item) -> Int {
    let entry = newEntry(item)
    ownOrder.insert(entry.id, at: place(of: currentID, in: ownOrder))
    order.insert(entry.id, at: place(of: currentID, in: order))
    currentID = currentID ?? entry.id
    return entry.id
  }

  /// At the end; in a shuffled order somewhere in what comes. Returns its number.
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

  /// Takes one out. Where it is the current one, the one behind it is current then, or the last.
  public mutating func remove(_ id: Int) {
    guard let place = order.firstIndex(of: id) else { return }
    order.remove(at: place)
    ownOrder.removeAll { $0 == id }
    table[id] = nil
    if currentID == id { currentID = place < order.count ? order[place] : order.last }
  }

  /// Holds other items from now on, under new numbers. The first one that `isCurrent` is the current
  /// one, else the first of all. What was shuffled is shuffled again.
  public mutating func replace(
    with items: some Sequence<Item>, current isCurrent: (Item) -> Bool,
    using random: inout some RandomNumberGenerator
  ) {
    table = [:]
    ownOrder = []
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

  /// Shuffles what comes, the current one first; or returns to the original order at the current
  /// one, which goes on.
  ///
  /// - Parameter next: entries that will follow in any case, so that none is left out.
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
