/// Bytes to frames: one stream, forwards, with sample-exact seeking.
///
/// - Thread: any one at a time.
/// - Blocks: in its ``ByteSource`` only. Whatever the file is, a call comes back after some work:
///   ``next()`` when it looked at 8 MB or decoded some million samples in vain, so that whoever
///   plays can be asked for something else meanwhile.
/// - Errors: what can be skipped comes as ``DecodeStep/skipped(_:)``; what is thrown ends the
///   track, and the decoder then only answers ``DecodeStep/end``.
public protocol AudioDecoder: AnyObject {
  /// The format of the next frames.
  var format: StreamFormat { get }

  /// Decodes one packet. In damage without end it says ``DecodeStep/skipped(_:)`` several times
  /// and goes on where it was; after 64 MB or 134 million samples without any sound it throws.
  func next() throws(DecodeError) -> DecodeStep

  /// Goes to `frame`, counted from the start of the stream: the next frame that comes out is
  /// that one, exactly, or where it is missing the first one behind it. Beyond the end means the
  /// end; below 0 means 0. When it throws, the decoder is at its end.
  func seek(to frame: Int64) throws(DecodeError)

  /// The time at which `frame` sounds, in seconds. Not a mere division where the rate changes
  /// within the stream.
  func seconds(atFrame frame: Int64) -> Double

  /// The frame that sounds at `seconds`; the inverse of ``seconds(atFrame:)``.
  func frame(atSeconds seconds: Double) -> Int64
}

/// What came out of ``AudioDecoder/next()``.
public enum DecodeStep {
  /// Frames, valid until the next call of the decoder.
  case frames(FrameBlock)
  /// From here on frames have this format.
  case formatChanged(StreamFormat)
  /// From here on these tags describe the stream (a chained link begins).
  case metadataChanged(AudioMetadata)
  /// Something was left out or is not as its header says; decoding goes on.
  case skipped(DecodeError)
  /// Nothing more comes.
  case end
}

/// Frames that a decoder owns; copy them before the next call.
public struct FrameBlock {
  /// Interleaved four-byte samples; nil when the decoder was opened only to verify.
  public let samples: UnsafeRawPointer?
  /// How many frames.
  public let frameCount: Int
  /// The number of the first frame, from the start of the stream.
  public let position: Int64

  /// Joins the three.
  public init(samples: UnsafeRawPointer?, frameCount: Int, position: Int64) {
    self.samples = samples
    self.frameCount = frameCount
    self.position = position
  }
}

extension AudioDecoder {
  /// Division by the rate, right for streams of one rate.
  public func seconds(atFrame frame: Int64) -> Double {
    Double(frame) / Double(format.sampleRate)
  }

  /// Multiplication by the rate, right for streams of one rate.
  public func frame(atSeconds seconds: Double) -> Int64 {
    clampedFrame(seconds * Double(format.sampleRate))
  }
}

/// A frame number out of arithmetic on times that a user may have typed.
func clampedFrame(_ frame: Double) -> Int64 {
  frame.isNaN ? 0 : Int64(min(max(frame.rounded(), 0), 9e18))
}

/// A growable, never shrinking block of four-byte samples, so that a steady stream allocates
/// once.
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
