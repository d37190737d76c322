/// When frames sound, in a stream whose rate may change.
struct FrameTimes {
  /// More changes than this are those of a file that was made to fill the memory.
  static let maximumChanges = 1024

  private struct Change {
    /// Frames before it.
    let frame: Int64
    /// Seconds before it.
    let seconds: Double
  }

  /// Where the rate changed, in order; the first is the beginning.
  private var changes = [Change(frame: 0, seconds: 0)]
  /// Hz, behind the last change.
  private var rate: Int

  /// Begins with `rate`, in Hz.
  init(rate: Int) { self.rate = rate }

  /// How many are remembered, the beginning included.
  var changeCount: Int { changes.count }

  /// From `frame` on the rate is `rate`. What is known of later frames stays: a seek back meets
  /// the same changes again.
  mutating func change(to rate: Int, at frame: Int64) {
    guard rate != self.rate, frame > changes[changes.count - 1].frame else { return }
    if changes.count == Self.maximumChanges {
      // The times at those that stay are right, those between them nearly so.
      changes =
        changes.indices.filter { $0.isMultiple(of: 2) }.map { changes[$0] } + changes.suffix(1)
    }
    changes.append(Change(frame: frame, seconds: seconds(at: frame)))
    self.rate = rate
  }

  /// Seconds from the start of the stream to `frame`.
  func seconds(at frame: Int64) -> Double {
    let index = changes.lastIndex { $0.frame <= frame } ?? 0
    let change = changes[index]
    return change.seconds + Double(frame - change.frame) / rate(behind: index)
  }

  /// The frame that sounds at `seconds`.
  func frame(at seconds: Double) -> Int64 {
    let index = changes.lastIndex { $0.seconds <= seconds } ?? 0
    let change = changes[index]
    return clampedFrame(
      Double(change.frame) + (seconds - change.seconds) * rate(behind: index))
  }

  /// Frames per second from a change to the next.
  private func rate(behind index: Int) -> Double {
    guard index + 1 < changes.count else { return Double(rate) }
    let (change, next) = (changes[index], changes[index + 1])
    return Double(next.frame - change.frame) / (next.seconds - change.seconds)
  }
}
