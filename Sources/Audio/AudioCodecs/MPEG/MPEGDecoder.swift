/// Decodes MPEG audio: layers I, II and III.
///
/// Positions that callers see count frames of sound from the first frame of the music. Some private properties count
/// from the first MPEG frame, which is ``MPEGStream/start`` frames earlier.
final class MPEGDecoder: FileDecoder {
  private let stream: MPEGStream
  private let source: any ByteSource
  private let keepsSamples: Bool
  private let library: LibMPG123
  private let frames: MPEGFrames
  /// The computed offsets of a stream with constant bit rate.
  private let constantRate: MPEGConstantRate?
  /// Number of frames of sound in the stream. Nil if it is unknown.
  private let total: Int64?
  private(set) var format: StreamFormat
  private var times: FrameTimes
  /// Number of frames of the music. Nil if it is unknown.
  let frameCount: Int64?

  /// The position of the next frame of sound that libmpg123 returns, counted from the first MPEG frame.
  private var position: Int64 = 0
  /// The first frame of sound to return, counted from the first MPEG frame.
  private var target: Int64
  private var state = State.feeding
  /// True if the stream has more MPEG frames than ``total`` counts. Nil while this is unknown.
  private var hasMoreFrames: Bool?
  private var spent = DecodingCost()

  private enum State {
    case feeding
    /// libmpg123 has MPEG frames that it has not decoded yet.
    case decoding
    case ended
  }

  /// Number of MPEG frames that are decoded before the target of a seek. Layer III uses up to 511 bytes of earlier MPEG
  /// frames, or up to 255 in MPEG 2. The smallest MPEG frame contains 60 of these bytes (32 kbit/s at 48 kHz), or 3 in
  /// MPEG 2 (8 kbit/s at 24 kHz). So up to 9 earlier MPEG frames are needed, or 85 in MPEG 2, and two more for the
  /// overlap of the transforms. Both numbers are rounded up to a multiple of ``filterFrames``.
  private static let warmUp: (mpeg1: Int64, other: Int64) = (16, 88)
  /// After this number of MPEG frames, the position in the ring buffer of libmpg123's filter is the same again. The
  /// ring has 16 positions, and an MPEG frame advances the position by 36, 18 or 12. The rounding of a sample depends
  /// on the position, so decoding begins at a multiple of this number.
  private static let filterFrames: Int64 = 8

  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the stream cannot be played.
  init(_ source: any ByteSource, _ stream: MPEGStream, keepsSamples: Bool) throws(DecodeError) {
    self.source = source
    self.stream = stream
    self.keepsSamples = keepsSamples
    library = try LibMPG123()
    let first = stream.first
    let isConstant = stream.info.map { $0.isConstantRate || $0.frameCount == nil } ?? true
    var constant: MPEGConstantRate?
    var counted: Int64?
    let frames = MPEGFrames(source, range: stream.range, reference: first)
    do throws(ByteSourceError) {
      // If no MPEG frame is at the start of the range, ``MPEGFrames`` searches for the first one.
      let header = MPEGFrameHeader(try source.prefix(at: stream.range, MPEGFrameHeader.bytes))
      if isConstant, let header, header.isCompatible(with: first) {
        constant = try MPEGConstantRate(source, range: stream.range, header: header)
      }
      if stream.statedTotal == nil, constant == nil { counted = try Self.count(frames) }
    } catch {
      // If a part of the file cannot be read, the length is unknown. The beginning can still be played.
    }
    self.frames = frames
    constantRate = constant
    total = stream.statedTotal ?? constant.map { $0.count * Int64(first.frameCount) } ?? counted
    frameCount = total.map(stream.frameCount)
    target = stream.start
    format = StreamFormat(
      sampleRate: first.sampleRate, layout: first.channels == 1 ? .mono : .stereo, encoding: .float)
    times = FrameTimes(rate: first.sampleRate)
  }

  /// Counts the frames of sound by walking over all MPEG frames. Nil if the stream is too long for this. Afterwards the
  /// index covers the whole stream.
  private static func count(_ frames: MPEGFrames) throws(ByteSourceError) -> Int64? {
    let start = frames.index.entries[0]
    defer { frames.move(to: start) }
    while frames.offset - start.offset < DecodingCost.perSearch.bytes {
      if case .end = try frames.next() { return frames.position }
    }
    return nil
  }

  func next() throws(DecodeError) -> DecodeStep {
    var work = DecodingCost()
    while true {
      let step: DecodeStep?
      switch state {
      case .ended: return .end
      case .decoding: step = decode(&work)
      case .feeding:
        do {
          step = try feed(&work)
        } catch {
          state = .ended
          throw DecodeError(error, .endTrack)
        }
      }
      if let step {
        if case .frames = step { spent = DecodingCost() }
        return step
      }
      guard work.exceeds(.perCall) else { continue }
      spent += work
      guard !spent.exceeds(.perSearch) || position < target else {
        state = .ended
        throw DecodeError(
          .endTrack, at: .byte(frames.offset),
          "no sound in the next \(spent.bytes >> 20) MB; the search stops")
      }
      return .working
    }
  }

