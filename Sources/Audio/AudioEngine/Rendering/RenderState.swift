/// Everything that rendering changes and that determines the next frames, as one value. Used by the
/// output thread only.
struct RenderState {
  /// What the ring contains.
  enum Stream {
    /// No segment has begun since the device was set up. Silence does not count as late frames.
    case none
    case playing
    /// No frames follow before the next segment.
    case ended
  }

  /// How the next frame of content follows the frames before it.
  enum Onset {
    case continues
    /// It comes after silence, and has its full level.
    case begins
    /// It comes after dropped frames, and fades in.
    case fadesIn
  }

  var stream = Stream.none
  var onset = Onset.begins
  /// How the samples of the segment are coded.
  var source = SourceSamples()
  /// Linear gain of the segment's track.
  var trackGain: Float = 1
  /// Linear gain of the last frame.
  var level: Float = 0
  /// Current gain of the music. It changes gradually to the gain that the overlay requests.
  var musicGain: Float = 1
  var dither = Dither()
  var content = DeviceContent()

  var isPlaying: Bool {
    @_noLocks get { if case .playing = stream { true } else { false } }
  }

  /// True after the first segment since the device was set up.
  var hasSegment: Bool {
    @_noLocks get { if case .none = stream { false } else { true } }
  }

  /// Call this when frames are dropped.
  @_noLocks mutating func drop(after done: Int) {
    level = 0
    onset = .fadesIn
    content.drop(after: done)
  }

  /// Begins a segment. A segment after silence begins at `fullLevel`, except if it follows dropped
  /// frames. At other segments, the level changes gradually.
  @_noLocks mutating func begin(_ segment: StreamEvent) {
    source = segment.source
    trackGain = segment.gain
    if !isPlaying, case .continues = onset { onset = .begins }
    stream = .playing
  }
}
