internal import LibraryModel

/// Writes the numbers and texts of a saved queue.
struct QueueWriter {
  var bytes: [UInt8] = []

  mutating func put(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes the number of an entry, or 0 if the entry has no number.
  mutating func put(_ id: EntryID?) { put(UInt64(clamping: id?.number ?? 0)) }

  mutating func put(_ time: SongTime) { put(UInt64(clamping: time.milliseconds)) }

  mutating func put(_ text: [UInt8]) {
    put(UInt64(clamping: text.count))
    bytes += text
  }

  /// Writes a text. A text that is too long is cut between two Unicode scalars.
  mutating func put(_ text: String) {
    var end = 0
    for scalar in text.unicodeScalars {
      let width = UTF8.width(scalar)
      if end &+ width > SavedQueue.maximumTextBytes { break }
      end &+= width
    }
    put(Array(text.utf8.prefix(end)))
  }

  mutating func put(_ entry: SavedQueue.Entry, after last: SavedQueue.Entry?, volume: Int) {
    put(entry.id)
    put(UInt64(clamping: volume))
    let before = last?.reference.path ?? []
    let shared = zip(before, entry.reference.path).prefix { $0 == $1 }.count
    put(UInt64(clamping: shared))
    put(Array(entry.reference.path.dropFirst(shared)))
    put(entry.title)
    for (text, earlier) in [(entry.artist, last?.artist), (entry.album, last?.album)] {
      put(text == earlier ? 0 : 1)
      if text != earlier { put(text) }
    }
    put(entry.duration)
    put(UInt64(clamping: entry.stamp))
    put(UInt64(clamping: entry.numberInAlbum))
  }
}

/// Reads the numbers and texts of a saved queue. Time and memory are proportional to the number of bytes, also if the
/// bytes are damaged.
struct QueueReader {
  var rest: ArraySlice<UInt8>
  var damage = StoredDamage()
  private var position = 1

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  mutating func number() throws(UnitStateError) -> UInt64 {
    var number: UInt64 = 0
    position &+= 1
    for shift in stride(from: 0, to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw .incompleteField(position) }
      number |= UInt64(clamping: byte & 0x7F) << shift
      if byte & 0x80 == 0 { return number }
    }
    throw .overlongField(position)
  }

  /// Reads the number of an entry. Returns nil if the number is 0 or out of range.
  mutating func id() throws(UnitStateError) -> EntryID? { EntryID(try number()) }

  /// Reads a time. Returns zero if the time is out of range.
  mutating func time() throws(UnitStateError) -> SongTime {
    if let time = SongTime(milliseconds: try number()) { return time }
    damage.note("time")
    return .zero
  }

  mutating func count(_ maximum: Int) throws(UnitStateError) -> Int {
    let count = try number()
    // Each element needs at least one byte, so a larger count is an error.
    guard count <= maximum, count <= rest.count else {
      throw .overlongField(position)
    }
    return Int(clamping: count)
  }

  mutating func bytes(_ maximum: Int) throws(UnitStateError) -> [UInt8] {
    let count = try number()
    guard count <= min(maximum, rest.count) else { throw .overlongField(position) }
    defer { rest = rest.dropFirst(Int(clamping: count)) }
    return Array(rest.prefix(Int(clamping: count)))
  }

  mutating func text() throws(UnitStateError) -> String {
    String(decoding: try bytes(SavedQueue.maximumTextBytes), as: UTF8.self)
  }

  /// Reads a value of an entry. Returns 0, which means unknown, if the number is out of range.
  private mutating func uint32(_ name: String) throws(UnitStateError) -> UInt32 {
    if let value = UInt32(exactly: try number()) { return value }
    damage.note(name)
    return 0
  }

  mutating func entry(
    after last: SavedQueue.Entry?, _ volumes: [String], version: UInt8
  ) throws(UnitStateError) -> SavedQueue.Entry {
    let id = try id()
    let volume = try number()
    guard volume <= volumes.count else { throw .overlongField(position) }
    let before = last?.reference.path ?? []
    let shared = try number()
    guard shared <= before.count else { throw .overlongField(position) }
    var path = Array(before.prefix(Int(clamping: shared)))
    path += try bytes(FileLocation.maximumBytes)
    guard path.count <= FileLocation.maximumBytes else { throw .overlongField(position) }
    let title = try text()
    let artist = try number() == 0 ? last?.artist ?? "" : try text()
    let album = try number() == 0 ? last?.album ?? "" : try text()
    return SavedQueue.Entry(
      id: id,
      SongReference(volume: volume == 0 ? "" : volumes[Int(clamping: volume) &- 1], path: path),
      title: title, artist: artist, album: album, duration: try time(),
      stamp: version > 1 ? try uint32("stamp") : 0,
      numberInAlbum: version > 3 ? try uint32("number in the album") : 0)
  }
}
