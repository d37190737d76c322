public import LibraryModel

/// The lists that were played recently, the latest first. Each entry contains the position at which its list stopped
/// playing.
public struct RecentLists: Equatable, Sendable {
  /// A list, and the position in the list at which it stopped playing.
  public struct Entry: Equatable, Sendable {
    /// The list.
    public var context: SavedQueue.Context
    /// The song that played when the unit changed to another list.
    public var reference: SongReference
    /// The title of the song.
    public var title: String
    /// The position in the song.
    public var elapsed: SongTime
    /// The part of the list that was heard, in thousandths, at most 1000. Nil if it is not known.
    public var heard: UInt16?

    /// The value of ``heard`` for a list that was heard to its end.
    public static let wholeList: UInt16 = 1000

    /// - Parameter heard: see ``heard``. A larger number counts as the whole list.
    public init(
      context: SavedQueue.Context, _ reference: SongReference, title: String,
      elapsed: SongTime, heard: UInt16? = nil
    ) {
      self.heard = heard.map { min($0, Self.wholeList) }
      self.context = context
      self.reference = reference
      self.title = title
      self.elapsed = elapsed
    }
  }

  /// The entries, the latest first. A list can occur several times, but only once for each volume.
  public private(set) var entries: [Entry] = []
  /// The parts of the saved bytes that could not be decoded.
  public private(set) var damage = StoredDamage()

  /// Maximum number of entries.
  public static let maximumEntries = 16

  /// Creates a value without lists.
  public init() {}

  /// Adds an entry, which replaces an earlier entry of the same list on the same volume.
  public mutating func add(_ entry: Entry) {
    entries.removeAll {
      $0.context.list == entry.context.list && $0.reference.volume == entry.reference.volume
    }
    entries = [entry] + entries.prefix(Self.maximumEntries &- 1)
  }

  // The encoding is a version, followed by the entries. Each entry has these fields: list, title and parent of the
  // context; volume; path; title; elapsed milliseconds; since version 2 `heard + 1`, or 0 if `heard` is nil. Numbers
  // and texts are encoded as in a saved queue (`SavedQueueCoding.swift`).
  private static let version: UInt8 = 2
  private static let versions: ClosedRange<UInt8> = 1...2

  /// Encodes the entries in at most `limit` bytes. If not all entries fit, the oldest entries are left out.
  public func encoded(limit: Int) -> [UInt8] {
    var bytes = [Self.version]
    for entry in entries {
      var writer = QueueWriter()
      for text in [
        entry.context.list, entry.context.title, entry.context.parent,
        entry.reference.volume,
      ] { writer.put(text) }
      writer.put(entry.reference.path)
      writer.put(entry.title)
      writer.put(entry.elapsed)
      writer.put(UInt64(clamping: entry.heard.map { $0 &+ 1 } ?? 0))
      guard bytes.count &+ writer.bytes.count <= limit else { break }
      bytes += writer.bytes
    }
    return bytes
  }

  /// Decodes saved bytes. Time and memory are proportional to the number of bytes. If the end of the bytes is missing,
  /// the entries before it are read.
  ///
  /// - Throws: if the bytes are not lists of a known version.
  public init(decoding bytes: [UInt8]) throws(UnitStateError) {
    var reader = QueueReader(rest: bytes[...])
    guard let version = reader.rest.popFirst() else { throw UnitStateError.empty }
    guard Self.versions.contains(version) else { throw UnitStateError.unknownVersion(version) }
    do throws(UnitStateError) {
      while !reader.rest.isEmpty, entries.count < Self.maximumEntries {
        entries.append(try Self.entry(&reader, hasHeard: version > 1))
      }
    } catch {
      reader.damage.end = error
    }
    damage = reader.damage
  }

  private static func entry(
    _ reader: inout QueueReader, hasHeard: Bool
  ) throws(UnitStateError) -> Entry {
    let context = SavedQueue.Context(
      list: try reader.text(), title: try reader.text(), parent: try reader.text())
    var entry = Entry(
      context: context,
      SongReference(
        volume: try reader.text(), path: try reader.bytes(FileLocation.maximumBytes)),
      title: try reader.text(),
      elapsed: try reader.time())
    guard hasHeard else { return entry }
    let heard = try reader.number()
    if heard > 0 {
      // The written number is the value plus 1.
      entry.heard = UInt16(exactly: heard &- 1).flatMap { $0 <= Entry.wholeList ? $0 : nil }
      if entry.heard == nil { reader.damage.note("heard part") }
    }
    return entry
  }
}
