/// Counts the frames of content and of silence that were handed over, to find the content that the device has not
/// played yet. Used by the output thread only, below the real-time line.
struct DeviceContent {
  /// Number of content frames that were rendered since the last silence.
  private(set) var run = 0
  /// Length of the last silence, in frames.
  private var silence = Int.max / 2
  /// Number of content frames since frames were last dropped. Older content in the device does not count.
  private var sinceDrop = 0

  @_noLocks mutating func addContent(_ frames: Int) {
    run &+= frames
    sinceDrop &+= frames
  }

  @_noLocks mutating func addSilence(_ frames: Int) {
    // After content, the length of the silence is counted from 0 again.
    silence = run > 0 ? frames : silence &+ frames
    run = 0
  }

  /// Call this when frames are dropped. The frames in the device were rendered before the drop and no longer count.
  /// `done` frames of this period were rendered before the drop. They are added when the period ends, so they are
  /// subtracted here.
  @_noLocks mutating func drop(after done: Int) {
    run = 0 &- done
    sinceDrop = 0 &- done
    silence = Int.max / 2
  }

  /// Number of content frames that are not heard yet: the frames after the last silence, and the frames before this
  /// silence that the device still holds.
  @_noLocks func pending(deviceDelay: Int) -> Int {
    var pending = deviceDelay < run ? deviceDelay : run
    let older = deviceDelay &- run &- silence
    if older > 0 { pending &+= older }
    if pending > sinceDrop { pending = sinceDrop }
    return pending < 0 ? 0 : pending
  }
}
