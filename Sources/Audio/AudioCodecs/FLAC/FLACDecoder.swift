/// Decodes one FLAC stream: a native FLAC file or a link of an Ogg file.
///
/// If the header of a FLAC frame differs from STREAMINFO, the header of the FLAC frame is used. ``format`` is at first
/// the format of the first FLAC frame, and changes at each FLAC frame with another format. The checksum of each FLAC
/// frame is verified, so the returned samples are the samples that the encoder wrote.
final class FLACDecoder: LinkDecoder {
  private(set) var format: StreamFormat
  /// Number of frames in the whole stream; nil if unknown.
  private(set) var frameCount: Int64?

  private let streamInfo: FLACStreamInfo?
  private let keepsSamples: Bool
  private let input: any FLACInput
  private let library: LibFLAC
  private let blocks: FLACBlocks
  /// Nil until the first FLAC frame was decoded.
  private var numbering: FLACNumbering?
  private var times: FrameTimes

  /// The block to return next.
  private var pending: Pending?
  /// Notices to return before `pending`.
  private var notices: [DecodeError] = []
  /// The target of a seek. Frames before this position are not returned.
  private var target: Int64 = 0
  private var didSeek = false
  private var isEnded = false
  /// Number of decoded frames.
  private var decodedCount: Int64 = 0

  private struct Pending {
    let format: StreamFormat
    let frameCount: Int
    let position: Int64
    /// Number of frames at the start of the block that are not returned.
    let skip: Int
  }

  /// The largest number of samples that one call of ``next()`` decodes on the way to the target of a seek. Decoding
  /// these samples takes a fraction of a second.
  private static let samplesPerCall = 1 << 24

