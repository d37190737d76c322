/// Computed samples, and methods that make files with these samples.
public struct GeneratedMusic {
  /// The number of samples in a frame.
  public let channels: Int
  /// The number of significant bits of a sample.
  public let bits: Int
  /// The number of frames per second.
  public let rate: Int
  /// The samples: interleaved, right-aligned, in the channel order of WAV.
  public let samples: [Int32]

  /// Creates noise that is similar to music: an encoder can compress it, and the channels differ. The same arguments
  /// always give the same samples.
  public init(channels: Int = 2, bits: Int = 16, rate: Int = 44100, frames: Int, seed: UInt64 = 1) {
    self.channels = channels
    self.bits = bits
    self.rate = rate
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var walk = [Int64](repeating: 0, count: channels)
    let limit = Int64(1) << (bits - 1)
    var samples: [Int32] = []
    samples.reserveCapacity(frames * channels)
    for _ in 0..<frames {
      for channel in 0..<channels {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        let step = Int64(bitPattern: state) >> (64 - Int64(bits) + 3)
        walk[channel] = walk[channel] * 15 / 16 + step * Int64(channel + 2) / 4
        walk[channel] = min(max(walk[channel], -limit), limit - 1)
        samples.append(Int32(walk[channel]))
      }
    }
    self.samples = samples
  }

  /// The number of frames.
  public var frameCount: Int { samples.count / channels }

  /// The samples as raw input for encoders: little-endian, signed, in whole bytes.
  public var raw: [UInt8] {
    let width = (bits + 7) / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * width)
    for sample in samples {
      for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: sample >> (8 * byte))) }
    }
    return bytes
  }

  /// A WAVEFORMATEXTENSIBLE file with left-aligned samples. `flac` needs this format if a sample does not fill whole
  /// bytes, as with 12 or 20 bits.
  public var wav: [UInt8] {
    let width = (bits + 7) / 8
    let shift = width * 8 - bits
    let data = samples.flatMap { sample in
      (0..<width).map { UInt8(truncatingIfNeeded: (sample << Int32(shift)) >> Int32(8 * $0)) }
    }
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let mask = [0, 4, 3, 7, 0x33, 0x37, 0x3F, 0x70F, 0x63F][channels]
    let head: [[UInt8]] = [
      Array("RIFF".utf8), number(60 + data.count, 4), Array("WAVEfmt ".utf8), number(40, 4),
      number(0xFFFE, 2), number(channels, 2), number(rate, 4),
      number(rate * channels * width, 4), number(channels * width, 2), number(width * 8, 2),
      number(22, 2), number(bits, 2), number(mask, 4),
      [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71], Array("data".utf8),
      number(data.count, 4),
    ]
    return head.flatMap { $0 } + data
  }

  /// Encodes the samples with `flac` into a file of the folder.
  public func flac(_ folder: TemporaryFolder, _ name: String, _ options: [String] = []) throws {
    var input = [
      "--force-raw-format", "--endian=little", "--sign=signed", "--channels=\(channels)",
      "--bps=\(bits)", "--sample-rate=\(rate)", name + ".raw",
    ]
    if bits % 8 == 0 {
      try folder.write(name + ".raw", raw)
    } else {
      try folder.write(name + ".wav", wav)
      input = [name + ".wav"]
    }
    try Tools.run(
      "flac", ["--silent", "--force"] + options + ["-o", name] + input, in: folder.url)
  }

  /// Encodes the samples with `oggenc` into a file of the folder. The samples must have 16 bits.
  public func vorbis(_ folder: TemporaryFolder, _ name: String, _ options: [String] = []) throws {
    precondition(bits == 16)
    try folder.write(name + ".raw", raw)
    try Tools.run(
      "oggenc",
      ["--quiet", "--raw", "--raw-bits=16", "--raw-chan=\(channels)", "--raw-rate=\(rate)"]
        + options + ["-o", name, name + ".raw"], in: folder.url)
  }
}
