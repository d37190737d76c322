public import AudioCodecs

/// A decoder that says what a test tells it to, block by block.
public final class ScriptedDecoder: AudioDecoder {
  /// One answer of ``AudioDecoder/next()``.
  public enum Line {
    /// So many frames; sample values count up from the frame's number.
    case frames(Int)
    /// Frames are left out: the next block's number jumps.
    case hole(Int)
    /// The rest has this format.
    case format(StreamFormat)
    /// New tags.
    case metadata(AudioMetadata)
    /// A remark.
    case skipped(DecodeError)
    /// The track ends with this.
    case failure(DecodeError)
  }

  /// The format of the next frames.
  public private(set) var format: StreamFormat
  private var script: [Line]
  private var position: Int64 = 0
  private var samples: [UInt32] = []
  private let first: Int

  /// - Parameter first: the value of the first sample (in units of the source's bits), so that a
  ///   test tells tracks apart.
  public init(_ format: StreamFormat, first: Int = 0, _ script: [Line]) {
    self.format = format
    self.first = first
    self.script = script
  }

  /// The sample of `channel` in `frame`, left-justified as decoders give it.
  public static func sample(
    _ format: StreamFormat, first: Int, frame: Int64, channel: Int
  ) -> UInt32 {
    let value = first + Int(frame) * format.channels + channel
    switch format.encoding {
    case .integer(let bits):
      return UInt32(bitPattern: Int32(truncatingIfNeeded: value) << Int32(32 - bits))
    case .float:
      return (Float(value % 32768) / 32768).bitPattern
    }
  }

  /// See ``AudioDecoder/next()``.
  public func next() throws(DecodeError) -> DecodeStep {
    guard !script.isEmpty else { return .end }
    switch script.removeFirst() {
    case .frames(let count):
      samples = (0..<count).flatMap { frame in
        (0..<format.channels).map {
          Self.sample(format, first: first, frame: position + Int64(frame), channel: $0)
        }
      }
      defer { position += Int64(count) }
      return .frames(
        FrameBlock(
          samples: samples.withUnsafeBytes { UnsafeRawPointer($0.baseAddress) },
          frameCount: count, position: position))
    case .hole(let count):
      position += Int64(count)
      return try next()
    case .format(let format):
      self.format = format
      return .formatChanged(format)
    case .metadata(let metadata):
      return .metadataChanged(metadata)
    case .skipped(let error):
      return .skipped(error)
    case .failure(let error):
      script = []
      throw error
    }
  }

  /// Goes to `frame`; what is left of the script starts there.
  public func seek(to frame: Int64) throws(DecodeError) {
    position = frame
  }
}
