/// The frames that the source of a ``LiveInput`` has pushed and that the engine has not taken. Decides whether the next
/// frame is kept or dropped.
///
/// The owner locks the queue, so the queue can be used on any thread.
struct LiveQueue: @unchecked Sendable {
  /// The lengths of the queue, in frames.
  struct Lengths {
    let target: Int
    /// The largest lead with this target. A larger lead is not caused by jitter, but by a backlog that the source has
    /// sent.
    let limit: Int
    /// Length of a fade. This number of frames always stays in the queue, so that the queue can fade out before it
    /// drops frames.
    let fade: Int
    /// The size of the memory. It does not depend on the target.
    let capacity: Int

    init(_ lead: LiveInput.Lead, rate: Int) {
      target = Int(lead.target * Double(rate))
      let largest = max(4 * lead.target, lead.target + 0.15)
      limit = Int(min(lead.limit, largest) * Double(rate))
      fade = Int(Double(Renderer.fadeSeconds) * Double(rate))
      capacity = Int(lead.limit * Double(rate)) + fade
    }
  }

  /// The answer of ``take(_:into:handedOver:_:)``.
  enum Answer: Equatable {
    /// This number of frames. `position` is the number of the first frame, counted from the first frame that was pushed
    /// after the start.
    case frames(Int, position: Int)
    /// No frames can be taken now.
    case waits
    /// No frames follow.
    case end
  }

  private enum Gate {
    /// The queue waits until its frames last as long as the target. The engine has not asked for frames yet, so only
    /// the newest frames are kept.
    case unused
    /// The queue waits until its frames last as long as the target.
    case fills
    case open
    /// New frames are dropped until the lead is at its target.
    case drops
    /// The source has ended. `isUsed` is true if the engine has asked for frames.
    case ended(isUsed: Bool)
  }

  private let memory: UnsafeMutablePointer<Float>
  private let channels: Int
  private let capacity: Int
  private var gate = Gate.unused
  /// Number of frames that were taken (`read`), and number of frames that were added (`written`).
  private var read = 0
  private var written = 0
  /// Where frames were dropped: before frame number `at`, `frames` frames are missing.
  private var jumps: [(at: Int, frames: Int)] = []
  /// The position of the next frame to take is `read + missing`. Missing frames increase this number.
  private var missing = 0
  /// Number of frames of the fade-in that are left, and of the whole fade-in.
  private var fadesIn = 0
  private var fadeLength = 1

  init(channels: Int, capacity: Int) {
    self.channels = channels
    self.capacity = capacity
    memory = .allocate(capacity: capacity * channels)
    memory.initialize(repeating: 0, count: capacity * channels)
  }

  func deallocate() { memory.deallocate() }

  /// Number of frames in the queue.
  var count: Int { written - read }

  var hasEnded: Bool { if case .ended = gate { true } else { false } }

  /// True if frames can be taken, and no frames are dropped.
  var isOpen: Bool { if case .open = gate { true } else { false } }

  /// True if the engine has taken all frames that it can take, and the source has pushed no further frames.
  var isDrained: Bool {
    switch gate {
    case .open, .drops: isEmpty
    case .unused, .fills, .ended: false
    }
  }
  /// True after an answer without frames, until frames are added.
  private var isEmpty = false

  /// Makes the queue wait until its frames last as long as the target.
  mutating func fill() { gate = .fills }

  /// Drops the frames that were not taken. But if the source has ended before the engine has asked for frames, the
  /// frames are kept.
  mutating func restart() {
    switch gate {
    case .ended(isUsed: false): return
    case .ended(isUsed: true): break
    case .unused, .fills, .open, .drops: gate = .unused
    }
    read = 0
    written = 0
    jumps = []
    missing = 0
    fadesIn = 0
    isEmpty = false
  }

  mutating func end() {
    switch gate {
    case .unused: gate = .ended(isUsed: false)
    case .fills, .open, .drops: gate = .ended(isUsed: true)
    case .ended: break
    }
  }

