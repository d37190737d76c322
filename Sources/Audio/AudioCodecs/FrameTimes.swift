/// Converts between frames and seconds in a stream whose rate can change.
struct FrameTimes {
  /// The largest number of changes that are stored. The limit protects against files that are made to fill the memory.
  static let maximumChanges = 1024
  /// The largest position that is accepted, in frames. Files can state any number. The limit corresponds to months of
  /// sound. It is so small that the sum over a million links does not overflow.
  static let maximumPosition: Int64 = 1 << 40

  private struct Change {
    /// Number of frames before the change.
    let frame: Int64
    /// Time of the change in seconds.
    let seconds: Double
  }

  /// The changes of the rate in order. The first entry is the start of the stream.
  private var changes = [Change(frame: 0, seconds: 0)]
  /// The rate after the last change, in Hz.
  private var rate: Int

  /// Creates the times of a stream that starts with `rate`, in Hz.
  init(rate: Int) { self.rate = rate }

  /// Number of stored changes, including the start.
  var changeCount: Int { changes.count }

  /// Stores that the rate is `rate` from `frame` on. Ignores a change at or before the last stored change, because
  /// after a backward seek the decoder finds the stored changes again.
  mutating func change(to rate: Int, at frame: Int64) {
    guard rate != self.rate, frame > changes[changes.count - 1].frame else { return }
    if changes.count == Self.maximumChanges {
      // Every second change is dropped. Times at the remaining changes stay exact; times between them are nearly exact.
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

  /// The frame that is heard at `seconds`.
  func frame(at seconds: Double) -> Int64 {
    let index = changes.lastIndex { $0.seconds <= seconds } ?? 0
    let change = changes[index]
    return clampedFrame(
      Double(change.frame) + (seconds - change.seconds) * rate(behind: index))
  }

  /// The average rate from the stored change `index` to the next stored change. Changes between these two can have been
  /// dropped.
  private func rate(behind index: Int) -> Double {
    guard index + 1 < changes.count else { return Double(rate) }
    let (change, next) = (changes[index], changes[index + 1])
    return Double(next.frame - change.frame) / (next.seconds - change.seconds)
  }
}
