public import AudioCodecs

/// Everything that came out of a decoder.
public struct Decoded {
  /// Four-byte samples, interleaved in ALSA's order.
  public var samples: [UInt32] = []
  /// Frames, also where no samples came.
  public var frameCount = 0
  /// What was skipped, in order.
  public var skipped: [DecodeError] = []
  /// Formats after the first.
  public var formats: [StreamFormat] = []
  /// Tags after the first.
  public var metadata: [AudioMetadata] = []
  /// What ended the track, if not its end.
  public var failure: DecodeError?
  /// Position of the first block.
  public var firstPosition: Int64?
  /// Position behind the last block.
  public var endPosition: Int64?
  /// Each block began where the one before it ended.
  public var isContinuous = true

  /// The samples as integers of `bits` bits.
  public func integers(bits: Int) -> [Int32] {
    samples.map { Int32(bitPattern: $0) >> Int32(32 - bits) }
  }
}

extension AudioDecoder {
  /// Decodes to the end, or at most about `limit` frames.
  public func decodeAll(limit: Int = .max) -> Decoded {
    var result = Decoded()
    while result.frameCount < limit {
      do throws(DecodeError) {
        switch try next() {
        case .frames(let block):
          result.firstPosition = result.firstPosition ?? block.position
          if let end = result.endPosition, end != block.position { result.isContinuous = false }
          result.endPosition = block.position + Int64(block.frameCount)
          result.frameCount += block.frameCount
          if let samples = block.samples {
            let words = samples.assumingMemoryBound(to: UInt32.self)
            result.samples += UnsafeBufferPointer(
              start: words, count: block.frameCount * format.channels)
          }
        case .formatChanged(let format): result.formats.append(format)
        case .metadataChanged(let metadata): result.metadata.append(metadata)
        case .skipped(let error): result.skipped.append(error)
        case .end: return result
        }
      } catch {
        result.failure = error
        return result
      }
    }
    return result
  }
}
