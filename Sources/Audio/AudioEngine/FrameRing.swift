internal import CRealtime
internal import Synchronization

/// Carries frames from the decode thread to the output thread.
///
/// The ring has one writer, one reader and no locks. Positions are counted in frames since the engine began. So a
/// position means the same frame in both threads. The size of the memory is fixed. It holds three seconds of CD sound,
/// or a sixth of a second of eight channels at 192 kHz.
///
/// The reader keeps its own position, because it can go back and read frames again. The writer can overwrite a frame
/// after the reader has released the frame.
///
/// The type is a structure with a raw pointer. It is not a class, because objects of a class would be retained below
/// the real-time line. The creator of a ring deallocates it after the threads that use it have ended.
struct FrameRing: @unchecked Sendable {
  /// Memory for 2.97 s of 44.1 kHz stereo. This is longer than a stick needs to wake up.
  static let defaultBytes = 1 << 20

  private struct Core: ~Copyable {
    let base: UnsafeMutableRawPointer
    let byteCapacity: Int

    // Only `configure` changes these values, while the ring is empty.
    var frameBytes = 8
    var capacity: Int
    /// Room, in frames, that the writer must not use before the next discard (see `configure`).
    var reserve = 0
    /// The position of the frame at `base`.
    var origin = 0

    let written = Atomic<Int>(0)
    /// The reader no longer needs the frames before this position.
    let released = Atomic<Int>(0)
    /// The reader drops all frames before this position. Only the latest value counts.
    let discarded = Atomic<Int>(0)
    /// Number of times that frames were discarded.
    let epoch = Atomic<Int>(0)
    /// The number of the last command that the writer has taken.
    let command = Atomic<Int>(0)
    /// True while the writer sleeps until there is room.
    let writerWaits = Atomic<Bool>(false)
    /// 0 while the reader does not wait for frames, 1 while it sleeps until the ring is half full, 2 while it sleeps
    /// until there are frames.
    let readerWaits = Atomic<Int>(0)
  }

  private let core: UnsafeMutablePointer<Core>

  /// - Parameter isInMemory: true if all pages are in memory from the start. With false, the kernel provides a page at
  ///   the first write of the decode thread, before the output thread reads the page. In both cases the output thread
  ///   causes no page fault.
  init(bytes: Int = defaultBytes, isInMemory: Bool = true) {
    let base = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    if isInMemory { base.initializeMemory(as: UInt8.self, repeating: 0, count: bytes) }
    core = .allocate(capacity: 1)
    core.initialize(to: Core(base: base, byteCapacity: bytes, capacity: bytes / 8))
  }

  func deallocate() {
    core.pointee.base.deallocate()
    core.deinitialize(count: 1)
    core.deallocate()
  }

  /// Sets the number of channels. Each sample of a frame has four bytes. The output thread calls this above the
  /// real-time line, only while the ring is empty.
  ///
  /// - Parameter keepsReserve: if true, an eighth of the ring stays free until frames are discarded, for example by a
  ///   seek. Discarded frames occupy the ring until the device has played the fade-out. In this time, the reserve has
  ///   room for the first frames of the new position.
  func configure(channels: Int, keepsReserve: Bool = false) {
    let position = core.pointee.written.load(ordering: .acquiring)
    precondition(
      core.pointee.released.load(ordering: .relaxed) == position, "the ring must be empty")
    core.pointee.frameBytes = channels * 4
    core.pointee.capacity = core.pointee.byteCapacity / core.pointee.frameBytes
    core.pointee.reserve = keepsReserve ? core.pointee.capacity / 8 : 0
    core.pointee.origin = position
  }

  /// Number of frames with the present number of channels that the ring can hold.
  var frameCapacity: Int { core.pointee.capacity }

  /// Number of frames with `channels` channels that the ring can hold.
  @_noLocks func capacity(channels: Int) -> Int { core.pointee.byteCapacity / (4 &* channels) }

  // MARK: Decode thread

  /// Position after the last frame that was written.
  var writePosition: Int { core.pointee.written.load(ordering: .relaxed) }

  /// Number of frames that the writer can write now.
  var writable: Int {
    @_noLocks get {
      let free = core.pointee.capacity &- heldFrames
      if core.pointee.discarded.load(ordering: .acquiring) > releasedPosition { return free }
      return free > core.pointee.reserve ? free &- core.pointee.reserve : 0
    }
  }

  /// The reader no longer needs the frames before this position. Any thread can read this value.
  var releasedPosition: Int {
    @_noLocks get { core.pointee.released.load(ordering: .acquiring) }
  }

