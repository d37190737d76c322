/// Known samples, and files that hold them.
public struct MadeMusic {
  /// Samples per frame.
  public let channels: Int
  /// Significant bits.
  public let bits: Int
  /// Frames per second.
  public let rate: Int
  /// Interleaved, right-justified, in the order of WAV.
  public let samples: [Int32]

  /// Music-like noise: predictable enough to compress, different in each channel. The same
  /// arguments give the same samples.
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

  /// How many frames.
  public var frameCount: Int { samples.count / channels }

  /// Little-endian, signed, in whole bytes: raw input for encoders.
  public var raw: [UInt8] {
    let width = (bits + 7) / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * width)
    for sample in samples {
      for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: sample >> (8 * byte))) }
    }
    return bytes
  }

  /// Encodes with `flac`.
  public func flac(_ folder: TemporaryFolder, _ name: String, _ options: [String] = []) throws {
    try folder.write(name + ".raw", raw)
    try Tools.run(
      "flac",
      [
        "--silent", "--force", "--force-raw-format", "--endian=little", "--sign=signed",
        "--channels=\(channels)", "--bps=\(bits)", "--sample-rate=\(rate)",
      ] + options + ["-o", name, name + ".raw"], in: folder.url)
  }

  /// Encodes with `oggenc`; 16 bits only.
  public func vorbis(_ folder: TemporaryFolder, _ name: String, _ options: [String] = []) throws {
    precondition(bits == 16)
    try folder.write(name + ".raw", raw)
    try Tools.run(
      "oggenc",
      ["--quiet", "--raw", "--raw-bits=16", "--raw-chan=\(channels)", "--raw-rate=\(rate)"]
        + options + ["-o", name, name + ".raw"], in: folder.url)
  }
}
