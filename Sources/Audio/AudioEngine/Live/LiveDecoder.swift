internal import AudioCodecs

/// The frames of a ``LiveInput``, for the decode thread.
final class LiveDecoder: AudioDecoder {
  let input: LiveInput
  var format: StreamFormat { input.format }
  /// How far the frames that were returned so far are in the ring. The decode loop sets it before it calls ``next()``.
  var progress = LiveProgress()
  /// The position of the first frame after the last ``seek(to:)``.
  private var first: Int64 = 0
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
    switch input.take(Self.blockFrames, into: samples, progress: progress) {
    case .frames(let count, let position):
      .frames(
        FrameBlock(
          samples: UnsafeRawPointer(samples), frameCount: count, position: first + Int64(position)))
    case .waits: .waiting
    case .end: .end
    }
  }

  /// A live source has no earlier or later position. It continues with the frames that are pushed now. So after a
  /// change of the device the position continues.
  func seek(to frame: Int64) throws(DecodeError) {
    first = frame
    input.restart()
  }
}
