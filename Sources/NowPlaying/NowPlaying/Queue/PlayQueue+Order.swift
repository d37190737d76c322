// The order of a shuffled queue, and its rounds.
extension PlayQueue {
  /// Sets the order of playback. When shuffle is turned on, every other entry comes in front of the current entry, also
  /// the entries that were heard. When it is turned off, the list's own order returns. The current entry stays current.
  ///
  /// - Parameters:
  ///   - planned: entries that will play next in any case, because a player already has them.
  ///   - seed: a random number.
  public mutating func setShuffle(
    _ mode: MediaCommand.ShuffleMode, planned: [ID] = [], seed: UInt64
  ) {
    guard mode != shuffleMode else { return }
    contents.shuffle = QueueShuffle(mode, seed: seed)
    arrange(planned)
    noteChange(removes: false)
  }

  /// Computes the playing order around the current entry.
  mutating func arrange(_ planned: [ID] = []) {
    guard let current = currentID else { return }
    guard let shuffle = contents.shuffle else {
      contents.order = contents.list
      contents.at = index(of: current)
      return
    }
    let known = Set(contents.list)
    var next: [ID] = []
    for id in planned + wished(.next) where id != current && known.contains(id) {
      if !next.contains(id) { next.append(id) }
    }
    let last = wished(.last).filter { $0 != current && !next.contains($0) }
    let fixed = Set(next + last + [current])
    var (before, after, rest) = ([ID](), [ID](), contents.list.filter { !fixed.contains($0) })
    if case .albums = shuffle {
      // The current album is not interrupted: the songs before the current song count as heard.
      let (head, tail) = album(of: current)
      before = head.filter { !fixed.contains($0) }
      after = tail.filter { !fixed.contains($0) }
      let album = Set(before + after)
      rest.removeAll { album.contains($0) }
    }
    contents.order = before + [current] + next + after + mixed(rest, shuffle) + last
    contents.at = before.count
  }

  /// The entries for which a person has this wish, in the playing order.
  private func wished(_ wish: Wish) -> [ID] {
    contents.wishes.isEmpty ? [] : contents.order.filter { contents.wishes[$0] == wish }
  }

  /// The other entries of an entry's album in the album's order: before and after the entry. Without the entries
  /// that wait because a person has put them somewhere.
  private func album(of id: ID) -> (before: [ID], after: [ID]) {
    guard let album = items[id]?.albumIdentity else { return ([], []) }
    let ids = inAlbumOrder(
      contents.list.filter {
        $0 == id || contents.wishes[$0] == nil && items[$0]?.albumIdentity == album
      })
    let index = ids.firstIndex(of: id) ?? 0
    return (Array(ids[..<index]), Array(ids[(index + 1)...]))
  }

  // MARK: Mixing

  /// Entries in random order.
  func mixed(_ ids: [ID], _ shuffle: QueueShuffle) -> [ID] {
    switch shuffle {
    case .songs: shuffle.mixed(ids) { $0 }
    case .albums: shuffle.mixed(blocks(ids)) { $0[0] }.flatMap { $0 }
    }
  }

  /// Entries of one album in the album's order. Entries whose numbers are equal keep their order.
  private func inAlbumOrder(_ ids: [ID]) -> [ID] {
    ids.enumerated().map { (items[$1]?.numberInAlbum ?? 0, $0, $1) }.sorted { $0 < $1 }.map(\.2)
  }

  /// Entries grouped by their albums. Each group is in the album's order.
  private func blocks(_ ids: [ID]) -> [[ID]] {
    var blocks: [[ID]] = []
    var indices: [String: Int] = [:]
    for id in ids {
      let album = items[id]?.albumIdentity ?? ""
      if let index = indices[album] {
        blocks[index].append(id)
      } else {
        indices[album] = blocks.count
        blocks.append([id])
      }
    }
    return blocks.map(inAlbumOrder)
  }

  /// Puts new entries in front at random positions, behind the songs that a person wants next, and before the songs
  /// that a person wants last.
  mutating func mixIn(_ new: [ID], _ shuffle: QueueShuffle) {
    let lower = indexAfterWishes
    let upper = max(lower, indexOfLastWishes(in: contents.order))
    let old = Array(contents.order[lower..<upper])
    contents.order.replaceSubrange(lower..<upper, with: merged(old, new, shuffle))
  }

  private func merged(_ old: [ID], _ new: [ID], _ shuffle: QueueShuffle) -> [ID] {
    guard case .albums = shuffle else { return shuffle.merged(old, mixed(new, shuffle)) }
    var blocks = blocks(old + new)
    let isNew = Set(new)
    // The rest of the current album stays first.
    let album = currentID.flatMap { items[$0]?.albumIdentity }
    let first = blocks.firstIndex { items[$0[0]]?.albumIdentity == album }.map {
      blocks.remove(at: $0)
    }
    let added = blocks.filter { isNew.contains($0[0]) }
    blocks.removeAll { isNew.contains($0[0]) }
    let rest = shuffle.merged(blocks, shuffle.mixed(added) { $0[0] })
    return (first ?? []) + rest.flatMap { $0 }
  }

  /// The index behind the current entry and the songs directly behind it that a person wants next.
  var indexAfterWishes: Int {
    guard let at = contents.at else { return 0 }
    return contents.order[(at + 1)...].firstIndex { contents.wishes[$0] != .next }
      ?? contents.order.count
  }

  /// The index of the songs at the end that a person wants last; the end if there are none.
  func indexOfLastWishes(in ids: [ID]) -> Int {
    ids.lastIndex { contents.wishes[$0] != .last }.map { $0 + 1 } ?? 0
  }

  // MARK: Moving