  /// Creates a decoder. Finds the first FLAC frame, which gives the format.
  /// - Parameters:
  ///   - keepsSamples: false if the stream is only verified. In this case the MD5 is computed.
  ///   - endPosition: the granule position of the last Ogg page. Granule positions and the numbers in the FLAC frames
  ///     count from the same origin, which can be before the stream's first frame. Nil if STREAMINFO contains the total
  ///     number of frames, or if there is no last page.
  init(
    _ input: any FLACInput, streamInfo: FLACStreamInfo?, channelMask: UInt32?, keepsSamples: Bool,
    endPosition: Int64? = nil
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
      throw error.withReaction(.refuseFile)
    }
    if let pending {
      checkHeader(pending.format)
      format = pending.format
      times = FrameTimes(rate: format.sampleRate)
      if let endPosition, let numbering {
        frameCount = frameCount ?? max(endPosition - numbering.firstFrame, 0)
      }
    } else if streamInfo == nil {
      throw DecodeError(.refuseFile, at: .byte(input.start.byte), "contains no FLAC frame")
    }
  }

  var nextFrame: Int64 { numbering?.next ?? 0 }
  var end: Int64 { input.end }

  /// Compares the first FLAC frame with STREAMINFO.
  private func checkHeader(_ found: StreamFormat) {
    guard let streamInfo else { return }
    let declared = StreamFormat(
      sampleRate: streamInfo.sampleRate, layout: found.layout,
      encoding: .integer(bits: streamInfo.bitsPerSample))
    if found != declared || found.channels != streamInfo.channels {
      notices.append(
        DecodeError(
          .skipPacket, at: .frame(0),
          "the header declares \(streamInfo.sampleRate) Hz, \(streamInfo.bitsPerSample) bits, "
            + "\(streamInfo.channels) channels; the FLAC frames have \(found.summary)",
          kind: .headerMismatch))
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
      let reason = "the format changes from \(format.summary) to \(block.format.summary)"
      format = block.format
      notices.append(DecodeError(.skipPacket, at: .frame(block.position), reason))
      return .formatChanged(format)
    }
    pending = nil
    let start = library.blockSamples.map { $0 + 4 * block.skip * format.channels }
    return .frames(
      FrameBlock(
        samples: start.map { UnsafeRawPointer($0) }, frameCount: block.frameCount,
        position: block.position))
  }

  /// Decodes up to the next block that is to be returned, and stores it in `pending`.
  /// - Returns: the step to return before the block or instead of it; nil if there is no such step.
  private func advance() throws(DecodeError) -> DecodeStep? {
    var dropped = 0
    while true {
      switch try blocks.next() {
      case .searching(let error):
        return .skipped(error)
      case .end(let damage):
        return end(damage)
      case .block(let block, let damage):
        let (position, missing) = count(block)
        let end = position + Int64(block.frameCount)
        guard end > target else {
          dropped += block.frameCount * block.format.channels
          if dropped < Self.samplesPerCall { continue }
          return .working
        }
        let skip = Int(max(target - position, 0))
        target = 0
        pending = Pending(
          format: block.format, frameCount: block.frameCount - skip,
          position: position + Int64(skip), skip: skip)
        if let damage { notices.append(damage) }
        if missing > 0 {
          notices.append(
            DecodeError(
              .skipPacket, at: .frame(position), "\(missing) frames are missing",
              kind: .missingFrames(missing)))
        }
        return notices.popFirst().map { .skipped($0) }
      }
    }
  }

  /// Counts the frames of a block, and stores the rate of the block.
  /// - Returns: the position of the block, and the number of frames that are missing before it.
  private func count(_ block: LibFLAC.Block) -> (position: Int64, missing: Int64) {
    guard var numbering = numbering ?? blocks.first.map({ FLACNumbering(first: $0.header) }) else {
      return (0, 0)
    }
    let (position, missing) = numbering.count(
      block.number, size: block.frameCount, total: frameCount)
    self.numbering = numbering
    decodedCount += Int64(block.frameCount)
    times.change(to: block.format.sampleRate, at: position)
    return (position, missing)
  }

  /// Ends the stream. Adds a notice if the number of frames differs from STREAMINFO.
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
            ? "the file ends here; its header declares \(total) frames"
            : "more frames than the \(total) in the header",
          kind: .headerMismatch))
    }
    return notices.popFirst().map { .skipped($0) } ?? .end
  }

  /// True if the MD5 of the decoded samples is equal to the MD5 in STREAMINFO. Nil if STREAMINFO contains no MD5, or if
  /// the MD5 of the samples is unknown. Ends the stream.
  func checkMD5() -> Bool? {
    let isComplete = isEnded && !didSeek
    isEnded = true
    pending = nil
    guard !keepsSamples, let streamInfo, streamInfo.hasMD5, isComplete else { return nil }
    guard blocks.wasInterrupted else { return library.finish() }
    // After damage, libFLAC does not compute the MD5. But if the number of decoded frames is wrong, the MD5 of the
    // samples cannot be the MD5 in STREAMINFO.
    return decodedCount == streamInfo.totalFrames ? nil : false
  }

  // MARK: Seeking

  func seek(to frame: Int64) throws(DecodeError) {
    target = max(frame, 0)
    didSeek = true
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
    guard target > 0 else {
      // A seek to the start does not use the numbers of FLAC frames, so it is correct even if these numbers are wrong.
      blocks.move(to: first.offset)
      numbering.jump(to: 0)
      return self.numbering = numbering
    }
    var finder = FLACFinder(input, first: first, frameCount: frameCount)
    try finder.learn(&numbering)
    if let offset = try finder.offset(before: target, numbering) {
      blocks.move(to: offset)
      numbering.jump()
    } else {
      blocks.move(to: first.offset)
      numbering.jump(to: 0)
    }
    self.numbering = numbering
  }

  func seconds(atFrame frame: Int64) -> Double { times.seconds(at: frame) }

  func frame(atSeconds seconds: Double) -> Int64 { times.frame(at: seconds) }
}

extension FLACStreamInfo {
  /// Takes the format from the first FLAC frame, for streams without STREAMINFO.
  fileprivate init(firstFrameOf input: any FLACInput) throws(DecodeError) {
    let result: FLACSearchResult
    do {
      result = try input.search(
        from: input.start, before: input.end, limit: DecodingCost.perCall.bytes)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
    guard let header = result.header else {
      throw DecodeError(.refuseFile, at: .byte(input.start.byte), "contains no FLAC frame")
    }
    guard let rate = header.sampleRate, let bits = header.bitsPerSample else {
      throw DecodeError(
        .refuseFile, at: .byte(result.offset.byte),
        "the header with the rate and the bit depth is missing")
    }
    self.init(sampleRate: rate, channels: header.channels, bitsPerSample: bits)
  }
}

extension Array {
  mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
