/// Where the frames in the ring come from, so that they can be decoded again.
///
/// Decode thread only.
struct RingPlaces {
  /// A time in a track.
  struct Place {
    let request: TrackRequest
    var seconds: Double
  }

  private var starts: [(position: Int, place: Place)] = []

  /// From `position` on the ring has frames of `place`, which run straight. Of what stands before
  /// `readPosition` only the last start is kept.
  mutating func add(_ place: Place, at position: Int, readPosition: Int) {
    if let last = starts.lastIndex(where: { $0.position <= readPosition }) {
      starts.removeFirst(last)
    }
    starts.append((position, place))
  }

  /// What the ring had is taken back.
  mutating func removeAll() { starts = [] }

  /// Where the frame at `readPosition` comes from; nil where the ring had none at all.
  func place(at readPosition: Int, sampleRate: Int) -> Place? {
    guard
      let start = starts.last(where: { $0.position <= readPosition }) ?? starts.first
    else { return nil }
    var place = start.place
    place.seconds += Double(max(0, readPosition - start.position)) / Double(sampleRate)
    return place
  }
}
