/// Everything that rendering changes and that determines the next frames, as one value. A renderer that goes back to an
/// earlier value renders the same frames again. Used by the output thread only.
struct RenderState {
  /// What the ring contains.
  enum Stream {
    /// No segment has begun since the device was set up, so no frames are late.
    case none
    case playing
    /// No frames follow before the next segment.
    case ended
  }

  /// How the next frame of content follows the frames before it.
  enum Onset {
    case continues
    /// The frame follows silence, and has its full level.
    case begins
    /// The frame follows dropped frames, and fades in.
    case fadesIn
  }

  /// Why the sink must leave its loop.
  enum Exit {
    case stays
    /// The device must be set up again before the next frame.
    case needsDevice
    /// There was no audible content for a long time. The output rests from this output frame on.
    case rests(from: Int)
  }

  /// Ring position of the next frame.
  var position = 0
  /// Number of stream events that were processed.
  var eventCount = 0
  /// Number of frames that were rendered since the engine began, including silence.
  var output = 0
  /// Number of reports that were added to the ``ReportQueue``.
  var reports = 0

  var stream = Stream.none
  var onset = Onset.begins
  var exit = Exit.stays
  /// True if the frames of the segment come from a ``LiveInput``. A live source that is silent is not late.
  var isLive = false
  /// How the samples of the segment are coded.
  var source = SourceSamples()
  /// Linear gain of the segment's track.
  var trackGain: Float = 1
  /// Linear gain of the last frame.
  var level: Float = 0
  /// Current gain of the music. It changes gradually to the gain that the overlay requests.
  var musicGain: Float = 1
  var dither = Dither()
  var overlay = OverlayMixer.State()

  /// The content that the device has not played. Used only for a device that is filled by periods.
  var content = DeviceContent()
  var effects = RenderedEffects()
  /// True if silence replaced late frames in the last rendering.
  var isStarved = false
  /// Number of frames of silence that replaced late frames since the engine began.
  var starvedFrames = 0
  /// True if the last frames of a live source were faded out, because no frames followed them in time.
  var isDry = false
  /// Number of times that a live source ran dry since the engine began.
  var liveUnderruns = 0
  /// Number of frames since the last audible content.
  var idleRun = 0
  /// The time at which the last frame in the previous device format was heard. 0 if the silence during a new device
  /// setup (the changeover) is not measured.
  var changeoverBegan: Int64 = 0

  var isPlaying: Bool {
    @_noLocks get { if case .playing = stream { true } else { false } }
  }

  /// True if the device must be set up again before the next frame.
  var needsDevice: Bool {
    @_noLocks get { if case .needsDevice = exit { true } else { false } }
  }

  /// True after the first segment since the device was set up.
  var hasSegment: Bool {
    @_noLocks get { if case .none = stream { false } else { true } }
  }

  /// Call this when no frames of a live source follow in time.
  @_noLocks mutating func runDry() {
    if !isDry { liveUnderruns &+= 1 }
    isDry = true
  }

  /// Call this when frames are dropped. `done` frames of this rendering precede the dropped frames.
  @_noLocks mutating func drop(after done: Int) {
    level = 0
    onset = .fadesIn
    content.drop(after: done)
  }

  /// Begins a segment. A segment after silence begins at its full level, except if it follows dropped frames. At other
  /// segments, the level changes gradually.
  @_noLocks mutating func begin(_ segment: StreamEvent) {
    isLive = segment.isLive
    source = segment.source
    trackGain = segment.gain
    if !isPlaying, case .continues = onset { onset = .begins }
    stream = .playing
  }
}
