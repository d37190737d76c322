/// Stores from which track and time the frames in the ring come, so that these frames can be decoded again.
///
/// Used on the decode thread only.
struct RingTracks {
  /// A time in a track.
  struct Time {
    let request: TrackRequest
    var seconds: Double
  }

  private var starts: [(position: Int, time: Time)] = []

  /// Stores that a series of continuous frames begins at `position` in the ring, and that its first frame comes from
  /// `time`. Of the stored starts at or before `readPosition`, only the last one is kept.
  mutating func add(_ time: Time, at position: Int, readPosition: Int) {
    if let last = starts.lastIndex(where: { $0.position <= readPosition }) {
      starts.removeFirst(last)
    }
    starts.append((position, time))
  }

  /// Call when the frames in the ring are discarded.
  mutating func removeAll() { starts = [] }

  /// The track and the time of the frame at `readPosition`; nil if no start is stored.
  func time(at readPosition: Int, sampleRate: Int) -> Time? {
    guard
      let start = starts.last(where: { $0.position <= readPosition }) ?? starts.first
    else { return nil }
    var time = start.time
    time.seconds += Double(max(0, readPosition - start.position)) / Double(sampleRate)
    return time
  }
}
