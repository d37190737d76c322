public import AudioCodecs

/// A decoder that returns the steps of a script, which the test defines.
public final class ScriptedDecoder: AudioDecoder {
  /// One answer of ``AudioDecoder/next()``.
  public enum Line {
    /// A block of this number of frames. ``ScriptedDecoder/sample(_:first:frame:channel:)`` gives the values of the
    /// samples.
    case frames(Int)
    /// This number of frames is missing. So the position of the next block is higher by this number.
    case hole(Int)
    /// All further frames have this format.
    case format(StreamFormat)
    /// The decoder reports new tags.
    case metadata(AudioMetadata)
    /// The decoder reports that it has skipped a damaged part.
    case skipped(DecodeError)
    /// An error ends the track.
    case failure(DecodeError)
  }

  /// The format of the next frames.
  public private(set) var format: StreamFormat
  private var script: [Line]
  private var position: Int64 = 0
  private var samples: [UInt32] = []
  private let first: Int

  /// - Parameter first: the value of the first sample, as an integer with the bit depth of the format, not
  ///   left-aligned. Tests use different values, to distinguish tracks.
  public init(_ format: StreamFormat, first: Int = 0, _ script: [Line]) {
    self.format = format
    self.first = first
    self.script = script
  }

  /// The sample of `channel` in `frame`, left-aligned as in the output of a decoder.
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

  /// Returns the next line of the script, or the end.
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

  /// Sets the position of the next block to `frame`. The script continues with its next line.
  public func seek(to frame: Int64) throws(DecodeError) {
    position = frame
  }
}
