/// The playing order and its current entry. This is a value that uses neither files nor sound.
///
/// The entries behind the current entry in the playing order are *in front*: they play next. Without shuffle, the
/// playing order is the list's own order. With shuffle, an entry that begins to play is taken out of its position and
/// put behind the current entry. So a jump leaves all other entries in front, and *previous* goes back through what was
/// heard. If the queue repeats, each round has another order.
///
/// The number of an entry stays the same when the order changes. So a number that was given to a player in advance
/// remains valid.
///
/// An entry is absent while its stick is not connected. An absent entry keeps its position in the order, but is passed
/// over.
public struct PlayQueue<Item: QueueItem> {
  /// The number of an entry.
  public typealias ID = UInt32

  /// An item in the queue, with its number.
  public struct Entry: Identifiable {
    /// The number of the entry. The queue never uses a number twice.
    public let id: ID
    /// The item to play.
    public let item: Item

    public init(id: ID, _ item: Item) {
      self.id = id
      self.item = item
    }
  }

  /// The wish of a person for a song, which is valid until the song has played.
  public enum Wish: UInt8, Sendable {
    /// *Play next*.
    case next
    /// *Play last*.
    case last
  }

  /// The values that ``undo()`` restores.
  struct Contents: Sendable {
    /// Entry numbers in the list's own order.
    var list: [ID] = []
    /// Entry numbers in playing order. Always a permutation of `list`, and without shuffle equal to `list`.
    var order: [ID] = []
    /// The index of the current entry in `order`. Nil only if the queue is empty.
    var at: Int?
    /// Nil without shuffle.
    var shuffle: QueueShuffle?
    var wishes: [ID: Wish] = [:]
    /// The entries that were current before, the latest last.
    var heard: [ID] = []
    /// True if the current entry was chosen, or has played. False for the first entry of a new queue.
    var isCurrentHeard = false
    /// The list that was chosen, or the list that was added last. Nil for a queue of all files.
    var context: QueueContext?
    /// The first entry of the list that was added last with ``extend(_:from:keeping:)``.
    var lastList: ID?
    /// The lists before the list that was added last, in their order. Not saved.
    var earlierLists: [EarlierList] = []
    var isChosen = false
    var isEmptied = false
    var hasEnded = false

    var currentID: ID? { at.map { order[$0] } }
  }

  /// A list to which another list was added.
  struct EarlierList: Sendable {
    let context: QueueContext
    /// Its first entry. Nil for the list that was chosen.
    let first: ID?
  }

  var contents = Contents()
  /// The items of all entries, and of the entries to which ``steps`` can return.
  var items: [ID: Item] = [:]
  /// The steps that can be undone, the oldest first.
  var steps: [Step] = []
  /// Counts the queues that were chosen, and the queues to which ``undo()`` has returned.
  public internal(set) var generation = 0
  /// The generation that was used last.
  var lastGeneration = 0
  /// The keys of heard songs that the queue of all files has lost, for example because a stick was removed.
  var lostHeard: [UInt64] = []
  /// Counts the entries that were added to `heard`, less the entries to which *previous* went back.
  var heardCount = 0
  /// The entries that cannot be played now.
  public internal(set) var absent: Set<ID> = []
  /// The entries that do not play in a shuffled order.
  private var avoided: Set<ID> = []
  /// The repeat mode, which applies at the end of a track and of the queue.
  public var repeatMode = MediaCommand.RepeatMode.off
  /// Counts the changes of the entries and of their order.
  public private(set) var revision = 0
  /// The revision of the last change that can have removed entries. If the sender of an edit has seen this revision or
  /// a later revision, all entries that the edit names still exist.
  public private(set) var editRevision = 0
  var lastID: ID = 0

  /// Maximum number of entries that the queue remembers as heard.
  static var heardLimit: Int { 100 }

  /// Creates an empty queue.
  public init() {}

  /// Creates a queue of these items in order. The first item is current.
  public init(_ items: some Sequence<Item>) {
    contents.list = items.map { newID($0) }
    contents.order = contents.list
    contents.at = contents.order.isEmpty ? nil : 0
  }

  // MARK: Reading

  /// The number of the current entry; nil if the queue is empty.
  public var currentID: ID? { contents.currentID }

  /// The current entry; nil if the queue is empty.
  public var current: Entry? { currentID.flatMap(known) }

  /// The index of the current entry in the playing order; nil if the queue is empty.
  public var currentIndex: Int? { contents.at }

  /// All entries in the list's own order.
  public var entries: [Entry] { contents.list.compactMap(known) }

  /// The list of the current entry, and the indices of its entries in ``entries``. The queue can have several lists,
  /// because the next list is added before the last song of a list has ended. Nil without entries; its context is nil
  /// for a queue of all files, and for a list of an earlier run that is not the last list.
  public var currentList: (context: QueueContext?, indices: Range<Int>)? {
    guard let current = currentID, let index = contents.list.firstIndex(of: current) else {
      return nil
    }
    func start(_ first: ID?) -> Int { first.flatMap { contents.list.firstIndex(of: $0) } ?? 0 }
    var (first, end) = (start(contents.lastList), contents.list.count)
    if index >= first { return (contents.context, first..<end) }
    for earlier in contents.earlierLists.reversed() {
      end = first
      first = start(earlier.first)
      if index >= first { return (earlier.context, first..<end) }
    }
    return (nil, 0..<first)
  }

