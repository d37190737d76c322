internal import CRealtime
internal import Synchronization

/// Frames on their way from the decode thread to the output thread.
///
/// One writer, one reader, no locks. Positions are counted in frames since the engine began and
/// never go back, so a position names the same frame for everybody. The size is bounded in
/// bytes: the same memory holds three seconds of a CD and a sixth of one of 8 × 192 kHz.
///
/// A raw pointer and not a class: below the real-time line a class would be retained. Whoever
/// makes a ring deallocates it, when the threads that use it have ended.
struct FrameRing: @unchecked Sendable {
  /// 2.97 s of 44.1 kHz stereo: longer than a stick needs to wake up.
  static let defaultBytes = 1 << 20

  private struct Core: ~Copyable {
    let base: UnsafeMutableRawPointer
    let byteCapacity: Int

    // Changed by `configure` only, while the reader has left the ring (see there).
    var frameBytes = 8
    var capacity: Int
    /// The position that stands at `base`.
    var origin = 0

    let written = Atomic<Int>(0)
    let consumed = Atomic<Int>(0)
    /// Latest wins: the reader drops everything before this position.
    let discarded = Atomic<Int>(0)
    /// How often that happened.
    let epoch = Atomic<Int>(0)
    /// The last command that the writer has taken up.
    let command = Atomic<Int>(0)
    /// The writer sleeps until there is room again.
    let writerWaits = Atomic<Bool>(false)
    /// The reader sleeps until there is something again.
    let readerWaits = Atomic<Bool>(false)
  }

  private let core: UnsafeMutablePointer<Core>

  init(bytes: Int = defaultBytes) {
    let base = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    // Touched now, so that the output thread meets no page fault.
    base.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    core = .allocate(capacity: 1)
    core.initialize(to: Core(base: base, byteCapacity: bytes, capacity: bytes / 8))
  }

  func deallocate() {
    core.pointee.base.deallocate()
    core.deinitialize(count: 1)
    core.deallocate()
  }

  /// Sets how many samples of four bytes a frame has. Only while the ring is empty and the
  /// output thread is above the line, waiting for this; it is the output thread that calls.
  func configure(channels: Int) {
    let position = core.pointee.written.load(ordering: .acquiring)
    precondition(
      core.pointee.consumed.load(ordering: .relaxed) == position, "frames of another format")
    core.pointee.frameBytes = channels * 4
    core.pointee.capacity = core.pointee.byteCapacity / core.pointee.frameBytes
    core.pointee.origin = position
  }

  // MARK: Decode thread

  /// Position after the last frame that was written.
  var writePosition: Int { core.pointee.written.load(ordering: .relaxed) }

  /// Frames that fit now.
  var writable: Int {
    core.pointee.capacity
      - (core.pointee.written.load(ordering: .relaxed)
        - core.pointee.consumed.load(ordering: .acquiring))
  }

  /// Writes what fits of `count` frames and says how many that were.
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    let position = core.pointee.written.load(ordering: .relaxed)
    let taken = min(count, writable)
    var done = 0
    while done < taken {
      let slot = (position + done - core.pointee.origin) % core.pointee.capacity
      let run = min(taken - done, core.pointee.capacity - slot)
      copySamples(
        from: frames + done * core.pointee.frameBytes,
        to: core.pointee.base + slot * core.pointee.frameBytes,
        count: run * core.pointee.frameBytes / 4)
      done += run
    }
    core.pointee.written.store(position + taken, ordering: .releasing)
    return taken
  }

  /// A loop and not `memcpy`, as the thread sanitizer does not see into that; as fast, since the
  /// optimiser makes one of the other in any other build.
  private func copySamples(
    from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
  ) {
    let from = source.assumingMemoryBound(to: UInt32.self)
    let to = target.assumingMemoryBound(to: UInt32.self)
    for index in 0..<count { to[index] = from[index] }
  }

  /// Asks the reader to drop all that is written so far, and to forget events of older epochs.
  func discardWritten(epoch: Int, command: Int) {
    // In this order: a reader that sees the position sees the epoch too, and one that sees the
    // command sees both.
    core.pointee.epoch.store(epoch, ordering: .releasing)
    core.pointee.discarded.store(writePosition, ordering: .releasing)
    core.pointee.command.store(command, ordering: .releasing)
  }

  // One side says that it sleeps and then looks at the ring; the other moves the ring and then
  // looks whether somebody sleeps. The fences in between keep both from looking too early, so
  // that at least one of them sees the other.

  /// Says that the writer is about to sleep; false where there is room already.
  func waitForRoom() -> Bool {
    core.pointee.writerWaits.store(true, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if writable < core.pointee.capacity / 4 { return true }
    core.pointee.writerWaits.store(false, ordering: .relaxed)
    return false
  }

  /// Whether a reader that sleeps must be woken now: when half the ring is full, so that one
  /// wake-up is worth it, or when `always`, because nothing more comes for a while.
  func takeReaderWish(always: Bool) -> Bool {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard core.pointee.readerWaits.load(ordering: .relaxed),
      always || writable <= core.pointee.capacity / 2
    else { return false }
    core.pointee.readerWaits.store(false, ordering: .relaxed)
    return true
  }

  // MARK: Output thread, of a sink without a clock

  /// Says that the reader is about to sleep; false where there is something to read already.
  func waitForFrames() -> Bool {
    core.pointee.readerWaits.store(true, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if readable == 0 { return true }
    core.pointee.readerWaits.store(false, ordering: .relaxed)
    return false
  }

  // MARK: Output thread, below the line

  /// Position of the next frame to read.
  var readPosition: Int {
    @_noLocks get { core.pointee.consumed.load(ordering: .relaxed) }
  }

  /// Frames that can be read now.
  var readable: Int {
    @_noLocks get {
      core.pointee.written.load(ordering: .acquiring)
        &- core.pointee.consumed.load(ordering: .relaxed)
    }
  }

  /// The position up to which frames are to be dropped.
  var discardPosition: Int {
    @_noLocks get { core.pointee.discarded.load(ordering: .acquiring) }
  }

  /// The last command for which frames were taken back.
  var command: Int {
    @_noLocks get { core.pointee.command.load(ordering: .acquiring) }
  }

  /// Events of an older epoch are void.
  var discardEpoch: Int {
    @_noLocks get { core.pointee.epoch.load(ordering: .acquiring) }
  }

  /// The next frames in one piece, at most `limit`.
  @_noLocks func peek(_ limit: Int) -> (frames: UnsafeRawPointer, count: Int) {
    let slot =
      (core.pointee.consumed.load(ordering: .relaxed) &- core.pointee.origin)
      % core.pointee.capacity
    let available = readable
    let room = core.pointee.capacity &- slot
    var count = limit < available ? limit : available
    if room < count { count = room }
    return (UnsafeRawPointer(core.pointee.base + slot &* core.pointee.frameBytes), count)
  }

  /// Gives `count` frames' room back to the writer.
  @_noLocks func consume(_ count: Int) {
    core.pointee.consumed.store(
      core.pointee.consumed.load(ordering: .relaxed) &+ count, ordering: .releasing)
  }

  /// Whether the writer must be woken now: it sleeps, and a quarter of the ring is free, so that
  /// one wake-up is worth it.
  @_noLocks func takeWriterWish() -> Bool {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard core.pointee.writerWaits.load(ordering: .relaxed),
      core.pointee.capacity &- readable >= core.pointee.capacity / 4
    else { return false }
    core.pointee.writerWaits.store(false, ordering: .relaxed)
    return true
  }
}
