import NowPlayingClient

/// The format of the frames that PROGRAM writes: interleaved samples, little endian.
struct PCMFormat: Equatable {
  enum Samples: String, CaseIterable {
    case s16
    /// 24 bits in three bytes.
    case s24
    case s32
    case f32

    var byteCount: Int {
      switch self {
      case .s16: 2
      case .s24: 3
      case .s32, .f32: 4
      }
    }
  }

  var samples = Samples.s16
  var rate = 44_100
  var channels = 2

  var frameBytes: Int { samples.byteCount * channels }

  /// The bytes of a frame of the stream to the unit.
  var soundFrameBytes: Int { samples == .s24 ? 4 * channels : frameBytes }

  /// The format of the stream to the unit.
  func sound(_ kind: SoundFormat.Kind) -> SoundFormat {
    let coding: SoundFormat.Samples =
      switch samples {
      case .s16: .s16
      case .s24, .s32: .s32
      case .f32: .f32
      }
    return SoundFormat(kind, rate: rate, channels: channels, samples: coding)
  }

  /// The size of the pipe: the largest power of two that holds at most 100 ms, but at least a page.
  var pipeBytes: Int {
    let bytes = rate / 10 * frameBytes
    return max(4096, 1 << (Int.bitWidth - 1 - max(1, bytes).leadingZeroBitCount))
  }
}

extension PCMFormat {
  /// - Parameter text: `SAMPLES:RATE:CHANNELS`, as in `s16:44100:2`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let samples = Samples(rawValue: String(parts[0])),
      let rate = Int(parts[1]), SoundFormat.rates.contains(rate), let channels = Int(parts[2]),
      SoundFormat.channelCounts.contains(channels)
    else {
      throw UsageError(
        "a format is s16, s24, s32 or f32, a rate from \(SoundFormat.rates.lowerBound) to "
          + "\(SoundFormat.rates.upperBound), and 1 or 2 channels, as in s16:44100:2, "
          + "not \(UsageError.quoted(text))")
    }
    self.init(samples: samples, rate: rate, channels: channels)
  }
}

/// Makes whole frames of the stream from the bytes of PROGRAM. A value without I/O.
struct FrameAssembler {
  private let format: PCMFormat
  private var part: [UInt8] = []

  init(_ format: PCMFormat) { self.format = format }

  /// The number of bytes at the end that are no whole frame.
  var partialBytes: Int { part.count }

  /// The number of bytes that must be read for `frames` more frames.
  func byteCount(of frames: Int) -> Int { frames * format.frameBytes - part.count }

  /// Takes bytes. Returns the frames that are complete, in the format of the stream.
  mutating func frames(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var whole = part
    whole.append(contentsOf: bytes)
    let rest = whole.count % format.frameBytes
    part = Array(whole.suffix(rest))
    whole.removeLast(rest)
    guard format.samples == .s24 else { return whole }
    var wide: [UInt8] = []
    wide.reserveCapacity(whole.count / 3 * 4)
    for start in stride(from: 0, to: whole.count, by: 3) {
      // The 24 bits are left-justified.
      wide.append(0)
      wide.append(contentsOf: whole[start..<start + 3])
    }
    return wide
  }
}