  /// True if nothing of the current list was played before the current entry.
  public var isAtBeginning: Bool {
    guard let start = currentList?.indices.lowerBound else { return true }
    return currentID == (isShuffled && start == 0 ? contents.order.first : contents.list[start])
  }

  /// The numbers of all entries, in the playing order.
  public var ids: [ID] { contents.order }

  /// Number of entries.
  public var count: Int { contents.order.count }

  /// The order of playback.
  public var shuffleMode: MediaCommand.ShuffleMode { contents.shuffle?.mode ?? .off }

  /// True if the playing order is shuffled.
  public var isShuffled: Bool { contents.shuffle != nil }

  /// The list that was chosen, or the list that was added last. Nil for a queue of all files.
  public var context: QueueContext? {
    get { contents.context }
    set { contents.context = newValue }
  }

  /// True if a person has chosen or edited the queue.
  public var isChosen: Bool { contents.isChosen }

  /// True if a person has removed everything in front. Then nothing is added to the queue until another list is chosen.
  public var isEmptied: Bool { contents.isEmptied }

  /// True if the last entry has played to its end, and nothing has played since then.
  public var hasEnded: Bool { contents.hasEnded }

  /// The entries that were current before, the latest last; at most 100. Some of them can have been removed.
  public var heard: [ID] { contents.heard }

  /// An entry by its number. Nil if the queue has no such entry.
  public func entry(_ id: ID) -> Entry? { contents.list.contains(id) ? known(id) : nil }

  func known(_ id: ID) -> Entry? { items[id].map { Entry(id: id, $0) } }

  /// The index of an entry in the playing order, from 0.
  public func index(of id: ID) -> Int? { contents.order.firstIndex(of: id) }

  /// All entries in the playing order.
  public var playingOrder: [Entry] { contents.order.compactMap(known) }

  /// The entries at these indices of the playing order. Indices after the end are ignored.
  public func playingOrder(_ indices: Range<Int>) -> [Entry] {
    contents.order[indices.clamped(to: 0..<contents.order.count)].compactMap(known)
  }

  /// The entry after `id`; nil at the end. Absent entries are passed over. In a shuffled order, avoided entries are
  /// passed over too. `isAsked` is true if a command requested the next entry. In this case the repeat mode `one` acts
  /// like `all`.
  public func following(_ id: ID, isAsked: Bool) -> ID? {
    guard let index = index(of: id) else { return nil }
    if repeatMode == .one, !isAsked, !absent.contains(id) { return id }
    let order = contents.order
    if let next = order[(index + 1)...].first(where: { !passesOver($0) }) { return next }
    if repeatMode == .off { return nil }
    return nextRound?.first ?? order[...index].first { !passesOver($0) }
  }

  /// The entry to which *previous* goes; nil if there is none. In a shuffled order, this is the entry that was current
  /// before.
  public var preceding: ID? {
    guard let at = contents.at else { return nil }
    let order = contents.order
    if isShuffled {
      return contents.heard.last { $0 != order[at] && !absent.contains($0) && order.contains($0) }
    }
    if let id = order[..<at].last(where: { !passesOver($0) }) { return id }
    return repeatMode == .off ? nil : order[at...].last { !passesOver($0) }
  }

  /// The entries that would play after the current entry if a person pressed *next* again and again. Each entry appears
  /// at most once.
  ///
  /// - Parameter last: an entry that plays after the current entry in any case. The result begins after `last`.
  public func upNext(limit: Int, after last: ID? = nil) -> [Entry] {
    guard let at = contents.at else { return [] }
    let current = contents.order[at]
    var ids = contents.order[(at + 1)...].filter { !passesOver($0) }
    if repeatMode != .off, ids.count < limit || last.map({ !ids.contains($0) }) ?? false {
      let seen = Set(ids)
      let further = nextRound ?? Array(contents.order[..<at])
      ids += further.filter { !passesOver($0) && !seen.contains($0) }
    }
    if let last, let index = ids.firstIndex(of: last) { ids.removeSubrange(...index) }
    return ids.lazy.filter { $0 != current }.prefix(limit).compactMap(known)
  }

  // MARK: Moving

  /// Makes an entry current that has not played yet in this run, for example the entry at which the last run ended.
  /// Returns false if no entry has this number.
  @discardableResult
  public mutating func select(_ id: ID) -> Bool {
    guard let index = index(of: id) else { return false }
    guard index != contents.at else { return true }
    contents.hasEnded = false
    if contents.isCurrentHeard {
      moveOn(to: id, at: index)
    } else {
      contents.at = index
      arrange()
    }
    return true
  }

