/// The last frames of a stream. Used on the decode thread only.
final class FrameMemory {
  /// The largest number of frames that are stored. It is larger than the number of frames that the filters of libsoxr
  /// need.
  private static let capacity = 512
  private let frames: UnsafeMutablePointer<Float>
  private let channels: Int
  private var count = 0

  init(channels: Int) {
    self.channels = channels
    frames = .allocate(capacity: Self.capacity * channels)
  }

  deinit { frames.deallocate() }

  func add(_ new: UnsafePointer<Float>, frames added: Int) {
    let taken = min(added, Self.capacity)
    let kept = min(count, Self.capacity - taken)
    let start = frames + (count - kept) * channels
    frames.update(from: start, count: kept * channels)
    (frames + kept * channels).update(
      from: new + (added - taken) * channels, count: taken * channels)
    count = kept + taken
  }

  func withFrames(_ body: (UnsafePointer<Float>, Int) -> Void) {
    body(UnsafePointer(frames), count)
  }
}
