/// Stores from which track and time the frames in the ring come, so that these frames can be
/// decoded again.
///
/// Used on the decode thread only.
struct RingPlaces {
  /// A time in a track.
  struct Place {
    let request: TrackRequest
    var seconds: Double
  }

  private var starts: [(position: Int, place: Place)] = []

  /// Stores that a series of continuous frames begins at `position` in the ring, and that its first
  /// frame comes from `place`. Of the stored starts at or before `readPosition`, only the last one
  /// is kept.
  mutating func add(_ place: Place, at position: Int, readPosition: Int) {
    if let last = starts.lastIndex(where: { $0.position <= readPosition }) {
      starts.removeFirst(last)
    }
    starts.append((position, place))
  }

  /// Call when the frames in the ring are discarded.
  mutating func removeAll() { starts = [] }

  /// The place from which the frame at `readPosition` comes; nil if no start is stored.
  func place(at readPosition: Int, sampleRate: Int) -> Place? {
    guard
      let start = starts.last(where: { $0.position <= readPosition }) ?? starts.first
    else { return nil }
    var place = start.place
    place.seconds += Double(max(0, readPosition - start.position)) / Double(sampleRate)
    return place
  }
}