  /// Makes an entry current. In a shuffled order it is taken out of its position and put behind the current entry, with
  /// the rest of its album if albums are shuffled.
  mutating func moveOn(to id: ID, at index: Int) {
    guard let shuffle = contents.shuffle, let at = contents.at, index != at + 1 else {
      contents.at = index
      return
    }
    switch shuffle {
    case .songs:
      contents.order.remove(at: index)
      let new = index < at ? at : at + 1
      contents.order.insert(id, at: new)
      contents.at = new
    case .albums: takeAlbum(of: id, behind: at)
    }
    noteChange(removes: false)
  }

  /// Takes an entry that could not be opened out of the entries in front. Does nothing in an unshuffled order, in which
  /// the current entry moves over it.
  public mutating func passBy(_ id: ID) {
    guard isShuffled, let at = contents.at, let index = index(of: id), index > at else { return }
    contents.order.remove(at: index)
    contents.order.insert(id, at: at)
    contents.at = at + 1
    noteChange(removes: false)
  }

  /// With albums shuffled, the songs in front that are of the album of an entry behind the current entry count as
  /// heard in this round. Call this when a person has left this album for the next one.
  public mutating func passAlbum(of id: ID) {
    guard case .albums? = contents.shuffle, let at = contents.at,
      let index = contents.order[..<at].firstIndex(of: id)
    else { return }
    let (before, after) = album(of: id)
    let rest = Set(before + after).intersection(contents.order[(at + 1)...])
    guard !rest.isEmpty else { return }
    contents.order.removeAll { rest.contains($0) }
    contents.order.insert(contentsOf: after.filter(rest.contains), at: index + 1)
    contents.order.insert(contentsOf: before.filter(rest.contains), at: index)
    contents.at = at + rest.count
    noteChange(removes: false)
  }

  private mutating func takeAlbum(of id: ID, behind at: Int) {
    let (before, after) = album(of: id)
    let album = Set(before + [id] + after)
    let behind = contents.order[...at].filter { !album.contains($0) }
    let front = contents.order[(at + 1)...].filter { !album.contains($0) }
    let next = front.prefix { contents.wishes[$0] == .next }
    contents.order = behind + before + [id] + next + after + front.dropFirst(next.count)
    contents.at = behind.count + before.count
  }

  // MARK: Rounds

  /// True if the current entry is the last entry of this round, and `id` is the first entry of the next round.
  public func beginsRound(with id: ID) -> Bool {
    guard isShuffled, repeatMode != .off, let currentID, lastOfRound == currentID else {
      return false
    }
    return id == nextRound?.first
  }

  /// The last entry of this round that can play.
  private var lastOfRound: ID? {
    contents.at.flatMap { at in
      contents.order[(at + 1)...].last { !passesOver($0) } ?? contents.order[at]
    }
  }

  /// Begins the next round. It forgets what a person wanted next and last.
  mutating func beginRound(_ planned: [ID]) {
    guard let round = nextRound, let first = round.first else { return }
    remember()
    contents.shuffle = contents.shuffle?.next
    contents.wishes = [:]
    let next = planned.filter { $0 != first && round.contains($0) }
    contents.order = [first] + next + round.dropFirst().filter { !next.contains($0) }
    contents.at = 0
    noteChange(removes: false)
  }

  /// The order of the next round. Its first entry can play, and is not the last entry of this round. Nil if shuffle or
  /// repeat is off, or if fewer than two entries can play.
  var nextRound: [ID]? {
    guard repeatMode != .off, let shuffle = contents.shuffle, let last = lastOfRound else {
      return nil
    }
    return round(of: contents.list, shuffle.next, after: last)
  }

  /// A random order of `ids`. Its first entry can play and is not `last`, and, if albums are shuffled, not of the album
  /// of `last` if there is another album. Nil if there is no such entry.
  private func round(of ids: [ID], _ shuffle: QueueShuffle, after last: ID) -> [ID]? {
    var order = mixed(ids, shuffle)
    func canBegin(_ id: ID) -> Bool { id != last && !passesOver(id) }
    guard case .albums = shuffle else {
      guard let index = order.firstIndex(where: canBegin) else { return nil }
      order.insert(order.remove(at: index), at: 0)
      return order
    }
    var blocks = blocks(order)
    guard
      let index = blocks.firstIndex(where: { !$0.contains(last) && $0.contains(where: canBegin) })
        ?? blocks.firstIndex(where: { $0.contains(where: canBegin) })
    else { return nil }
    var block = blocks.remove(at: index)
    // Entries that cannot begin, because they are absent, stay in the round.
    if let first = block.firstIndex(where: canBegin) {
      block = Array(block[first...] + block[..<first])
    }
    return block + blocks.flatMap { $0 }
  }

  /// Begins the list that was added last again, after the queue has ended. With shuffle, its songs get another order.
  /// Returns the entry that plays now; nil if no entry can play.
  public mutating func beginAgain() -> Entry? {
    let list = contents.list
    let start = contents.lastList.flatMap { list.firstIndex(of: $0) } ?? 0
    guard let currentID else { return nil }
    guard let shuffle = contents.shuffle else {
      let id = (list[start...] + list[..<start]).first { !passesOver($0) }
      guard let id else { return nil }
      play(id)
      return known(id)
    }
    guard let round = round(of: Array(list[start...]), shuffle.next, after: currentID) else {
      guard !passesOver(currentID) else { return nil }
      play(currentID)
      return current
    }
    remember()
    contents.shuffle = shuffle.next
    contents.wishes = [:]
    contents.order = list[..<start] + round
    contents.at = start
    contents.isCurrentHeard = true
    contents.hasEnded = false
    noteChange(removes: false)
    return current
  }
}
