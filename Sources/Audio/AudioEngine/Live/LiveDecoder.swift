internal import AudioCodecs

/// The frames of a ``LiveInput``, for the decode thread.
final class LiveDecoder: AudioDecoder {
  let input: LiveInput
  var format: StreamFormat { input.format }
  /// The ring position after the frames that were returned so far. The decode loop sets it before it calls
  /// ``next()``.
  var end = 0
  private let samples: UnsafeMutablePointer<Float>
  /// Number of frames in a block. A block of this length lasts 20 ms at 48 kHz.
  private static let blockFrames = 960

  init(_ input: LiveInput) {
    self.input = input
    samples = .allocate(capacity: Self.blockFrames * input.format.channels)
    input.restart()
  }

  deinit { samples.deallocate() }

  func next() throws(DecodeError) -> DecodeStep {
    switch input.take(Self.blockFrames, into: samples, end: end) {
    case .frames(let count, let position):
      .frames(
        FrameBlock(
          samples: UnsafeRawPointer(samples), frameCount: count, position: Int64(position)))
    case .waits: .waiting
    case .end: .end
    }
  }

  /// A live source has no earlier or later place. It continues with the frames that are pushed now.
  func seek(to frame: Int64) throws(DecodeError) { input.restart() }
}
