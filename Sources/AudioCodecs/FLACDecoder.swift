internal import CFLAC

/// FLAC, native and Ogg, through libFLAC's stream decoder.
///
/// What frames say wins over what STREAMINFO promised: the format is that of the first frame,
/// and a frame of another format changes it. libFLAC checks each frame's CRC, so a frame that
/// comes out is the encoder's.
final class FLACDecoder: AudioDecoder {
  private let handle: UnsafeMutablePointer<FLAC__StreamDecoder>
  private let input: Input
  private let streamInfo: FLACStreamInfo?
  private let channelMask: UInt32?
  private let keepsSamples: Bool
  /// What is said when the last frame is out.
  private var closingNotice: DecodeError?

  private(set) var format: StreamFormat
  /// Frames of the whole stream, where the header knew.
  let frameCount: Int64?

  /// Interleaved samples of the last block that libFLAC wrote.
  private var block = SampleBlock()
  /// The block that waits to be handed out.
  private var pending: (format: StreamFormat, frameCount: Int, position: Int64)?
  /// What the error callback heard since the last look.
  private var reported: DecodeError?
  /// What comes before the pending block.
  private var notices: [DecodeError] = []
  /// Number of the stream's first frame: broadcasts do not start at 0.
  private var firstFrame: Int64 = 0
  /// Number of the frame that should come next, relative to the first.
  private var expected: Int64 = 0
  private var times = FrameTimes(rate: 1)
  private var isSeeking = false
  /// Frames are not where libFLAC believes them to be, so it cannot be asked to seek.
  private var numbersLie = false
  private var isEnded = false
  private var formatPolicy = FormatPolicy()

  /// What libFLAC reads from.
  enum Input {
    case native(SequentialReader)
    case ogg(GuardedOggReader, serial: Int32)
  }

  /// Finds the first frame, so that the format is known.
  /// - Parameters:
  ///   - keepsSamples: false to verify only; then libFLAC checks the MD5 too.
  ///   - closingNotice: what is known to be missing after the last frame.
  init(
    input: Input, streamInfo: FLACStreamInfo?, channelMask: UInt32?, keepsSamples: Bool,
    closingNotice: DecodeError? = nil
  ) throws(DecodeError) {
    guard let handle = FLAC__stream_decoder_new() else {
      throw DecodeError(.refuseFile, at: .byte(0), "no memory for a FLAC decoder")
    }
    self.handle = handle
    self.input = input
    self.streamInfo = streamInfo
    self.channelMask = channelMask
    self.keepsSamples = keepsSamples
    self.closingNotice = closingNotice
    let total = streamInfo?.totalFrames ?? 0
    frameCount = total > 0 ? total : nil
    format = StreamFormat(
      sampleRate: max(streamInfo?.sampleRate ?? 44100, 1),
      layout: ChannelLayout.flac(channels: streamInfo?.channels ?? 2).alsaOrdered,
      encoding: .integer(bits: max(streamInfo?.bitsPerSample ?? 16, Self.minimumBits)))
    FLAC__stream_decoder_set_md5_checking(handle, keepsSamples ? 0 : 1)
    try start()
  }

  deinit { FLAC__stream_decoder_delete(handle) }

