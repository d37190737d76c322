/// The lists that were left, each with the place in it, the latest first.
public struct SavedPlaces: Equatable, Sendable {
  /// A list, and the place at which it was left.
  public struct Place: Equatable, Sendable {
    /// The list.
    public var context: SavedQueue.Context
    /// The identity of the volume of the file. Empty if it is not known.
    public var volume: String
    /// The path of the file below the volume, as bytes.
    public var path: [UInt8]
    /// The title of the file.
    public var title: String
    /// The position in the file.
    public var elapsed: SongTime
    /// How much of the list was heard, in thousandths, at most 1000. Nil if it is not known.
    public var heard: UInt16?

    /// ``heard`` of a list that was heard to its end.
    public static let wholeList: UInt16 = 1000

    /// - Parameter heard: see ``heard``. A larger number counts as the whole list.
    public init(
      context: SavedQueue.Context, volume: String, path: [UInt8], title: String,
      elapsed: SongTime, heard: UInt16? = nil
    ) {
      self.heard = heard.map { min($0, Self.wholeList) }
      self.context = context
      self.volume = volume
      self.path = path
      self.title = title
      self.elapsed = elapsed
    }
  }

  /// The latest first. A list occurs once for each volume.
  public private(set) var places: [Place] = []
  /// What the saved places have lost.
  public private(set) var damage = StoredDamage()

  /// Maximum number of places.
  public static let maximumPlaces = 16

  /// No place.
  public init() {}

  /// Adds a place, which replaces an earlier place in the same list on the same volume.
  public mutating func add(_ place: Place) {
    places.removeAll { $0.context.list == place.context.list && $0.volume == place.volume }
    places = [place] + places.prefix(Self.maximumPlaces &- 1)
  }

  // The encoded places: a version, and each place as list, title and parent of the context, volume, path, title,
  // milliseconds, and since version 2 one more than the thousandths that were heard, or 0. Numbers and texts are those
  // of a saved queue.
  private static let version: UInt8 = 2
  private static let versions: ClosedRange<UInt8> = 1...2

  /// Encodes the places in at most `limit` bytes. The oldest places that do not fit are left out.
  public func encoded(limit: Int) -> [UInt8] {
    var bytes = [Self.version]
    for place in places {
      var writer = QueueWriter()
      for text in [
        place.context.list, place.context.title, place.context.parent, place.volume,
      ] { writer.put(text) }
      writer.put(place.path)
      writer.put(place.title)
      writer.put(place.elapsed)
      writer.put(UInt64(clamping: place.heard.map { $0 &+ 1 } ?? 0))
      guard bytes.count &+ writer.bytes.count <= limit else { break }
      bytes += writer.bytes
    }
    return bytes
  }

  /// Decodes saved bytes. The time and the memory are limited by the number of bytes. If the bytes are cut, the places
  /// before the cut are read.
  ///
  /// - Throws: if the bytes are no places of a known version.
  public init(decoding bytes: [UInt8]) throws(UnitStateError) {
    var reader = QueueReader(rest: bytes[...])
    guard let version = reader.rest.popFirst() else { throw UnitStateError.empty }
    guard Self.versions.contains(version) else { throw UnitStateError.unknownVersion(version) }
    do throws(UnitStateError) {
      while !reader.rest.isEmpty, places.count < Self.maximumPlaces {
        places.append(try Self.place(&reader, hasHeard: version > 1))
      }
    } catch {
      reader.damage.end = error
    }
    damage = reader.damage
  }

  private static func place(
    _ reader: inout QueueReader, hasHeard: Bool
  ) throws(UnitStateError) -> Place {
    let context = SavedQueue.Context(
      list: try reader.text(), title: try reader.text(), parent: try reader.text())
    var place = Place(
      context: context, volume: try reader.text(),
      path: try reader.bytes(FilePlace.maximumBytes), title: try reader.text(),
      elapsed: try reader.time())
    guard hasHeard else { return place }
    let heard = try reader.number()
    if heard > 0 {
      // One more than the value was written.
      place.heard = UInt16(exactly: heard &- 1).flatMap { $0 <= Place.wholeList ? $0 : nil }
      if place.heard == nil { reader.damage.note("heard part") }
    }
    return place
  }
}
