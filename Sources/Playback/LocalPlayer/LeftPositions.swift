internal import NowPlaying

/// The positions in long files that a person has left by *next* or a jump. If this was a mistake, *previous* returns to
/// the position.
struct LeftPositions {
  /// A position in a file.
  struct Position {
    let id: LocalPlayer.Entry.ID
    /// Seconds in the file.
    let seconds: Double
    fileprivate let time: MonotonicInstant
  }

  /// A file of at least this duration is long, in seconds.
  private static let longFile = 600.0
  /// *Previous* returns to a position for this time after it was left.
  private static let returnTime = Duration.seconds(10)
  private static let limit = 8

  private var positions: [Position] = []

  /// Stores a position, if the file is long.
  /// - Parameter duration: the duration of the file in seconds; 0 if it is not known.
  mutating func add(
    _ id: LocalPlayer.Entry.ID, at seconds: Double, duration: Double, _ now: MonotonicInstant
  ) {
    guard duration >= Self.longFile else { return }
    positions.append(Position(id: id, seconds: seconds, time: now))
    if positions.count > Self.limit { positions.removeFirst() }
  }

  /// Returns the position that was left last, if this is not longer ago than ``returnTime``, and forgets it.
  mutating func takeLast(at now: MonotonicInstant) -> Position? {
    guard let last = positions.popLast(), now.wholeTime(since: last.time) <= Self.returnTime else {
      positions = []
      return nil
    }
    return last
  }
}