  /// Gives MPEG frames to libmpg123. Skips the MPEG frames that are far before the target of a seek.
  private func feed(_ work: inout DecodingCost) throws(ByteSourceError) -> DecodeStep? {
    let isFar = frames.position < decodingStart
    let step = try frames.next(before: isFar ? decodingStart : .max)
    switch step {
    case .run(let run):
      if isFar {
        work.bytes += Int64(run.bytes.count)
        position = run.position + run.frameCount
      } else {
        position = run.position
        library.feed(run.bytes)
        state = .decoding
      }
      return nil
    case .searching(let bytes):
      work.bytes += bytes
      return nil
    case .skipped(let bytes):
      if let position = try constantRate?.position(at: frames.offset), position > frames.position {
        frames.move(
          to: .init(offset: frames.offset, position: position, header: frames.entry.header))
      }
      return .skipped(
        DecodeError(
          .skipPacket, at: .byte(frames.offset),
          "\(bytes) bytes before this offset are not MPEG frames: damaged sound or other data",
          kind: .missingData))
    case .end:
      state = .ended
      return missingEnd.map { .skipped($0) } ?? .end
    }
  }

  /// The notice at the end of the stream if more than two MPEG frames are missing there. Smaller differences are
  /// ignored, because some encoders count one MPEG frame too many.
  private var missingEnd: DecodeError? {
    guard let total, total - frames.position > Int64(2 * stream.first.frameCount) else {
      return nil
    }
    return DecodeError(
      .skipPacket, at: .frame(max(frames.position - stream.start, 0)),
      "the last \(total - frames.position) frames are missing", kind: .missingData)
  }

  /// The position of the first MPEG frame that must be decoded to make the target of a seek exact.
  private var decodingStart: Int64 {
    let first = stream.first
    let warmUp =
      first.layer < 3
      ? Self.filterFrames : first.version == .mpeg1 ? Self.warmUp.mpeg1 : Self.warmUp.other
    let group = Self.filterFrames * Int64(first.frameCount)
    return max(target / group * group - warmUp * Int64(first.frameCount), 0)
  }

  private func decode(_ work: inout DecodingCost) -> DecodeStep? {
    switch library.decode() {
    case .empty:
      state = .feeding
      return nil
    case nil:
      // The library has dropped the MPEG frame. Decoding continues with the next run.
      library.reset()
      state = .feeding
      return .skipped(
        DecodeError(
          .skipPacket, at: .frame(max(position - stream.start, 0)), "an MPEG frame is damaged",
          kind: .missingData))
    case .format(let rate, let channels):
      let new = StreamFormat(
        sampleRate: rate, layout: channels == 1 ? .mono : .stereo, encoding: .float)
      guard new != format else { return nil }
      format = new
      times.change(to: rate, at: max(position - stream.start, 0))
      return .formatChanged(new)
    case .block(let block):
      work.samples += block.count
      return frames(block)
    }
  }

  /// The part of a block that belongs to the music and is not before the target of a seek.
  private func frames(_ block: LibMPG123.Block) -> DecodeStep? {
    let first = position
    position += Int64(block.count / format.channels)
    let start = max(first, target)
    let end = min(position, musicEnd(at: position))
    guard start < end else { return nil }
    let skipped = Int(start - first) * format.channels
    return .frames(
      FrameBlock(
        samples: keepsSamples ? UnsafeRawPointer(block.samples + skipped) : nil,
        frameCount: Int(end - start), position: start - stream.start))
  }

  /// The end of the music, for a block that ends at `position`. If more MPEG frames follow than the encoder states, the
  /// file was edited and the stated number is wrong. Then all MPEG frames are played.
  private func musicEnd(at position: Int64) -> Int64 {
    guard let total else { return .max }
    let end = stream.end(total: total)
    guard position > end else { return end }
    return hasMore(than: total) ? .max : end
  }

  /// True if MPEG frames follow after `total` frames of sound. Walks over the MPEG frames up to `total`. The walk is
  /// short, because the decoder is already near `total`: the numbers in ``MPEGStream/trim`` are small.
  private func hasMore(than total: Int64) -> Bool {
    if let known = hasMoreFrames { return known }
    let next = frames.entry
    var found = frames.position > total
    do throws(ByteSourceError) {
      while frames.position < total, case .run = try frames.next(before: total) {}
      if frames.position == total {
        switch try frames.next() {
        case .run, .skipped: found = true
        case .searching, .end: break
        }
      }
    } catch {
      // The decoder throws the same error when it reads this part.
    }
    frames.move(to: next)
    hasMoreFrames = found
    return found
  }

  // MARK: Seeking

  func seek(to frame: Int64) throws(DecodeError) {
    target = stream.start + min(max(frame, 0), FrameTimes.maximumPosition)
    spent = DecodingCost()
    library.reset()
    state = .feeding
    if let frameCount, frame >= frameCount {
      state = .ended
      return
    }
    do {
      let entry = try entry(before: decodingStart)
      frames.move(to: entry)
      position = entry.position
    } catch {
      state = .ended
      throw DecodeError(error, .endTrack)
    }
  }

  /// The MPEG frame at or before `position` from which the decoder walks on to `position`.
  private func entry(before position: Int64) throws(ByteSourceError) -> MPEGIndex.Entry {
    let known = frames.index.entry(before: position)
    if let constantRate, position > known.position,
      let offset = try constantRate.offset(of: position / Int64(stream.first.frameCount))
    {
      return MPEGIndex.Entry(offset: offset, position: position, header: stream.first)
    }
    return known
  }

  func seconds(atFrame frame: Int64) -> Double { times.seconds(at: frame) }

  func frame(atSeconds seconds: Double) -> Int64 { times.frame(at: seconds) }
}
