internal import CRealtime
internal import Synchronization

/// Tells which frame is heard now. The output thread writes the clock each time it wakes up. Any thread can read the
/// clock.
///
/// A sequence lock keeps position, pending frames and time consistent. The writer never waits. A reader that reads
/// during a write tries again. The type contains a raw pointer for the reason that ``FrameRing`` gives.
struct PlaybackClock: @unchecked Sendable {
  /// The state of the output at one moment.
  struct Reading: Equatable {
    /// Ring position after the content frames that were handed over. If the buffer of the device is rewritten: ring
    /// position after the content frames that the device plays next, up to the first jump.
    var position = 0
    /// Content frames before `position` that the device has not played.
    var pending = 0
    /// All frames that the device plays before `position` is reached, with the silence between content frames.
    var delay = 0
    /// The time at which `position` and `pending` were valid: the monotonic clock, in nanoseconds.
    var time: Int64 = 0
    /// Frames per second of the ring.
    var sampleRate = 1
  }

  private struct Core: ~Copyable {
    let sequence = Atomic<Int>(0)
    let position = Atomic<Int>(0)
    let pending = Atomic<Int>(0)
    let delay = Atomic<Int>(0)
    let time = Atomic<Int64>(0)
    let sampleRate = Atomic<Int>(1)
    let liveUnderruns = Atomic<Int>(0)
  }

  private let core: UnsafeMutablePointer<Core>

  init() {
    core = .allocate(capacity: 1)
    core.initialize(to: Core())
  }

  func deallocate() {
    core.deinitialize(count: 1)
    core.deallocate()
  }

  /// Called on the output thread, above the real-time line.
  func configure(sampleRate rate: Int) {
    core.pointee.sampleRate.store(max(rate, 1), ordering: .relaxed)
  }

  /// - Parameter delay: nil if the device plays only content before the position.
  @_noLocks func publish(
    position newPosition: Int, pending newPending: Int, delay: Int? = nil, now: Int64
  ) {
    let count = core.pointee.sequence.load(ordering: .relaxed)
    core.pointee.sequence.store(count &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    core.pointee.position.store(newPosition, ordering: .relaxed)
    core.pointee.pending.store(newPending, ordering: .relaxed)
    core.pointee.delay.store(delay ?? newPending, ordering: .relaxed)
    core.pointee.time.store(now, ordering: .relaxed)
    core.pointee.sequence.store(count &+ 2, ordering: .releasing)
  }

  @_noLocks func publish(liveUnderruns count: Int) {
    core.pointee.liveUnderruns.store(count, ordering: .relaxed)
  }

  /// Number of audible underruns of live inputs since the engine began.
  var liveUnderruns: Int { core.pointee.liveUnderruns.load(ordering: .relaxed) }

  /// The last consistent reading.
  func read() -> Reading {
    while true {
      let before = core.pointee.sequence.load(ordering: .acquiring)
      let reading = Reading(
        position: core.pointee.position.load(ordering: .relaxed),
        pending: core.pointee.pending.load(ordering: .relaxed),
        delay: core.pointee.delay.load(ordering: .relaxed),
        time: core.pointee.time.load(ordering: .relaxed),
        sampleRate: core.pointee.sampleRate.load(ordering: .relaxed))
      atomicMemoryFence(ordering: .acquiring)
      if before & 1 == 0, core.pointee.sequence.load(ordering: .relaxed) == before {
        return reading
      }
    }
  }

  /// The ring position that is heard at `now`.
  func heardPosition(now: Int64 = rt_monotonic_ns()) -> Int {
    let reading = read()
    // Since the reading, the device has played further frames, but at most the frames that it held.
    let played = Int(
      max(0, min(Double(now - reading.time) * 1e-9 * Double(reading.sampleRate), 1e9)))
    // Silence can be before the content. So no content frame counts as heard before it can have been heard.
    return reading.position - min(reading.pending, max(0, reading.delay - played))
  }
}
