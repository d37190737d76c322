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
    public var milliseconds: UInt64
    /// How much of the list was heard, in thousandths. Nil if it is not known.
    public var heard: UInt64?

    /// Memberwise initializer.
    public init(
      context: SavedQueue.Context, volume: String, path: [UInt8], title: String,
      milliseconds: UInt64, heard: UInt64? = nil
    ) {
      self.heard = heard
      self.context = context
      self.volume = volume
      self.path = path
      self.title = title
      self.milliseconds = milliseconds
    }
  }

  /// The latest first. A list occurs once for each volume.
  public private(set) var places: [Place] = []

  /// Maximum number of places.
  public static let maximumPlaces = 16

  /// No place.
  public init() {}

  /// Adds a place, which replaces an earlier place in the same list on the same volume.
  public mutating func add(_ place: Place) {
    places.removeAll { $0.context.list == place.context.list && $0.volume == place.volume }
    places = [place] + places.prefix(Self.maximumPlaces - 1)
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
      writer.put(place.milliseconds)
      writer.put(place.heard.map { $0 + 1 } ?? 0)
      guard bytes.count + writer.bytes.count <= limit else { break }
      bytes += writer.bytes
    }
    return bytes
  }

  /// Decodes saved bytes. The time and the memory are limited by the number of bytes.
  ///
  /// - Throws: if the bytes are no places of a known version.
  public init(decoding bytes: [UInt8]) throws(UnitStateError) {
    var reader = QueueReader(rest: bytes[...])
    guard let version = reader.rest.popFirst() else { throw UnitStateError.empty }
    guard Self.versions.contains(version) else { throw UnitStateError.unknownVersion(version) }
    while !reader.rest.isEmpty, places.count < Self.maximumPlaces {
      let context = SavedQueue.Context(
        list: try reader.text(), title: try reader.text(), parent: try reader.text())
      var place = Place(
        context: context, volume: try reader.text(),
        path: try reader.bytes(FilePlace.maximumBytes), title: try reader.text(),
        milliseconds: try reader.number())
      if version > 1 {
        let heard = try reader.number()
        if heard > 0 { place.heard = min(heard - 1, 1000) }
      }
      places.append(place)
    }
  }
}
