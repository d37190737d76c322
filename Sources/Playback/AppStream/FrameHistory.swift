/// The last frames of a stream, in the coding in which they arrived. A value that its owner locks.
struct FrameHistory {
  /// Consecutive frames.
  private struct Run {
    var first: Int64
    var count: Int
    var end: Int64 { first + Int64(count) }
  }

  /// The largest number of runs. Each jump of the numbers begins a run, so this limits their memory.
  private static let mostRuns = 64

  private let frameBytes: Int
  /// The size of the memory in frames.
  let capacity: Int
  /// A ring. Empty if no memory is allocated.
  private var memory: [UInt8] = []
  /// The place of the oldest frame in the memory.
  private var start = 0
  /// Oldest first. All numbers in a run are below those in the next run.
  private var runs: [Run] = []
  private var count = 0
  /// The frames before this number were kept, and are forgotten.
  private(set) var forgotten: Int64 = 0

  /// - Parameter bytes: the size of the memory.
  init(bytes: Int, frameBytes: Int) {
    self.frameBytes = frameBytes
    capacity = bytes / frameBytes
  }

  /// The size of the memory that is allocated.
  var allocatedBytes: Int { memory.count }

  /// True if a further jump would make the history forget frames.
  var isFullOfRuns: Bool { runs.count == Self.mostRuns }

  /// Adds consecutive frames, whose numbers are above all others. Forgets the oldest frames if there is no room.
  /// `bytes` must fit into the memory.
  mutating func add(_ bytes: UnsafeRawBufferPointer, first: Int64) {
    if memory.isEmpty { memory = [UInt8](repeating: 0, count: capacity * frameBytes) }
    let added = bytes.count / frameBytes
    if runs.last?.end == first {
      runs[runs.count - 1].count += added
    } else {
      if isFullOfRuns { forgetOldest(runs[0].count) }
      runs.append(Run(first: first, count: added))
    }
    forgetOldest(count + added - capacity)
    let slot = (start + count) % capacity
    let piece = min(added, capacity - slot) * frameBytes
    memory.withUnsafeMutableBytes { memory in
      UnsafeMutableRawBufferPointer(rebasing: memory[(slot * frameBytes)...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<piece]))
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[piece...]))
    }
    count += added
  }

  private mutating func forgetOldest(_ frames: Int) {
    var left = max(0, frames)
    while left > 0, let run = runs.first {
      let removed = min(left, run.count)
      forgotten = run.first + Int64(removed)
      start = (start + removed) % capacity
      count -= removed
      left -= removed
      if removed == run.count {
        runs.removeFirst()
      } else {
        runs[0] = Run(first: forgotten, count: run.count - removed)
      }
    }
  }

  /// Number of kept frames from `number` on.
  func frames(from number: Int64) -> Int {
    runs.reduce(0) { $0 + Int(max(0, $1.end - max($1.first, number))) }
  }

  /// Passes the first kept frames at or after `from` and before `end` to `body`: their first number, and at most
  /// `limit` consecutive frames. Nil if there are none.
  func read<Result>(
    from: Int64, before end: Int64, limit: Int,
    _ body: (_ first: Int64, _ frames: UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    var slot = start
    for run in runs {
      let first = max(run.first, from)
      let last = min(run.end, end)
      guard first < last else {
        slot += run.count
        continue
      }
      let begin = (slot + Int(first - run.first)) % capacity
      let length = min(Int(last - first), limit, capacity - begin)
      return memory.withUnsafeBytes {
        body(
          first,
          UnsafeRawBufferPointer(rebasing: $0[begin * frameBytes..<(begin + length) * frameBytes]))
      }
    }
    return nil
  }

  /// Forgets all frames and frees the memory.
  mutating func release() {
    forgotten = runs.last?.end ?? forgotten
    clear()
    memory = []
  }

  /// Removes all frames. They do not count as forgotten, because nobody wants them any more.
  mutating func removeAll() {
    clear()
    forgotten = 0
  }

  private mutating func clear() { (runs, count, start) = ([], 0, 0) }
}