  private func start() throws(DecodeError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let status: FLAC__StreamDecoderInitStatus
    switch input {
    case .native:
      status = FLAC__stream_decoder_init_stream(
        handle, flacRead, flacSeek, flacTell, flacLength, flacAtEnd, flacWrite, nil, flacError,
        context)
    case .ogg(_, let serial):
      FLAC__stream_decoder_set_ogg_serial_number(handle, Int(serial))
      status = FLAC__stream_decoder_init_ogg_stream(
        handle, flacRead, flacSeek, flacTell, flacLength, flacAtEnd, flacWrite, nil, flacError,
        context)
    }
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
      throw DecodeError(.refuseFile, at: .byte(0), "libFLAC cannot start (\(status.rawValue))")
    }
    guard FLAC__stream_decoder_process_until_end_of_metadata(handle) != 0 else {
      throw problem(.refuseFile) ?? DecodeError(.refuseFile, at: .byte(position), "bad metadata")
    }
    do throws(DecodeError) {
      try decodeBlock()
    } catch {
      throw DecodeError(.refuseFile, at: error.location, error.reason)
    }
    if let pending {
      firstFrame = pending.position
      self.pending?.position = 0
      checkPromises(pending.format)
      format = pending.format
      // libFLAC takes a frame's number times STREAMINFO's block size for its place.
      if let streamInfo, streamInfo.minimumBlockSize == streamInfo.maximumBlockSize {
        numbersLie = streamInfo.maximumBlockSize < pending.frameCount
      }
    } else if streamInfo == nil {
      throw DecodeError(.refuseFile, at: .byte(position), "no FLAC frame in it")
    }
    times = FrameTimes(rate: format.sampleRate)
  }

  /// The first frame against STREAMINFO.
  private func checkPromises(_ found: StreamFormat) {
    guard let streamInfo else { return }
    let promised = StreamFormat(
      sampleRate: streamInfo.sampleRate, layout: found.layout,
      encoding: .integer(bits: streamInfo.bitsPerSample))
    if found != promised || found.channels != streamInfo.channels {
      notices.append(
        DecodeError(
          .skipPacket, at: .frame(0),
          "the header says \(streamInfo.sampleRate) Hz, \(streamInfo.bitsPerSample) bits, "
            + "\(streamInfo.channels) channels, the sound is \(found.words)"))
    }
  }

  func next() throws(DecodeError) -> DecodeStep {
    if let notice = notices.popFirst() { return .skipped(notice) }
    if pending == nil {
      guard !isEnded else { return .end }
      try decodeBlock()
    }
    if let reported {
      self.reported = nil
      return .skipped(reported)
    }
    guard var block = pending else { return end() }
    // Where STREAMINFO lies about the block size, libFLAC counts too few frames; those that were
    // handed out are certain.
    if block.position < expected, !isSeeking {
      block.position = expected
      numbersLie = true
    }
    if block.format != format {
      times.change(to: block.format.sampleRate, at: block.position)
      let words = "the format changes from \(format.words) to \(block.format.words)"
      format = block.format
      notices.append(DecodeError(.skipPacket, at: .frame(block.position), words))
      return .formatChanged(format)
    }
    pending = nil
    if block.position > expected, !isSeeking {
      let missing = block.position - expected
      expected = block.position
      pending = block
      return .skipped(
        DecodeError(.skipPacket, at: .frame(block.position), "\(missing) frames are missing"))
    }
    isSeeking = false
    expected = block.position + Int64(block.frameCount)
    return .frames(
      FrameBlock(
        samples: keepsSamples ? UnsafeRawPointer(self.block.base) : nil,
        frameCount: block.frameCount, position: block.position))
  }

  /// The stream is over: was it whole?
  private func end() -> DecodeStep {
    isEnded = true
    if let frameCount, expected < frameCount {
      return .skipped(
        DecodeError(
          .skipPacket, at: .frame(expected),
          "the file ends here, of \(frameCount) frames that its header promises"))
    }
    if let frameCount, expected > frameCount {
      return .skipped(
        DecodeError(
          .skipPacket, at: .frame(expected),
          "more frames than the \(frameCount) that its header promises"))
    }
    if let closingNotice {
      self.closingNotice = nil
      return .skipped(closingNotice)
    }
    return .end
  }

  /// Whether the MD5 of all samples is STREAMINFO's; nil where there is none to compare with or
  /// not all was decoded. Ends the stream.
  func checkMD5() -> Bool? {
    isEnded = true
    guard !keepsSamples, streamInfo?.hasMD5 == true else { return nil }
    return FLAC__stream_decoder_finish(handle) != 0
  }

  // MARK: Seeking

  func seek(to frame: Int64) throws(DecodeError) {
    let target = max(frame, 0)
    pending = nil
    reported = nil
    notices = []
    isEnded = false
    isSeeking = true
    if let frameCount, target >= frameCount {
      isEnded = true
      expected = frameCount
      return
    }
    let (number, overflow) = firstFrame.addingReportingOverflow(target)
    if !overflow, !numbersLie, FLAC__stream_decoder_seek_absolute(handle, UInt64(number)) != 0,
      let found = pending, found.position == target
    {
      reported = nil
      return
    }
    try seekByDecoding(to: target)
  }

  /// libFLAC's search gives up on streams whose header is wrong or missing. Slow and sure: from
  /// the beginning.
  private func seekByDecoding(to target: Int64) throws(DecodeError) {
    pending = nil
    guard FLAC__stream_decoder_reset(handle) != 0,
      FLAC__stream_decoder_process_until_end_of_metadata(handle) != 0
    else {
      isEnded = true
      throw problem(.endTrack) ?? DecodeError(.endTrack, at: .frame(target), "cannot be sought")
    }
    var counted: Int64 = 0
    while true {
      try decodeBlock()
      guard let found = pending else {
        isEnded = true
        return
      }
      // As in `next`: what was counted is certain.
      pending?.position = max(found.position, counted)
      counted = max(found.position, counted) + Int64(found.frameCount)
      if counted > target {
        trimPending(to: target)
        reported = nil
        return
      }
      pending = nil
    }
  }

  private func trimPending(to target: Int64) {
    guard let found = pending, found.position < target else { return }
    let skip = Int(target - found.position)
    if keepsSamples {
      let bytes = 4 * found.format.channels
      block.base.copyMemory(
        from: block.base + skip * bytes, byteCount: (found.frameCount - skip) * bytes)
    }
    pending = (found.format, found.frameCount - skip, target)
  }

  func seconds(atFrame frame: Int64) -> Double { times.seconds(at: frame) }

  func frame(atSeconds seconds: Double) -> Int64 { times.frame(at: seconds) }

  // MARK: libFLAC

  /// Bytes from the start of the file, for messages.
  private var position: Int64 {
    switch input {
    case .native(let reader): reader.range.lowerBound + reader.position
    case .ogg(let reader, _): reader.position
    }
  }

  /// Why reading failed, if it did.
  private func problem(_ reaction: DecodeError.Reaction) -> DecodeError? {
    switch input {
    case .native(let reader): reader.failure.map { DecodeError($0, reaction) }
    case .ogg(let reader, _):
      reader.failure.map { DecodeError(reaction, at: $0.location, $0.reason) }
    }
  }

  /// STREAMINFO has room for less, and libFLAC decodes it.
  private static let minimumBits = 4

  /// Runs libFLAC until it wrote a block, or is at the end.
  private func decodeBlock() throws(DecodeError) {
    while pending == nil {
      let state = FLAC__stream_decoder_get_state(handle)
      if state == FLAC__STREAM_DECODER_END_OF_STREAM { return }
      // Once it has given up (the states behind the end), libFLAC calls it a success to do nothing.
      if state.rawValue > FLAC__STREAM_DECODER_END_OF_STREAM.rawValue
        || FLAC__stream_decoder_process_single(handle) == 0
      {
        isEnded = true
        throw problem(.endTrack)
          ?? DecodeError(.endTrack, at: .byte(position), "the decoder gave up")
      }
    }
  }

  // What FLACCallbacks calls.

  func read(_ destination: UnsafeMutableRawPointer, _ count: Int) -> Int? {
    switch input {
    case .native(let reader): reader.read(into: destination, count: count)
    case .ogg(let reader, _): reader.read(into: destination, count: count)
    }
  }

  var readPosition: Int64 {
    get {
      switch input {
      case .native(let reader): reader.position
      case .ogg(let reader, _): reader.position
      }
    }
    set {
      switch input {
      case .native(let reader): reader.seek(to: newValue)
      case .ogg(let reader, _): reader.seek(to: newValue)
      }
    }
  }

  var length: Int64 {
    switch input {
    case .native(let reader): reader.count
    case .ogg(let reader, _): reader.count
    }
  }

  func wrote(
    _ frame: FLAC__Frame, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
  ) {
    let header = frame.header
    let count = Int(header.blocksize)
    let bits = Int(header.bits_per_sample)
    let (sourceLayout, layout) = formatPolicy.layouts(Int(header.channels), mask: channelMask)
    if keepsSamples {
      block.reserve(samples: count * layout.count)
      interleave(
        channels, into: block.base.assumingMemoryBound(to: Int32.self), count: count,
        shift: Int32(32 - bits), order: formatPolicy.order(layout, sourceLayout))
    }
    // libFLAC always hands out frames numbered by sample.
    pending = (
      StreamFormat(
        sampleRate: max(Int(header.sample_rate), 1), layout: layout,
        encoding: .integer(bits: max(bits, Self.minimumBits))),
      count, Int64(clamping: header.number.sample_number) - firstFrame
    )
  }

  func failed(_ status: FLAC__StreamDecoderErrorStatus) {
    guard reported == nil else { return }
    let words =
      switch status {
      case FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC: "what stands here is no FLAC frame"
      case FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER: "a frame header is damaged"
      case FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH: "a frame is damaged (CRC)"
      case FLAC__STREAM_DECODER_ERROR_STATUS_UNPARSEABLE_STREAM: "a frame of an unknown kind"
      default: "a part is damaged (\(status.rawValue))"
      }
    reported = DecodeError(.skipPacket, at: .byte(position), words)
  }
}

/// Remembers the last layout, so that no block computes it again.
private struct FormatPolicy {
  private var channels = 0
  private var source = ChannelLayout.mono
  private var target = ChannelLayout.mono
  private var permutation: [Int] = [0]

  /// The layout that the stream has, and the same in ALSA's order.
  mutating func layouts(_ channels: Int, mask: UInt32?) -> (ChannelLayout, ChannelLayout) {
    if channels != self.channels {
      self.channels = channels
      source =
        mask.flatMap { ChannelLayout.flac(mask: $0, channels: channels) }
        ?? .flac(channels: channels)
      target = source.alsaOrdered
      permutation = target.permutation(from: source)
    }
    return (source, target)
  }

  func order(_ target: ChannelLayout, _ source: ChannelLayout) -> [Int] { permutation }
}

extension StreamFormat {
  /// `44100 Hz, 16 bits, 2 channels`, for messages.
  var words: String {
    switch encoding {
    case .integer(let bits): "\(sampleRate) Hz, \(bits) bits, \(channels) channels"
    case .float: "\(sampleRate) Hz, \(channels) channels"
    }
  }
}

extension Array {
  mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
