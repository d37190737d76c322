/// What the renderer keeps for a device whose buffer can be rewritten. Used by the output thread only.
struct Rewriting {
  /// Everything outside ``RenderState`` that determines what the next frames are. If one of these values changes,
  /// frames that were rendered before the change can be wrong.
  struct Inputs {
    let written: Int
    let discarded: Int
    let events: Int
    let overlayEvents: Int
    let overlayDiscards: Int

    @_noLocks init(
      written: Int = 0, discarded: Int = 0, events: Int = 0, overlayEvents: Int = 0,
      overlayDiscards: Int = 0
    ) {
      self.written = written
      self.discarded = discarded
      self.events = events
      self.overlayEvents = overlayEvents
      self.overlayDiscards = overlayDiscards
    }

    @_noLocks func isSame(as other: Inputs) -> Bool {
      if written != other.written { return false }
      if discarded != other.discarded { return false }
      if events != other.events { return false }
      if overlayEvents != other.overlayEvents { return false }
      return overlayDiscards == other.overlayDiscards
    }
  }

  /// Number of frames that the device holds if the buffer is full; 0 if the device is filled by periods.
  private(set) var depth = 0
  /// If frames are late, silence is rendered only until the device holds the safeguard and twice this number of frames.
  private(set) var margin = 0
  /// The number of frames that the device plays next and that are not changed.
  var safeguard = 0
  var history = RenderHistory()
  /// The inputs at the last ``Renderer/nextStep(held:isFresh:)``. A block that is rendered after this step can see
  /// newer inputs, so the next step compares the inputs again.
  var inputs = Inputs()
  /// The output frame that was heard at the last measurement, and the time of the measurement (monotonic nanoseconds).
  var heard = 0
  var measuredAt: Int64 = 0
  /// Number of frames that the device has taken from its buffer and that are not heard yet.
  var behindBuffer = 0
  /// The number of immediate effects at the last ``Renderer/nextStep(held:isFresh:)``.
  var immediateChanges = 0
  /// The output frame after the last frame of content.
  var contentEnd = 0
  /// The first frame of the last silence before content; `Int.max` if there is none. If this silence can still be taken
  /// back, content that arrived late replaces it.
  var lateSilence = Int.max
  /// The output frame at which the sound begins to fade out because the engine stops; `Int.max` before a stop.
  var stopFrame = Int.max

  /// True after the renderer has told the sink to leave its loop.
  var hasLeft = false

  /// Call this if the frames after the output frame `frame` are dropped.
  @_noLocks mutating func forgetFrames(after frame: Int) {
    if contentEnd > frame { contentEnd = frame }
    if stopFrame > frame { stopFrame = Int.max }
    lateSilence = Int.max
  }

  /// The output frame that is heard, if the buffer of the device holds the `held` frames before the output frame
  /// `output`.
  @_noLocks func heard(output: Int, held: Int) -> Int { output &- held &- behindBuffer }

  /// True if the buffer of the device can be rewritten.
  var isOn: Bool {
    @_noLocks get { depth > 0 }
  }

  /// Call this above the real-time line when the device was set up. A depth of 0 is for a device that is filled by
  /// periods.
  mutating func configure(depth: Int, margin: Int) {
    self.depth = depth
    self.margin = margin
    hasLeft = false
    behindBuffer = 0
    history.removeAll()
    if depth > 0 { history.allocate() }
  }

  /// Number of frames of a block.
  var blockFrames: Int {
    @_noLocks get { depth / 800 > 64 ? depth / 800 : 64 }
  }
}
