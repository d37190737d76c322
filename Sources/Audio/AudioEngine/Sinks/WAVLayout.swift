internal import AudioCodecs

/// The layout of frames in a WAV file: left-justified integers of whole bytes, as `flac -d` writes them. The channels
/// are in the order of the channel mask.
struct WAVLayout: Equatable {
  private let sampleRate: Int
  private let channels: ChannelLayout
  /// Significant bits.
  private let bits: Int
  /// Bytes of one sample in the file.
  private let sampleBytes: Int

  init(_ format: StreamFormat) {
    sampleRate = format.sampleRate
    channels = format.layout
    if case .integer(let bits) = format.encoding { self.bits = bits } else { bits = 16 }
    sampleBytes = (bits + 7) / 8
  }

  /// The format of the rendered samples. ``pack(_:frames:)`` converts the samples to the format of the file.
  var samples: DeviceSamples {
    switch sampleBytes {
    case 1, 2: .s16
    case 3: .s24Packed
    default: .s32
    }
  }

  /// Converts rendered frames in place. Returns their size in the file, in bytes.
  func pack(_ buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
    let count = channels.count
    let rendered = samples.bytes
    let order = channels.waveOrdered.permutation(from: channels)
    if order != Array(0..<count) {
      withUnsafeTemporaryAllocation(byteCount: count * rendered, alignment: 4) { frame in
        for index in 0..<frames {
          let start = buffer + index * count * rendered
          frame.baseAddress!.copyMemory(from: start, byteCount: count * rendered)
          for (to, from) in order.enumerated() {
            (start + to * rendered).copyMemory(
              from: frame.baseAddress! + from * rendered, byteCount: rendered)
          }
        }
      }
    }
    if sampleBytes == 1 {
      // WAV's 8-bit samples are unsigned.
      let from = buffer.assumingMemoryBound(to: Int16.self)
      for index in 0..<frames * count {
        let sample = UInt8(truncatingIfNeeded: from[index] >> 8) ^ 0x80
        buffer.storeBytes(of: sample, toByteOffset: index, as: UInt8.self)
      }
    }
    return frames * count * sampleBytes
  }

  /// The RIFF header. It has the extensible form (WAVE_FORMAT_EXTENSIBLE) if the plain PCM form cannot describe the
  /// frames. A size that does not fit in 32 bits is written as the largest value. Readers interpret this value as "to
  /// the end of the file".
  func header(dataBytes: Int64) -> [UInt8] {
    let isExtensible = channels.count > 2 || bits != sampleBytes * 8 || bits > 16
    let formatBytes = isExtensible ? 40 : 16
    let padded = dataBytes + dataBytes & 1
    var out: [UInt8] = []
    func text(_ text: StaticString) { text.withUTF8Buffer { out += $0 } }
    func number32(_ value: Int64) {
      let value = UInt32(clamping: value)
      out += (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    func number16(_ value: Int) {
      out += (0..<2).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let frameBytes = channels.count * sampleBytes
    text("RIFF")
    number32(4 + 8 + Int64(formatBytes) + 8 + padded)
    text("WAVEfmt ")
    number32(Int64(formatBytes))
    number16(isExtensible ? 0xFFFE : 1)
    number16(channels.count)
    number32(Int64(sampleRate))
    number32(Int64(sampleRate) * Int64(frameBytes))
    number16(frameBytes)
    number16(sampleBytes * 8)
    if isExtensible {
      number16(22)
      number16(bits)
      number32(Int64(channels == .mono ? 4 : channels.waveMask))
      // KSDATAFORMAT_SUBTYPE_PCM.
      out += [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    text("data")
    number32(dataBytes)
    return out
  }
}