  /// Makes an entry current that begins to play. Returns false if no entry has this number.
  ///
  /// - Parameter planned: entries that will play next in any case, because a player already has them. If a new round
  ///   begins, they are put directly behind its first entry.
  @discardableResult
  public mutating func play(_ id: ID, planned: [ID] = []) -> Bool {
    guard let index = index(of: id) else { return false }
    if contents.hasEnded {
      contents.hasEnded = false
      noteChange(removes: false)
    }
    if index != contents.at {
      if beginsRound(with: id) {
        beginRound(planned)
      } else {
        remember()
        moveOn(to: id, at: index)
      }
    }
    contents.isCurrentHeard = true
    contents.wishes[id] = nil
    return true
  }

  /// Plays the following entry and returns it. If no entry follows, the result is nil, and the current entry stays
  /// current.
  @discardableResult
  public mutating func advance(isAsked: Bool) -> Entry? {
    guard let id = currentID.flatMap({ following($0, isAsked: isAsked) }) else { return nil }
    play(id)
    return known(id)
  }

  /// Goes to the preceding entry and returns it. If no entry precedes, the result is nil, and the current entry stays
  /// current. In a shuffled order, the entries that *previous* goes back over are in front again.
  @discardableResult
  public mutating func goBack() -> Entry? {
    guard let id = preceding, let at = contents.at else { return nil }
    defer {
      contents.isCurrentHeard = true
      contents.hasEnded = false
      contents.wishes[id] = nil
    }
    guard isShuffled else {
      if id != currentID { remember() }
      contents.at = index(of: id)
      return known(id)
    }
    let former = contents.order
    var position = at
    while let heard = contents.heard.popLast() {
      heardCount -= 1
      guard heard != former[at], let index = index(of: heard) else { continue }
      contents.order.remove(at: index)
      if index < position { position -= 1 }
      contents.order.insert(heard, at: position)
      if heard == id { break }
    }
    contents.at = position
    if contents.order != former { noteChange(removes: false) }
    return known(id)
  }

  /// Must be called if the current entry cannot be opened. It then does not count as heard.
  public mutating func noteUnheard() { contents.isCurrentHeard = false }

  /// Must be called when the last entry that can play has played to its end. The queue has not ended if absent entries
  /// are in front: they play when their stick returns.
  public mutating func noteEnd() {
    guard !contents.hasEnded, let at = contents.at,
      !contents.order[(at + 1)...].contains(where: { absent.contains($0) })
    else { return }
    contents.hasEnded = true
    noteChange(removes: false)
  }

  /// Stores the entries that were current before, the latest last. Entries that are not in the queue are ignored.
  public mutating func setHeard(_ ids: [ID]) {
    let known = Set(contents.list)
    contents.heard = ids.filter { known.contains($0) }.suffix(Self.heardLimit)
  }

  // MARK: Presence

  /// Stores which entries cannot be played now.
  public mutating func setAbsent(_ isAbsent: (Item) -> Bool) {
    absent = []
    for id in contents.list { if let item = items[id], isAbsent(item) { absent.insert(id) } }
  }

  /// Stores which entries do not play in a shuffled order, for example disliked entries. An entry that a person chooses
  /// plays in any case.
  public mutating func setAvoided(_ isAvoided: (Item) -> Bool) {
    avoided = []
    for id in contents.list { if let item = items[id], isAvoided(item) { avoided.insert(id) } }
    // If no other entry can play, the avoided entries play.
    if contents.list.allSatisfy({ absent.contains($0) || avoided.contains($0) }) { avoided = [] }
  }

  /// True if *next* passes over this entry.
  public func passesOver(_ id: ID) -> Bool {
    absent.contains(id) || isShuffled && avoided.contains(id) && contents.wishes[id] == nil
  }

  /// Replaces the items of entries, for example after their files got other paths.
  /// - Parameter isEdit: true if the change must increase ``revision``.
  public mutating func update(isEdit: Bool = false, _ change: (Item) -> Item?) {
    for (id, item) in items { if let item = change(item) { items[id] = item } }
    if isEdit { noteChange(removes: true) }
  }

  // MARK: Parts

  /// Adds the current entry to the entries that were heard.
  mutating func remember() {
    guard contents.isCurrentHeard, let currentID else { return }
    contents.heard.append(currentID)
    contents.wishes[currentID] = nil
    heardCount += 1
    if contents.heard.count > Self.heardLimit { contents.heard.removeFirst() }
  }

  /// Counts a change.
  /// - Parameter removes: false if all entries are still in the queue. An edit whose sender has seen an older revision
  ///   then stays valid.
  mutating func noteChange(removes: Bool) {
    revision += 1
    if removes { editRevision = revision }
  }

  mutating func newID(_ item: Item) -> ID {
    lastID += 1
    items[lastID] = item
    return lastID
  }
}

extension PlayQueue.Entry: Sendable where Item: Sendable {}
extension PlayQueue.Entry: Equatable where Item: Equatable {}
extension PlayQueue: Sendable where Item: Sendable {}
