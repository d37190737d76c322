/// Places of MPEG frames that were passed. Its size is bounded: when it is full, each second entry is
/// dropped, and the distance of the following entries doubles.
struct MPEGIndex {
  /// The place of an MPEG frame in the file, and the position of its first frame of sound.
  struct Place: Equatable {
    let offset: Int64
    let position: Int64
    /// The header there. Joined files may have parts with different headers.
    let header: MPEGFrameHeader
  }

  static let maximumPlaces = 2048
  /// The smallest distance of two entries in frames of sound, which is about half a second.
  private static let minimumDistance: Int64 = 20 * 1152

  private(set) var places: [Place]
  private var distance = minimumDistance

  init(start: Int64, header: MPEGFrameHeader) {
    places = [Place(offset: start, position: 0, header: header)]
  }

  /// Stores an MPEG frame if it is far enough behind the last entry. Frames before the last entry are
  /// known already.
  mutating func record(_ place: Place) {
    guard place.position >= places[places.count - 1].position + distance else { return }
    if places.count == Self.maximumPlaces {
      places = places.indices.filter { $0.isMultiple(of: 2) }.map { places[$0] }
      distance *= 2
      guard place.position >= places[places.count - 1].position + distance else { return }
    }
    places.append(place)
  }

  /// The last entry at or before `position`.
  func place(before position: Int64) -> Place {
    var (low, high) = (0, places.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if places[middle].position <= position { low = middle } else { high = middle }
    }
    return places[low]
  }
}
