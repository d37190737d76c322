/// One FLAC stream, native or an Ogg link.
///
/// What frames say wins over what STREAMINFO promised: the format is that of the first frame,
/// and a frame of another format changes it. Each frame's checksum is checked, so a frame that
/// comes out is the encoder's.
final class FLACDecoder: LinkDecoder {
  private(set) var format: StreamFormat
  /// Frames of the whole stream, where that is known.
  private(set) var frameCount: Int64?

  private let streamInfo: FLACStreamInfo?
  private let keepsSamples: Bool
  private let input: any FLACInput
  private let library: LibFLAC
  private let blocks: FLACBlocks
  /// Nil until there is a frame.
  private var numbering: FLACNumbering?
  private var times: FrameTimes

  /// The block that waits to be handed out.
  private var pending: Pending?
  /// What comes before it.
  private var notices: [DecodeError] = []
  /// Frames before this one are left out: somebody sought it.
  private var target: Int64 = 0
  private var wasSought = false
  private var isEnded = false
  /// Frames that were decoded.
  private var decodedCount: Int64 = 0

  private struct Pending {
    let format: StreamFormat
    let frameCount: Int
    let position: Int64
    /// Frames of the block that come before these.
    let skip: Int
  }

  /// Samples that one call may decode to get to a frame that cannot be found: a fraction of a
  /// second.
  private static let samplesPerCall = 1 << 24

  /// Finds the first frame, so that the format is known.
  /// - Parameters:
  ///   - keepsSamples: false to verify only; then the MD5 is computed.
  ///   - lastFrame: the number of frames up to the end, where something else than STREAMINFO says
  ///     it, counted as the frames of the stream are.
  init(
    _ input: any FLACInput, streamInfo: FLACStreamInfo?, channelMask: UInt32?, keepsSamples: Bool,
    lastFrame: Int64? = nil
  ) throws(DecodeError) {
    self.input = input
    self.streamInfo = streamInfo
    self.keepsSamples = keepsSamples
    let total = streamInfo?.totalFrames ?? 0
    frameCount = total > 0 ? total : nil
    let info: FLACStreamInfo
    if let streamInfo { info = streamInfo } else { info = try FLACStreamInfo(firstFrameOf: input) }
    library = try LibFLAC(
      input, streamInfo: info, channelMask: channelMask, keepsSamples: keepsSamples)
    blocks = FLACBlocks(input, library: library)
    format = StreamFormat(
      sampleRate: max(info.sampleRate, 1),
      layout: ChannelLayout.flac(channels: info.channels).alsaOrdered,
      encoding: .integer(bits: max(info.bitsPerSample, LibFLAC.minimumBits)))
    times = FrameTimes(rate: format.sampleRate)
    do throws(DecodeError) {
      if let step = try advance(), case .skipped(let notice) = step { notices = [notice] + notices }
    } catch {
      throw DecodeError(.refuseFile, at: error.location, error.reason)
    }
    if let pending {
      checkPromises(pending.format)
      format = pending.format
      times = FrameTimes(rate: format.sampleRate)
      if let lastFrame, let numbering {
        frameCount = frameCount ?? max(lastFrame - numbering.firstFrame, 0)
      }
    } else if streamInfo == nil {
      throw DecodeError(.refuseFile, at: .byte(input.start.offset), "no FLAC frame in it")
    }
  }

