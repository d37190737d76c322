/// Writes the numbers and texts of a saved queue.
struct QueueWriter {
  var bytes: [UInt8] = []

  mutating func put(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func put(_ text: [UInt8]) {
    put(UInt64(text.count))
    bytes += text
  }

  /// Writes a text, cut between two characters.
  mutating func put(_ text: String) {
    var end = 0
    for scalar in text.unicodeScalars {
      let width = UTF8.width(scalar)
      if end + width > SavedQueue.maximumTextBytes { break }
      end += width
    }
    put(Array(text.utf8.prefix(end)))
  }

  mutating func put(_ entry: SavedQueue.Entry, after last: SavedQueue.Entry?, volume: Int) {
    put(UInt64(entry.id))
    put(UInt64(volume))
    let before = last?.path ?? []
    let shared = zip(before, entry.path).prefix { $0 == $1 }.count
    put(UInt64(shared))
    put(Array(entry.path.dropFirst(shared)))
    put(entry.title)
    for (text, earlier) in [(entry.artist, last?.artist), (entry.album, last?.album)] {
      put(text == earlier ? 0 : 1)
      if text != earlier { put(text) }
    }
    put(UInt64(entry.milliseconds))
    put(UInt64(entry.stamp))
  }
}

/// Reads the numbers and texts of a saved queue. The time and the memory are limited by the number of bytes.
struct QueueReader {
  var rest: ArraySlice<UInt8>
  private var position = 1

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  mutating func number() throws(UnitStateError) -> UInt64 {
    var number: UInt64 = 0
    position += 1
    for shift in stride(from: 0, to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw .incompleteField(position) }
      number |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return number }
    }
    throw .overlongField(position)
  }

  mutating func count(_ maximum: Int) throws(UnitStateError) -> Int {
    let count = try number()
    // Each element has at least one byte.
    guard count <= UInt64(maximum), count <= UInt64(rest.count) else {
      throw .overlongField(position)
    }
    return Int(count)
  }

  mutating func bytes(_ maximum: Int) throws(UnitStateError) -> [UInt8] {
    let count = try number()
    guard count <= UInt64(min(maximum, rest.count)) else { throw .overlongField(position) }
    defer { rest = rest.dropFirst(Int(count)) }
    return Array(rest.prefix(Int(count)))
  }

  mutating func text() throws(UnitStateError) -> String {
    String(decoding: try bytes(SavedQueue.maximumTextBytes), as: UTF8.self)
  }

  mutating func entry(
    after last: SavedQueue.Entry?, _ volumes: [String], hasStamp: Bool
  ) throws(UnitStateError) -> SavedQueue.Entry {
    let id = UInt32(clamping: try number())
    let volume = try number()
    guard volume <= UInt64(volumes.count) else { throw .overlongField(position) }
    let before = last?.path ?? []
    let shared = try number()
    guard shared <= UInt64(before.count) else { throw .overlongField(position) }
    let path = Array(before.prefix(Int(shared))) + (try bytes(FilePlace.maximumBytes))
    guard path.count <= FilePlace.maximumBytes else { throw .overlongField(position) }
    let title = try text()
    let artist = try number() == 0 ? last?.artist ?? "" : try text()
    let album = try number() == 0 ? last?.album ?? "" : try text()
    return SavedQueue.Entry(
      id: id, volume: volume == 0 ? "" : volumes[Int(volume) - 1], path: path, title: title,
      artist: artist, album: album,
      milliseconds: UInt32(clamping: try number()),
      stamp: hasStamp ? UInt32(clamping: try number()) : 0)
  }
}
