internal import COpusFile

/// Decodes one link of Ogg Opus with an instance of libopusfile for this link only. libopusfile leaves out the pre-skip
/// and the frames after the end, and applies the gain of the header (RFC 7845).
final class OpusDecoder: LinkDecoder {
  /// The largest number of frames of one packet: 120 ms at 48 kHz.
  private static let framesPerRead = 5760
  /// Number of frames that a seek decodes before its target: one second. RFC 7845 recommends at least 80 ms. But after
  /// 80 ms the samples still differ audibly in their noise, because the prediction of the energy needs more time.
  private static let warmUp: Int64 = 48000

  let format: StreamFormat
  private let keepsSamples: Bool
  private let reader: GuardedOggReader
  private let file: OpaquePointer
  /// For each channel in ALSA's order, its index in the order of Vorbis, which Opus uses too.
  private let order: [Int]
  private let isInOrder: Bool
  private let totalFrames: Int64
  /// The samples in the order of the library (`decoded`), and in ALSA's order (`block`).
  private var decoded = SampleBlock()
  private var block = SampleBlock()
  /// The target of a seek. Frames before this position are not returned.
  private var target: Int64 = 0
  private var isEnded = false

  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the link cannot be played.
  init(_ source: any ByteSource, link: OggLink, keepsSamples: Bool) throws(DecodeError) {
    self.keepsSamples = keepsSamples
    let header = try OggOpusHeader(source, link: link)
    let sound = header.soundStart..<max(header.soundStart, link.range.upperBound)
    reader = GuardedOggReader(
      source, headers: header.pages(serial: link.serial), range: sound, serial: link.serial)
    reader.permitSearch()
    var callbacks = OpusFileCallbacks(read: opusRead, seek: opusSeek, tell: opusTell, close: nil)
    var status: Int32 = 0
    guard
      let file = op_open_callbacks(
        Unmanaged.passUnretained(reader).toOpaque(), &callbacks, nil, 0, &status)
    else {
      throw reader.failure?.withReaction(.refuseFile)
        ?? DecodeError(
          .refuseFile, at: .byte(link.range.lowerBound), "no Opus stream (\(message(status)))")
    }
    self.file = file
    let layout = ChannelLayout.vorbis(channels: header.channels)
    format = StreamFormat(sampleRate: 48000, layout: layout.alsaOrdered, encoding: .float)
    order = layout.alsaOrdered.permutation(from: layout)
    isInOrder = order == Array(order.indices)
    totalFrames = max(0, min(op_pcm_total(file, -1), FrameTimes.maximumPosition))
    decoded.reserve(samples: Self.framesPerRead * header.channels)
    if keepsSamples, !isInOrder { block.reserve(samples: Self.framesPerRead * header.channels) }
  }

  deinit { op_free(file) }

  var frameCount: Int64? { totalFrames }
  var end: Int64 { reader.end }
  var nextFrame: Int64 { max(0, min(op_pcm_tell(file), FrameTimes.maximumPosition)) }

  func next() throws(DecodeError) -> DecodeStep {
    while !isEnded {
      reader.allowance = DecodingCost.perCall.bytes
      let position = nextFrame
      let samples = decoded.base.assumingMemoryBound(to: Float.self)
      let capacity = Self.framesPerRead * format.channels
      let count = Int(op_read_float(file, samples, Int32(capacity), nil))
      if count > 0 {
        reader.foundSound()
        let skipped = Int(min(max(target - position, 0), Int64(count)))
        guard skipped < count else { continue }
        return frames(
          UnsafePointer(samples) + skipped * format.channels, count - skipped,
          position + Int64(skipped))
      }
      if let step = try step(Int32(count)) { return step }
    }
    return .end
  }

  private func frames(_ samples: UnsafePointer<Float>, _ count: Int, _ position: Int64)
    -> DecodeStep
  {
    var result = UnsafeRawPointer(samples)
    if keepsSamples, !isInOrder {
      let out = block.base.assumingMemoryBound(to: Float.self)
      let channels = order.count
      for (channel, from) in order.enumerated() {
        for frame in 0..<count {
          out[frame &* channels &+ channel] = samples[frame &* channels &+ from]
        }
      }
      result = UnsafeRawPointer(out)
    }
    return .frames(
      FrameBlock(samples: keepsSamples ? result : nil, frameCount: count, position: position))
  }

  /// Interprets the status of a read that returned no sound.
  /// - Returns: nil at the end.
  private func step(_ status: Int32) throws(DecodeError) -> DecodeStep? {
    do throws(DecodeError) {
      if let notice = try reader.checkInterruption(at: nextFrame) { return .skipped(notice) }
    } catch {
      isEnded = true
      throw error
    }
    switch status {
    case 0:
      isEnded = true
      return nil
    case OP_HOLE, OP_EBADPACKET:
      return .skipped(
        DecodeError(
          .skipPacket, at: .frame(nextFrame), "a part is missing or damaged", kind: .missingData))
    default:
      isEnded = true
      throw DecodeError(.endTrack, at: .frame(nextFrame), "cannot continue (\(message(status)))")
    }
  }

  func seek(to frame: Int64) throws(DecodeError) {
    reader.permitSearch()
    target = max(frame, 0)
    isEnded = target >= totalFrames
    guard !isEnded else { return }
    let status = op_pcm_seek(file, max(target - Self.warmUp, 0))
    guard status == 0 else {
      isEnded = true
      throw reader.failure
        ?? DecodeError(.endTrack, at: .frame(target), "the seek failed (\(message(status)))")
    }
  }
}

private func message(_ status: Int32) -> String {
  switch status {
  case OP_EREAD: "a read failed"
  case OP_EIMPL: "a feature is not supported"
  case OP_ENOTFORMAT: "not Opus data"
  case OP_EBADHEADER: "a header is damaged"
  case OP_EVERSION: "an unknown version of Opus"
  case OP_EBADLINK: "a link is damaged"
  case OP_EBADTIMESTAMP: "the positions are damaged"
  default: "libopusfile error \(status)"
  }
}

// MARK: - Callbacks

private func reader(_ context: UnsafeMutableRawPointer?) -> GuardedOggReader {
  Unmanaged<GuardedOggReader>.fromOpaque(context!).takeUnretainedValue()
}

private func opusRead(
  context: UnsafeMutableRawPointer?, buffer: UnsafeMutablePointer<UInt8>?, count: Int32
) -> Int32 {
  guard let buffer, let read = reader(context).read(into: buffer, count: Int(count)) else {
    return -1
  }
  return Int32(read)
}

private func opusSeek(context: UnsafeMutableRawPointer?, offset: Int64, whence: Int32) -> Int32 {
  reader(context).seek(by: offset, whence: whence)
}

private func opusTell(context: UnsafeMutableRawPointer?) -> Int64 { reader(context).position }
