// Fuzz target for decoding: opens, decodes, seeks and verifies like the engine, with libFLAC and libvorbisfile, and
// checks the contract of `AudioDecoder`.

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoder(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  var random = FuzzRandom(from: bytes)
  play(MemoryByteSource(bytes), bytes, random: &random)
  // Each of the following calls takes as long as the call above, so each runs only for some inputs.
  switch random.below(12) {
  case 0...2: verify(MemoryByteSource(bytes), size: size)
  case 3: play(FaultyByteSource(bytes, largestRead: 700), bytes, random: &random)
  case 4:
    let failsAt = Int64(random.below(size + 1))
    let source = FaultyByteSource(bytes, largestRead: .max, failsAt: failsAt)
    play(source, bytes, random: &random)
  default: break
  }
  return 0
}

/// Limit of frames per run. A few bytes can contain hours of silence, and would block the fuzzing.
private let maximumFrames = 200_000

/// Limit of memory for an open file, whatever its headers request. A Vorbis file is allowed to use 32 MB. The limit is
/// more than twice this size, because a link can be opened before the memory of another link is freed.
private let maximumBytes = 96 << 20

@_silgen_name("__sanitizer_get_current_allocated_bytes")
private func allocatedBytes() -> Int

/// The result of decoding from a position to the end or to a limit.
private struct Run {
  var frames = 0
  var first: Int64?
  /// The position after the last decoded block.
  var last: Int64 = 0
  /// True if the decoder reported the end.
  var isComplete = false
  /// True if there was no gap, no change of the format or of the metadata, and no error.
  var isIntact = true
  /// The first samples, as many as the caller wants to keep.
  var samples: [UInt32] = []
}

private func play(_ source: any ByteSource, _ bytes: [UInt8], random: inout FuzzRandom) {
  let size = bytes.count
  let before = allocatedBytes()
  guard let file = open(source, for: .play) else { return }
  require(allocatedBytes() - before < maximumBytes, "the open file uses too much memory")

  let whole = run(file.decoder, size: size, frames: maximumFrames, keep: maximumFrames)
  require(allocatedBytes() - before < maximumBytes + 4 * whole.samples.count * 4)
  // If parts of a stream contradict each other, more than one result of a seek can be correct. So the results of seeks
  // are checked only in a stream that is complete, intact and consistent.
  var isRegular =
    whole.isComplete && whole.isIntact && file.header.damage.isEmpty && file.linkCount == 1
    && (file.frameCount ?? Int64(whole.frames)) == Int64(whole.frames)
  if isRegular {
    switch file.header.codec {
    case .flac: isRegular = hasConsecutiveNumbers(bytes)
    case .vorbis, .opus: isRegular = hasConsistentGranules(bytes)
    default:
      isRegular = seek(file.decoder, to: 0)
      let again = run(file.decoder, size: size, frames: maximumFrames, keep: maximumFrames)
      isRegular = isRegular && again.samples == whole.samples && again.first == whole.first
    }
  }

  let end = file.frameCount ?? Int64(whole.frames)
  var targets: [Int64] = [0, end / 2, end - 1, end, .max, -1, .min]
  for _ in 0..<3 { targets.append(Int64(random.below(Int(end) + 4096))) }
  for _ in 0..<6 {
    let target = targets[random.below(targets.count)]
    guard seek(file.decoder, to: target) else { continue }
    let run = run(file.decoder, size: size, frames: 5000, keep: 500)
    guard isRegular else { continue }
    let wanted = max(target, 0)
    if wanted >= end {
      require(run.frames == 0 && run.isComplete, "frames after the end")
    } else {
      require(run.first == wanted, "a seek to \(wanted) arrived at \(run.first ?? -1)")
      // After a seek, the Opus decoder starts one second before the target. So its samples are only nearly equal to the
      // samples of `whole` (RFC 7845, 4.6).
      guard file.header.codec != .opus || wanted == 0 else { continue }
      let channels = file.format.channels
      let from = Int(wanted) * channels
      let count = min(run.samples.count, whole.samples.count - from)
      require(
        run.samples[..<count].elementsEqual(whole.samples[from..<from + count]),
        "the samples after a seek to \(wanted) differ")
    }
  }
  require(allocatedBytes() - before < maximumBytes + 4 * whole.samples.count * 4)
}

