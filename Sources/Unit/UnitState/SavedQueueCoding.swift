// The encoded queue:
//
//     1 byte    version of the layout, 4. Version 3 has no numbers in albums. `OrderKeys.swift` describes
//               the versions 1 and 2
//     numbers   groups of seven bits, the lowest group first. The highest bit of a byte is 1 if another byte follows
//     texts     number of bytes, and the bytes
//
//     The bytes, in order; (n) is a number that says what follows; 0 if nothing follows:
//     version
//     number of the queue; number of the current entry, or 0
//     (1) or (2) if a context follows, (2) if songs were removed from the queue: its list, title and parent
//     (1) if songs are shuffled, (2) if albums are shuffled: seed, number of indices, indices of the playing order
//     flags: 1 if the queue was emptied, plus 2 if it has ended
//     number of the first entry of the list that was added last, or 0
//     number of wishes; of each wish: number of the entry, (1) next or (2) last
//     number of volumes; of each volume: its identity
//     number of entries; of each entry:
//       number of the entry; number of its volume, counted from 1, or 0 without a volume
//       number of bytes at the start of its path that are equal to the path of the entry before; the other bytes
//       title
//       artist, then album: (0) if it is the same as in the entry before, otherwise (1) and the text
//       milliseconds; stamp; number in the album

internal import LibraryModel

extension SavedQueue {
  private static let version: UInt8 = 4
  /// Maximum number of volumes. Further volumes are not saved, but a real unit has fewer volumes.
  private static let maximumVolumes = 100

  /// Encodes the queue in at most `limit` bytes. If not all entries fit, the last entries are left out.
  ///
  /// - Returns: the bytes, and the number of entries that were left out.
  public func encoded(limit: Int) -> (bytes: [UInt8], left: Int) {
    encoded(entries, limit: limit)
  }

  /// Encodes the queue with these entries instead of ``entries``. The entries of a long queue need much memory, so the
  /// collection can compute each entry when the entry is read. Each entry is read twice.
  public func encoded(
    _ entries: some Collection<Entry>, limit: Int
  ) -> (bytes: [UInt8], left: Int) {
    var writer = QueueWriter()
    writer.bytes.append(Self.version)
    writer.put(number)
    writer.put(current)
    writer.put(context.map { $0.isReduced ? 2 : 1 } ?? 0)
    if let context {
      for text in [context.list, context.title, context.parent] { writer.put(text) }
    }
    writer.put(shuffle.map { $0.isByAlbums ? 2 : 1 } ?? 0)
    if let shuffle {
      writer.put(shuffle.seed)
      let order = order.prefix(Self.maximumEntries)
      writer.put(UInt64(clamping: order.count))
      for index in order { writer.put(UInt64(clamping: index)) }
    }
    writer.put((isEmptied ? 1 : 0) | (hasEnded ? 2 : 0))
    writer.put(lastList)
    let wishes = wishes.sorted { $0.key < $1.key }.prefix(Self.maximumEntries)
    writer.put(UInt64(clamping: wishes.count))
    for (id, wish) in wishes {
      writer.put(id)
      writer.put(UInt64(clamping: wish.rawValue))
    }
    var volumeNumbers: [String: Int] = [:]
    for entry in entries
    where !entry.reference.volume.isEmpty && volumeNumbers[entry.reference.volume] == nil {
      if volumeNumbers.count < Self.maximumVolumes {
        volumeNumbers[entry.reference.volume] = volumeNumbers.count &+ 1
      }
    }
    writer.put(UInt64(clamping: volumeNumbers.count))
    for (identity, _) in volumeNumbers.sorted(by: { $0.value < $1.value }) { writer.put(identity) }
    var written = QueueWriter()
    var last: Entry?
    var count = 0
    for entry in entries.prefix(Self.maximumEntries) {
      let start = written.bytes.count
      written.put(entry, after: last, volume: volumeNumbers[entry.reference.volume] ?? 0)
      // The number of entries, which is written before the entries, needs at most ten bytes.
      if writer.bytes.count &+ written.bytes.count &+ 10 > limit {
        written.bytes.removeSubrange(start...)
        break
      }
      last = entry
      count &+= 1
    }
    writer.put(UInt64(clamping: count))
    writer.bytes += written.bytes
    return (writer.bytes, entries.count &- count)
  }

  /// Decodes saved bytes. Time and memory are proportional to the number of bytes.
  ///
  /// - Throws: if the bytes are not a queue of a known version.
  public init(decoding bytes: [UInt8]) throws(UnitStateError) {
    var entries: [Entry] = []
    try self.init(decoding: bytes) { entries.append($0) }
    for (index, id) in EntryID.numbered(entries.map(\.id)).enumerated() { entries[index].id = id }
    self.entries = entries
  }

  /// Decodes saved bytes, and passes each entry to `receive`. The property ``entries`` stays empty, because the entries
  /// of a long queue need much memory. If two entries have the same number, the number of the second entry becomes nil.
  /// If the end of the bytes is missing, the entries before it are passed.
  public init(decoding bytes: [UInt8], receive: (Entry) -> Void) throws(UnitStateError) {
    self.init()
    var reader = QueueReader(rest: bytes[...])
    guard let version = reader.rest.popFirst() else { throw UnitStateError.empty }
    guard (1...Self.version).contains(version) else {
      throw UnitStateError.unknownVersion(version)
    }
    number = try reader.number()
    // With a larger number, a comparison could not show which of two saved queues is newer.
    guard number <= Self.maximumNumber else { throw UnitStateError.outOfRange(1) }
    current = try reader.id()
    let contexts = try reader.number()
    if contexts != 0 {
      context = Context(
        list: try reader.text(), title: try reader.text(), parent: try reader.text(),
        isReduced: contexts == 2)
    }
    var keys: OrderKeys?
    if version > 2 {
      try readOrder(&reader)
    } else if try reader.number() != 0 {
      let old = try OrderKeys(&reader)
      (keys, shuffle) = (old, Shuffle(seed: old.seed))
    }
    var volumes: [String] = []
    for _ in 0..<(try reader.count(Self.maximumVolumes)) { volumes.append(try reader.text()) }
    var ids: Set<EntryID> = []
    var count = 0
    do throws(UnitStateError) {
      var last: Entry?
      for _ in 0..<(try reader.count(Self.maximumEntries)) {
        var entry = try reader.entry(after: last, volumes, version: version)
        if let id = entry.id, !ids.insert(id).inserted { entry.id = nil }
        if entry.id == nil { reader.damage.note("number of an entry") }
        keys?.add(entry.id)
        receive(entry)
        last = entry
        count &+= 1
      }
    } catch {
      reader.damage.end = error
    }
    if let keys { order = keys.order }
    // The entries at the end can be missing.
    order.removeAll { $0 >= count }
    damage = reader.damage
  }

  private mutating func readOrder(_ reader: inout QueueReader) throws(UnitStateError) {
    let mode = try reader.number()
    if mode != 0 {
      shuffle = Shuffle(seed: try reader.number(), isByAlbums: mode == 2)
      for _ in 0..<(try reader.count(Self.maximumEntries)) {
        order.append(Int(clamping: try reader.number()))
      }
    }
    let flags = try reader.number()
    (isEmptied, hasEnded) = (flags & 1 != 0, flags & 2 != 0)
    lastList = try reader.id()
    for _ in 0..<(try reader.count(Self.maximumEntries)) {
      let id = try reader.id()
      let wish = UInt8(exactly: try reader.number()).flatMap(Wish.init)
      if let id, let wish { wishes[id] = wish } else { reader.damage.note("wish") }
    }
  }
}
