/// Decodes the bytes of one stream to frames, in order. Seeks to an exact frame.
///
/// - Thread: any thread, but only one thread at a time.
/// - Blocks: only in its ``ByteSource``. Each call does a limited amount of work, whatever the file contains.
///   ``next()`` returns at the latest after it has read about 8 MB, or has decoded two million samples that it must
///   drop. So its caller can handle commands between two calls.
/// - Errors: damage that can be skipped is returned as ``DecodeStep/skipped(_:)``. A thrown error ends the track; after
///   that the decoder only returns ``DecodeStep/end``.
public protocol AudioDecoder: AnyObject {
  /// The format of the next frames.
  var format: StreamFormat { get }

  /// Decodes one packet. In a long damaged part, this function returns ``DecodeStep/skipped(_:)`` several times. Each
  /// call continues the search for the next valid packet. After 64 MB or 134 million samples without sound, it throws.
  func next() throws(DecodeError) -> DecodeStep

  /// Goes to `frame`, counted from the start of the stream. The next frame that the decoder returns is exactly this
  /// frame. If this frame is missing, the decoder returns the first frame after it. If `frame` is beyond the end, the
  /// decoder goes to the end. A `frame` below 0 counts as 0. After an error the decoder is at the end.
  func seek(to frame: Int64) throws(DecodeError)

  /// The time of `frame` in the stream, in seconds. A division by the rate is right only if the rate does not change
  /// within the stream.
  func seconds(atFrame frame: Int64) -> Double

  /// The frame that is heard at `seconds`; the inverse of ``seconds(atFrame:)``.
  func frame(atSeconds seconds: Double) -> Int64
}

/// A result of ``AudioDecoder/next()``.
public enum DecodeStep {
  /// Frames, valid until the next call of the decoder.
  case frames(FrameBlock)
  /// The following frames have this format.
  case formatChanged(StreamFormat)
  /// These tags describe the following frames, because the next link of a chain begins.
  case metadataChanged(AudioMetadata)
  /// A fault that can be skipped: a part of the stream was left out, or the stream differs from what its header
  /// announces. Decoding continues.
  case skipped(DecodeError)
  /// The decoder has done a part of its work, for example on the way to the target of a seek. It has nothing to report.
  /// The next call continues.
  case working
  /// There are no frames now. The next call can have frames if one of these descriptors can be read, or when the owner
  /// of the stream wakes the caller. The descriptors are valid as long as the decoder exists. Decoders of files never
  /// return this.
  case waiting(for: [Int32])
  /// The stream has no more frames.
  case end
}

/// Frames in the decoder's memory; copy them before the next call.
public struct FrameBlock {
  /// Interleaved four-byte samples; nil if the decoder was opened only to verify.
  public let samples: UnsafeRawPointer?
  /// Number of frames.
  public let frameCount: Int
  /// The number of the first frame, counted from the start of the stream.
  public let position: Int64

  /// Creates a block.
  public init(samples: UnsafeRawPointer?, frameCount: Int, position: Int64) {
    self.samples = samples
    self.frameCount = frameCount
    self.position = position
  }
}

extension AudioDecoder {
  /// Divides by the rate. This is correct for a stream whose rate does not change.
  public func seconds(atFrame frame: Int64) -> Double {
    Double(frame) / Double(format.sampleRate)
  }

  /// Multiplies by the rate. This is correct for a stream whose rate does not change.
  public func frame(atSeconds seconds: Double) -> Int64 {
    clampedFrame(seconds * Double(format.sampleRate))
  }
}

/// Limits a computed frame number to the valid range. The number can be far outside this range, because a user can type
/// any number of seconds.
func clampedFrame(_ frame: Double) -> Int64 {
  frame.isNaN ? 0 : Int64(min(max(frame.rounded(), 0), 9e18))
}

/// Memory for four-byte samples. It grows and never shrinks, so memory is allocated only when a packet has more samples
/// than any packet before it.
struct SampleBlock: ~Copyable {
  private(set) var base: UnsafeMutableRawPointer
  private var capacity: Int

  init() {
    capacity = 0
    base = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  }

  deinit { base.deallocate() }

  mutating func reserve(samples: Int) {
    guard samples > capacity else { return }
    base.deallocate()
    base = UnsafeMutableRawPointer.allocate(byteCount: samples * 4, alignment: 16)
    capacity = samples
  }
}