/// Each FLAC frame has a number in its header. Returns true if these numbers have no gaps, and if all headers agree
/// about the kind of number. In a stream with one block size, the number is the count of the FLAC frames before this
/// FLAC frame. Otherwise it is the position of the first frame in this FLAC frame.
private func hasConsecutiveNumbers(_ bytes: [UInt8]) -> Bool {
  bytes.withUnsafeBytes { buffer in
    var rest = UnsafeRawBufferPointer(buffer)
    var first: FLACFrameHeader?
    var last: FLACFrameHeader?
    while let (index, header) = FLACFrameHeader.first(in: rest) {
      if let last, let first {
        let step = header.isVariable ? Int64(last.blockSize) : 1
        guard header.number == last.number + step, header.isVariable == first.isVariable,
          header.isVariable || last.blockSize == first.blockSize
        else { return false }
      }
      first = first ?? header
      last = header
      rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
    }
    return true
  }
}

private func verify(_ source: any ByteSource, size: Int) {
  guard let file = open(source, for: .verify) else { return }
  _ = run(file.decoder, size: size, frames: maximumFrames, keep: 0)
  _ = file.checkMD5()
  if file.header.codec == .flac { expectEnd(file.decoder) }
}

private func open(_ source: any ByteSource, for purpose: AudioFile.Purpose) -> AudioFile? {
  do {
    let file = try AudioFile(source, for: purpose)
    check(file.format)
    require((file.frameCount ?? 0) >= 0)
    require((file.durationSeconds ?? 0) >= 0 && (file.durationSeconds ?? 0).isFinite)
    require(file.linkCount >= 1)
    return file
  } catch {
    require(error.reaction == .refuseFile, "\(error)")
    return nil
  }
}

/// Seeks to `target`. Returns true if decoding can continue.
private func seek(_ decoder: any AudioDecoder, to target: Int64) -> Bool {
  do {
    try decoder.seek(to: target)
    return true
  } catch {
    expectEnd(decoder)
    return false
  }
}

private func run(_ decoder: any AudioDecoder, size: Int, frames: Int, keep: Int) -> Run {
  var result = Run()
  var format = decoder.format
  // Each step consumes input, so the number of steps is limited. A packet takes at least one byte of input. The decoder
  // reports a missing page when it reads a later page, and the header of that page takes at least 27 bytes.
  var stepsLeft = 1000 + 4 * size
  while result.frames < frames {
    require(stepsLeft > 0, "the decoder does not end")
    stepsLeft -= 1
    do {
      switch try decoder.next() {
      case .frames(let block):
        check(block, format: format, samples: &result.samples, keep: keep)
        if result.first == nil {
          result.first = block.position
        } else if block.position != result.last {
          result.isIntact = false
        }
        result.last = block.position + Int64(block.frameCount)
        result.frames += block.frameCount
        let seconds = decoder.seconds(atFrame: block.position)
        require(seconds.isFinite && decoder.frame(atSeconds: seconds) >= 0)
      case .formatChanged(let changed):
        check(changed)
        require(changed == decoder.format)
        format = changed
        result.isIntact = false
      case .metadataChanged(let metadata):
        _ = (metadata.title, metadata.loudness)
        result.isIntact = false
      case .skipped(let error):
        require(error.reaction == .skipPacket, "\(error)")
        result.isIntact = false
      case .working, .waiting:
        break
      case .end:
        expectEnd(decoder)
        result.isComplete = true
        return result
      }
    } catch {
      require(error.reaction == .endTrack, "\(error)")
      result.isIntact = false
      expectEnd(decoder)
      return result
    }
  }
  return result
}

private func check(_ format: StreamFormat) {
  require((1...8).contains(format.channels))
  require((1...Int(UInt32.max)).contains(format.sampleRate))
  if case .integer(let bits) = format.encoding { require((4...32).contains(bits)) }
}

private func check(_ block: FrameBlock, format: StreamFormat, samples: inout [UInt32], keep: Int) {
  require(block.position >= 0, "negative position")
  require((1...65536).contains(block.frameCount), "\(block.frameCount) frames")
  if keep == 0 {
    require(block.samples == nil)
    return
  }
  guard let start = block.samples else { fatalError("no samples") }
  let bytes = UnsafeRawBufferPointer(start: start, count: block.frameCount * format.channels * 4)
  _ = touch(bytes)
  let room = max(0, keep * format.channels - samples.count)
  samples += bytes.bindMemory(to: UInt32.self).prefix(room)
}

/// Called after the stream has ended or the decoder has thrown an error. Checks that further calls of `next` return
/// `.end`.
private func expectEnd(_ decoder: any AudioDecoder) {
  for _ in 0..<2 {
    guard case .end? = try? decoder.next() else { fatalError("a result after the end") }
  }
}