  /// Number of frames that were written and not released. Any thread can read this value.
  var heldFrames: Int {
    @_noLocks get {
      // `released` must be loaded first. A value of `released` is never above a later value of `written`, so the
      // difference is never negative.
      let released = core.pointee.released.load(ordering: .acquiring)
      return core.pointee.written.load(ordering: .acquiring) &- released
    }
  }

  /// Writes as many of the `count` frames as fit. Returns the number of written frames.
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

  /// A loop instead of `memcpy`, because the thread sanitizer does not detect the accesses of `memcpy`. In any other
  /// build the optimiser replaces the loop by `memcpy`.
  private func copySamples(
    from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
  ) {
    let from = source.assumingMemoryBound(to: UInt32.self)
    let to = target.assumingMemoryBound(to: UInt32.self)
    for index in 0..<count { to[index] = from[index] }
  }

  /// Requests that the reader drops all frames that were written so far and ignores events of older epochs.
  func discardWritten(epoch: Int, command: Int) {
    // The order matters: a reader that sees the position also sees the epoch, and a reader that sees the command also
    // sees the position and the epoch.
    core.pointee.epoch.store(epoch, ordering: .releasing)
    core.pointee.discarded.store(writePosition, ordering: .releasing)
    core.pointee.command.store(command, ordering: .releasing)
  }

  // One thread sets its "waits" flag and then looks at the ring. The other thread changes the ring and then looks at
  // the flag. The fences between the two steps ensure that at least one thread sees the write of the other thread, so
  // no wake-up is lost.

  /// Announces that the writer is about to sleep. Returns false if a quarter of the ring is free already. In this case
  /// the writer must not sleep.
  func waitForRoom() -> Bool {
    core.pointee.writerWaits.store(true, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if writable < core.pointee.capacity / 4 { return true }
    core.pointee.writerWaits.store(false, ordering: .relaxed)
    return false
  }

  /// Returns true if a sleeping reader must be woken now. With `always`, the reader is woken even if the ring contains
  /// few frames. Use this if no further frames follow for a while.
  func takeReaderWakeRequest(always: Bool) -> Bool {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let waits = core.pointee.readerWaits.load(ordering: .relaxed)
    guard waits > 0, always || waits == 2 || writable <= core.pointee.capacity / 2
    else { return false }
    core.pointee.readerWaits.store(0, ordering: .relaxed)
    return true
  }

  // MARK: Output thread

  /// Announces that the reader is about to sleep. Returns false if the ring already contains frames from `position` on.
  /// In this case the reader must not sleep.
  ///
  /// - Parameter atAnyLevel: if true, any frame wakes the reader. If false, the reader is woken when the ring is half
  ///   full, so that there are few wake-ups.
  @_noLocks func waitForFrames(from position: Int, atAnyLevel: Bool = false) -> Bool {
    core.pointee.readerWaits.store(atAnyLevel ? 2 : 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if readable(from: position) <= 0 { return true }
    core.pointee.readerWaits.store(0, ordering: .relaxed)
    return false
  }

  // MARK: Output thread, below the real-time line

  /// Number of frames from `position` on that can be read now.
  @_noLocks func readable(from position: Int) -> Int {
    core.pointee.written.load(ordering: .acquiring) &- position
  }

  /// The reader must drop the frames before this position.
  var discardPosition: Int {
    @_noLocks get { core.pointee.discarded.load(ordering: .acquiring) }
  }

  /// The last command for which frames were discarded.
  var command: Int {
    @_noLocks get { core.pointee.command.load(ordering: .acquiring) }
  }

  /// The epoch of the last discard. The reader must ignore events of older epochs.
  var discardEpoch: Int {
    @_noLocks get { core.pointee.epoch.load(ordering: .acquiring) }
  }

  /// The frames from `position` on in one contiguous piece, at most `limit` frames. They stay valid until they are
  /// released.
  @_noLocks func frames(
    at position: Int, limit: Int
  ) -> (frames: UnsafeRawPointer, count: Int) {
    let slot = (position &- core.pointee.origin) % core.pointee.capacity
    let available = readable(from: position)
    let room = core.pointee.capacity &- slot
    var count = limit < available ? limit : available
    if room < count { count = room }
    return (UnsafeRawPointer(core.pointee.base + slot &* core.pointee.frameBytes), count)
  }

  /// Releases the frames before `position`, so that the writer can use their memory.
  @_noLocks func release(before position: Int) {
    core.pointee.released.store(position, ordering: .releasing)
  }

  /// Returns true if a sleeping writer must be woken now. The writer is woken when a quarter of the ring is free, so
  /// that there are few wake-ups.
  @_noLocks func takeWriterWakeRequest() -> Bool {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard core.pointee.writerWaits.load(ordering: .relaxed),
      writable >= core.pointee.capacity / 4
    else { return false }
    core.pointee.writerWaits.store(false, ordering: .relaxed)
    return true
  }
}
