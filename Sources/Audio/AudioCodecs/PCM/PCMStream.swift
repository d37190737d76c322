/// Uncompressed sound in a file: the coding of its samples, and the range of its frames.
struct PCMStream: Equatable {
  /// The coding of a sample in the file.
  enum Sample: Equatable {
    /// 8 bits without a sign; 128 stands for silence.
    case unsigned8
    /// Two's complement, 1 … 4 bytes, left-justified.
    case integer(bytes: Int, isBigEndian: Bool)
    /// IEEE 754, 4 or 8 bytes.
    case float(bytes: Int, isBigEndian: Bool)

    /// The size of a sample in the file.
    var bytes: Int {
      switch self {
      case .unsigned8: 1
      case .integer(let bytes, _), .float(let bytes, _): bytes
      }
    }
  }

  let sample: Sample
  /// The rate, the number of significant bits, and the loudspeakers in the order of the file.
  let format: StreamFormat
  /// The bytes of the frames. An incomplete frame at the end is not played.
  let range: Range<Int64>

  var bytesPerFrame: Int { sample.bytes * format.channels }
  var frameCount: Int64 {
    (range.upperBound - range.lowerBound) / Int64(bytesPerFrame)
  }
}

extension PCMStream {
  /// Creates a stream from the numbers of a header, and checks these numbers.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` for numbers that cannot be played.
  init(
    sample: Sample, bits: Int, channels: Int, sampleRate: Int, mask: UInt32?,
    range: Range<Int64>, at offset: Int64
  ) throws(DecodeError) {
    func refuse(_ reason: String) -> DecodeError {
      DecodeError(.refuseFile, at: .byte(offset), reason)
    }
    guard (1...8).contains(channels) else { throw refuse("\(channels) channels are not supported") }
    guard sampleRate > 0, sampleRate <= UInt32.max else {
      throw refuse("a rate of \(sampleRate) Hz is not supported")
    }
    // A channel mask that does not match `channels` is ignored, as in other players. For mono the mask is always
    // ignored, because some programs state the left loudspeaker.
    let layout =
      mask.flatMap { channels == 1 ? nil : ChannelLayout.flac(mask: $0, channels: channels) }
      ?? ChannelLayout.flac(channels: channels)
    let encoding: SampleEncoding =
      if case .float = sample {
        .float
      } else {
        // ``SampleEncoding`` requires at least four bits. If a header states 0 bits, all bits of the sample are
        // significant.
        .integer(bits: bits == 0 ? 8 * sample.bytes : min(max(bits, 4), 8 * sample.bytes))
      }
    self.init(
      sample: sample,
      format: StreamFormat(sampleRate: sampleRate, layout: layout, encoding: encoding),
      range: range)
    guard frameCount > 0 else { throw refuse("the file contains no sound") }
  }
}
