internal import AudioCodecs

/// Returns the frames of a ``LiveInput`` to the decode thread.
final class LiveDecoder: AudioDecoder {
  let input: LiveInput
  var format: StreamFormat { input.format }
  /// The ring positions that the frames returned so far have reached. The decode loop sets this value before it calls
  /// ``next()``.
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
    case .waits: .waiting(for: [])
    case .end: .end
    }
  }

  /// Continues with the frames that are pushed now, because a live source has no other position. The first of these
  /// frames gets the position `frame`, so that the position continues after a change of the device.
  func seek(to frame: Int64) throws(DecodeError) {
    first = frame
    input.restart()
  }
}