  var nextFrame: Int64 { numbering?.next ?? 0 }
  var end: Int64 { input.end }

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
      do throws(DecodeError) {
        if let step = try advance() { return step }
      } catch {
        isEnded = true
        throw error
      }
    }
    guard let block = pending else { return .end }
    if block.format != format {
      let words = "the format changes from \(format.words) to \(block.format.words)"
      format = block.format
      notices.append(DecodeError(.skipPacket, at: .frame(block.position), words))
      return .formatChanged(format)
    }
    pending = nil
    let start = library.blockSamples.map { $0 + 4 * block.skip * format.channels }
    return .frames(
      FrameBlock(
        samples: start.map { UnsafeRawPointer($0) }, frameCount: block.frameCount,
        position: block.position))
  }

  /// Gets the next block that is wanted.
  /// - Returns: what is to be said instead, or before it.
  private func advance() throws(DecodeError) -> DecodeStep? {
    var dropped = 0
    while true {
      switch try blocks.next() {
      case .searching(let error):
        return .skipped(error)
      case .end(let damage):
        return end(damage)
      case .block(let block, let damage):
        let (position, missing) = take(block)
        let end = position + Int64(block.frameCount)
        guard end > target else {
          dropped += block.frameCount * block.format.channels
          if dropped < Self.samplesPerCall { continue }
          return .skipped(
            DecodeError(
              .skipPacket, at: .frame(end), "what is sought is found only by decoding up to it"))
        }
        let skip = Int(max(target - position, 0))
        target = 0
        pending = Pending(
          format: block.format, frameCount: block.frameCount - skip,
          position: position + Int64(skip), skip: skip)
        if let damage { notices.append(damage) }
        if missing > 0 {
          notices.append(
            DecodeError(.skipPacket, at: .frame(position), "\(missing) frames are missing"))
        }
        return notices.popFirst().map { .skipped($0) }
      }
    }
  }

  /// Where a block belongs, and how many frames are missing before it.
  private func take(_ block: LibFLAC.Block) -> (position: Int64, missing: Int64) {
    guard var numbering = numbering ?? blocks.first.map({ FLACNumbering(first: $0.header) }) else {
      return (0, 0)
    }
    let (position, missing) = numbering.take(
      block.number, size: block.frameCount, total: frameCount)
    self.numbering = numbering
    decodedCount += Int64(block.frameCount)
    times.change(to: block.format.sampleRate, at: position)
    return (position, missing)
  }

  /// The stream is over: was it whole?
  private func end(_ damage: DecodeError?) -> DecodeStep {
    isEnded = true
    if let damage { notices.append(damage) }
    let next = nextFrame
    if let total = streamInfo?.totalFrames, total > 0, next != total,
      numbering?.knowsPosition ?? true
    {
      notices.append(
        DecodeError(
          .skipPacket, at: .frame(next),
          next < total
            ? "the file ends here, of \(total) frames that its header promises"
            : "more frames than the \(total) that its header promises"))
    }
    return notices.popFirst().map { .skipped($0) } ?? .end
  }

  /// Whether the MD5 of all samples is STREAMINFO's; nil where there is none to compare with, or
  /// it is not known. Ends the stream.
  func checkMD5() -> Bool? {
    let isComplete = isEnded && !wasSought
    isEnded = true
    pending = nil
    guard !keepsSamples, let streamInfo, streamInfo.hasMD5, isComplete else { return nil }
    guard blocks.wasInterrupted else { return library.finish() }
    // Behind damage nobody computes it, but where frames are lost it cannot be right.
    return decodedCount == streamInfo.totalFrames ? nil : false
  }

  // MARK: Seeking

  func seek(to frame: Int64) throws(DecodeError) {
    target = max(frame, 0)
    wasSought = true
    pending = nil
    notices = []
    isEnded = false
    if let frameCount, target >= frameCount {
      isEnded = true
      numbering?.jump(to: frameCount)
      return
    }
    do {
      try moveBeforeTarget()
    } catch {
      isEnded = true
      throw DecodeError(error, .endTrack)
    }
  }

  private func moveBeforeTarget() throws(ByteSourceError) {
    guard var numbering, let first = blocks.first else { return blocks.move(to: input.start) }
    var finder = FLACFinder(input, first: first, frameCount: frameCount)
    try finder.learn(&numbering)
    if let place = try finder.place(before: target, numbering) {
      blocks.move(to: place)
      numbering.jump()
    } else {
      blocks.move(to: first.place)
      numbering.jump(to: 0)
    }
    self.numbering = numbering
  }

  func seconds(atFrame frame: Int64) -> Double { times.seconds(at: frame) }

  func frame(atSeconds seconds: Double) -> Int64 { times.frame(at: seconds) }
}

extension FLACDecoder {
  /// A link of an Ogg file.
  convenience init(_ source: any ByteSource, link: OggLink, keepsSamples: Bool) throws(DecodeError)
  {
    let header = try OggFLACHeader(source, link: link)
    // The pages that begin streams are behind us, whatever became of the header packets.
    let start = max(header.end, FLACPlace(offset: link.contentStart))
    let input = OggFLACInput(source, range: link.range, start: start, serial: link.serial)
    // A recorded broadcast has no total in its header; its last page has (RFC 9639, section 10.1).
    var last: OggPageReader.Page?
    if header.streamInfo?.totalFrames ?? 0 == 0 {
      last = try? OggPageReader.lastPage(of: link.serial, source, range: link.range)
    }
    try self.init(
      input, streamInfo: header.streamInfo, channelMask: header.metadata.comments.channelMask,
      keepsSamples: keepsSamples,
      lastFrame: last.map { min($0.granulePosition, FLACNumbering.maximumPosition) })
  }
}

extension FLACStreamInfo {
  /// What the first frame says of itself, for streams without a header.
  fileprivate init(firstFrameOf input: any FLACInput) throws(DecodeError) {
    let result: FLACSearchResult
    do {
      result = try input.search(
        from: input.start, before: input.end, limit: DecodingCost.perCall.bytes)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
    guard let header = result.header else {
      throw DecodeError(.refuseFile, at: .byte(input.start.offset), "no FLAC frame in it")
    }
    guard let rate = header.sampleRate, let bits = header.bitsPerSample else {
      throw DecodeError(
        .refuseFile, at: .byte(result.place.offset),
        "the rate and the depth are in a header that is missing")
    }
    self.init(sampleRate: rate, channels: header.channels, bitsPerSample: bits)
  }
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
