internal import AudioCodecs

/// A track whose file is open, and the position that its decoder has reached. Used on the decode thread only.
struct OpenTrack {
  let request: TrackRequest
  let decoder: any AudioDecoder
  let description: TrackDescription
  /// Linear gain (ReplayGain) of a segment that begins now.
  let gain: @Sendable () -> Float
  /// The format of the next frame.
  private(set) var format: StreamFormat
  /// The position that the next frame should have. If the next frame has another position, because of a gap or a seek,
  /// a new segment begins.
  private var expected: Int64 = 0
  /// True after the decoder has returned frames.
  private(set) var hasSound = false
  /// The time of the next segment's first frame, in seconds.
  private(set) var startSeconds: Double = 0
  /// New tags, for the next segment.
  private var newMetadata: AudioMetadata?
  private var reportedFormat: StreamFormat
  /// Number of damaged parts so far.
  var damageCount = 0

  init(_ request: TrackRequest, _ opened: OpenedTrack) {
    self.request = request
    decoder = opened.decoder
    description = opened.description
    gain = opened.gain
    format = opened.decoder.format
    reportedFormat = opened.decoder.format
  }

  var id: Int { request.id }

  /// The decoder of a live input; nil for a file.
  var live: LiveDecoder? { decoder as? LiveDecoder }

  /// The time of the next segment's first frame.
  var segmentTime: RingTracks.Time { RingTracks.Time(request: request, seconds: startSeconds) }

  mutating func seek(to seconds: Double) throws(DecodeError) {
    let frame = decoder.frame(atSeconds: max(0, seconds))
    try decoder.seek(to: frame)
    format = decoder.format
    expected = frame
    startSeconds = decoder.seconds(atFrame: frame)
  }

  /// Counts the frames of a block. Returns true if the block does not continue the frames before it. In this case a
  /// segment begins with the block.
  mutating func receive(_ block: FrameBlock) -> Bool {
    let jumps = block.position != expected
    if jumps { startSeconds = decoder.seconds(atFrame: block.position) }
    expected = block.position + Int64(block.frameCount)
    hasSound = true
    return jumps
  }

  /// Prepares a new segment from the next frame on, without a jump. Used if only the coding of the frames changes.
  mutating func continueSegment() { startSeconds = decoder.seconds(atFrame: expected) }

  /// Prepares a new segment from the next frame on, with another format.
  mutating func change(to format: StreamFormat) {
    self.format = format
    startSeconds = decoder.seconds(atFrame: expected)
  }

  /// Prepares a new segment from the next frame on, with these tags. So the tags are reported when this frame is handed
  /// over.
  mutating func change(to metadata: AudioMetadata) {
    newMetadata = metadata
    startSeconds = decoder.seconds(atFrame: expected)
  }

  /// The segment that begins with the next frame. Its tags and its format are set if they have changed since the last
  /// call.
  mutating func beginSegment(sampleRate: Int) -> Segment {
    defer {
      newMetadata = nil
      reportedFormat = format
    }
    return Segment(
      trackID: id, startSeconds: startSeconds, sampleRate: sampleRate, metadata: newMetadata,
      format: format == reportedFormat ? nil : format)
  }
}
