public import AudioCodecs

/// All results of a decoder for one track.
public struct Decoded {
  /// The samples of all blocks: 32 bits each, left-aligned, interleaved in ALSA's channel order.
  public var samples: [UInt32] = []
  /// The number of frames, including the frames of blocks without samples.
  public var frameCount = 0
  /// The damaged parts that the decoder has skipped, in the order of the stream.
  public var skipped: [DecodeError] = []
  /// The formats to which the stream has changed after its first format.
  public var formats: [StreamFormat] = []
  /// The sets of tags that the decoder has reported during the stream, without the tags from before the first frame.
  public var metadata: [AudioMetadata] = []
  /// The error that ended the track; nil at the normal end.
  public var failure: DecodeError?
  /// The position of the first block, in frames.
  public var firstPosition: Int64?
  /// The position after the last block, in frames.
  public var endPosition: Int64?
  /// True if each block began where the previous block ended.
  public var isContinuous = true

  /// The samples as integers with `bits` bits.
  public func integers(bits: Int) -> [Int32] {
    samples.map { Int32(bitPattern: $0) >> Int32(32 - bits) }
  }
}

extension AudioDecoder {
  /// Decodes to the end of the track, or until `limit` frames are decoded.
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
        case .working, .waiting: break
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
