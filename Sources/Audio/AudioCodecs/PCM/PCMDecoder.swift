/// Reads the frames of WAV and AIFF files. Changes only the order of the channels and the format of the samples.
final class PCMDecoder: FileDecoder {
  /// The largest number of bytes that are read for one block.
  private static let blockBytes = 64 * 1024

  private let source: any ByteSource
  private let stream: PCMStream
  private let keepsSamples: Bool
  let format: StreamFormat
  var frameCount: Int64? { stream.frameCount }
  private let conversion: PCMConversion
  private let blockFrames: Int
  private let bytes: UnsafeMutableRawBufferPointer
  private var block = SampleBlock()
  private var position: Int64 = 0
  private var state = State.reading

  private enum State {
    case reading
    /// The medium failed after some frames of a block were read. These frames are returned. The next call throws this
    /// error.
    case failed(DecodeError)
    /// The file has become shorter since its header was read. The next call reports the missing frames.
    case cut
    case ended
  }

  /// Creates a decoder at the first frame. Reads nothing yet.
  init(_ source: any ByteSource, _ stream: PCMStream, keepsSamples: Bool) {
    self.source = source
    self.stream = stream
    self.keepsSamples = keepsSamples
    format = StreamFormat(
      sampleRate: stream.format.sampleRate, layout: stream.format.layout.alsaOrdered,
      encoding: stream.format.encoding)
    conversion = PCMConversion(
      stream.sample, order: format.layout.permutation(from: stream.format.layout))
    blockFrames = Self.blockBytes / stream.bytesPerFrame
    bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 16)
    if keepsSamples { block.reserve(samples: blockFrames * format.channels) }
  }

  deinit { bytes.deallocate() }

  func next() throws(DecodeError) -> DecodeStep {
    switch state {
    case .reading: break
    case .failed(let error):
      state = .ended
      throw error
    case .cut:
      state = .ended
      let missing = stream.frameCount - position
      return .skipped(
        DecodeError(
          .skipPacket, at: .frame(position), "the last \(missing) frames are missing",
          kind: .missingFrames(missing)))
    case .ended: return .end
    }
    let wanted = Int(min(Int64(blockFrames), stream.frameCount - position))
    guard wanted > 0 else {
      state = .ended
      return .end
    }
    let frames = read(frames: wanted)
    guard frames > 0 else { return try next() }
    defer { position += Int64(frames) }
    if keepsSamples { conversion.convert(bytes.baseAddress!, into: block.base, frames: frames) }
    return .frames(
      FrameBlock(
        samples: keepsSamples ? UnsafeRawPointer(block.base) : nil, frameCount: frames,
        position: position))
  }

  /// Reads frames into `bytes` and returns their number. If the number is smaller than `wanted`, sets ``state`` to the
  /// reason.
  private func read(frames wanted: Int) -> Int {
    let count = wanted * stream.bytesPerFrame
    let start = stream.range.lowerBound + position * Int64(stream.bytesPerFrame)
    var filled = 0
    do throws(ByteSourceError) {
      while filled < count {
        let read = try source.read(
          at: start + Int64(filled),
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled..<count]))
        if read == 0 {
          state = .cut
          break
        }
        filled += read
      }
    } catch {
      state = .failed(DecodeError(error, .endTrack))
    }
    return filled / stream.bytesPerFrame
  }

  func seek(to frame: Int64) throws(DecodeError) {
    position = min(max(frame, 0), stream.frameCount)
    state = .reading
  }
}