  /// Adds at most `lengths.fade` frames. `handedOver` is the number of frames that the engine has taken and that are
  /// not heard yet. Returns false if the frames were dropped.
  mutating func add(
    _ samples: UnsafePointer<Float>, frames: Int, handedOver: Int, _ lengths: Lengths
  ) -> Bool {
    switch gate {
    case .ended: return false
    case .unused:
      // The engine has not asked for frames yet. So frames that are dropped here do not count as missing.
      read = max(read, written + frames - lengths.target)
    case .fills:
      if count + frames >= lengths.target { gate = .open }
    case .open:
      if count + handedOver + frames > lengths.limit {
        gate = .drops
        fadeOut(lengths.fade)
      }
    case .drops:
      if count + handedOver <= lengths.target {
        gate = .open
        fadesIn = lengths.fade
        fadeLength = lengths.fade
      }
    }
    if case .drops = gate {
      noteMissing(frames)
      return false
    }
    append(samples, frames)
    return true
  }

  private mutating func noteMissing(_ frames: Int) {
    if jumps.last?.at == written {
      jumps[jumps.count - 1].frames += frames
    } else {
      jumps.append((written, frames))
    }
  }

  /// Appends frames. They always fit, because the queue contains at most the largest limit of the lead before the call,
  /// and the memory is larger by the length of a fade.
  private mutating func append(_ samples: UnsafePointer<Float>, _ frames: Int) {
    pieces(from: written, frames: frames) { piece, offset, count in
      piece.update(from: samples + offset, count: count)
    }
    let faded = min(fadesIn, frames)
    let begin = fadeLength - fadesIn
    scale(from: written, frames: faded) { Float(begin + $0 + 1) / Float(fadeLength) }
    fadesIn -= faded
    written += frames
    isEmpty = false
  }

  /// Splits the memory of `frames` frames into at most two pieces. Calls `body` with each piece, the number of samples
  /// before it, and its number of samples.
  private func pieces(
    from first: Int, frames: Int, _ body: (UnsafeMutablePointer<Float>, Int, Int) -> Void
  ) {
    let start = first % capacity
    let count = min(frames, capacity - start)
    body(memory + start * channels, 0, count * channels)
    if count < frames { body(memory, count * channels, (frames - count) * channels) }
  }

  /// Fades the newest frames out.
  mutating func fadeOut(_ frames: Int) {
    let faded = min(frames, count)
    scale(from: written - faded, frames: faded) { Float(faded - 1 - $0) / Float(faded) }
  }

  private func scale(from first: Int, frames: Int, by gain: (Int) -> Float) {
    for frame in 0..<frames {
      let target = memory + (first + frame) % capacity * channels
      for channel in 0..<channels { target[channel] *= gain(frame) }
    }
  }

  /// Moves at most `limit` frames to `samples`. Stops before missing frames. `handedOver` has the same meaning as for
  /// ``add(_:frames:handedOver:_:)``.
  mutating func take(
    _ limit: Int, into samples: UnsafeMutablePointer<Float>, handedOver: Int, _ lengths: Lengths
  ) -> Answer {
    begin(handedOver, lengths)
    let frames = min(limit, available(lengths))
    guard frames > 0 else {
      isEmpty = true
      if case .ended = gate { return .end }
      return .waits
    }
    pieces(from: read, frames: frames) { piece, offset, count in
      (samples + offset).update(from: piece, count: count)
    }
    defer { read += frames }
    return .frames(frames, position: read + missing)
  }

  /// Call this when the engine asks for frames. The first call chooses the first frame. If many frames of the previous
  /// track must still be heard, the queue stays closed, because its frames would be too old when they are heard.
  private mutating func begin(_ before: Int, _ lengths: Lengths) {
    switch gate {
    case .unused:
      let left = max(0, before)
      if left > lengths.target / 2 { return }
      read = max(read, written - (lengths.target - left))
      missing = -read
      gate = count + left >= lengths.target ? .open : .fills
    case .ended(isUsed: false): gate = .ended(isUsed: true)
    case .ended, .fills, .open, .drops: break
    }
  }

  /// Number of frames that can be taken before the next missing frame.
  private mutating func available(_ lengths: Lengths) -> Int {
    var available: Int
    switch gate {
    case .unused, .fills: available = 0
    case .open: available = count - lengths.fade
    case .drops, .ended: available = count
    }
    while let jump = jumps.first, jump.at <= read {
      missing += jump.frames
      jumps.removeFirst()
    }
    if let jump = jumps.first { available = min(available, jump.at - read) }
    return available
  }
}
