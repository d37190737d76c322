package import A2DPStream
internal import CSBC

/// Encodes sound with libsbc, as a phone does. Decodes the result with another instance of libsbc, to get the sound
/// that must be heard.
package final class SBCEncoder {
  /// The configuration of SBC with which the sound is coded.
  package let configuration: SBCConfiguration
  private var encoder = sbc_t()
  private var decoder = sbc_t()

  /// - Parameter bytes: the configuration, as the bytes that a phone sends.
  package init(_ bytes: [UInt8], bitpool: Int = 53) throws {
    configuration = try SBCConfiguration(bytes)
    sbc_init(&encoder, 0)
    sbc_init(&decoder, 0)
    encoder.frequency = UInt8(configuration.rate == 48_000 ? SBC_FREQ_48000 : SBC_FREQ_44100)
    encoder.blocks = UInt8(configuration.blocks / 4 - 1)
    encoder.subbands = UInt8(configuration.subbands == 8 ? SBC_SB_8 : SBC_SB_4)
    encoder.allocation = UInt8(configuration.allocatesBySNR ? SBC_AM_SNR : SBC_AM_LOUDNESS)
    encoder.mode =
      switch configuration.channelMode {
      case .mono: UInt8(SBC_MODE_MONO)
      case .dualChannel: UInt8(SBC_MODE_DUAL_CHANNEL)
      case .stereo: UInt8(SBC_MODE_STEREO)
      case .jointStereo: UInt8(SBC_MODE_JOINT_STEREO)
      }
    encoder.bitpool = UInt8(bitpool)
    encoder.endian = UInt8(SBC_LE)
    decoder.endian = UInt8(SBC_LE)
  }

  deinit {
    sbc_finish(&encoder)
    sbc_finish(&decoder)
  }

  /// Encodes the next SBC frame. Returns its bytes, and the sound that libsbc decodes from them.
  package func frame(
    _ sample: (_ frame: Int, _ channel: Int) -> Int16
  ) -> (bytes: [UInt8], sound: [Int16]) {
    let channels = configuration.channels
    let samples = (0..<configuration.framesPerSBCFrame).flatMap { frame in
      (0..<channels).map { sample(frame, $0) }
    }
    var bytes = [UInt8](repeating: 0, count: 512)
    var written = 0
    sbc_encode(&encoder, samples, samples.count * 2, &bytes, bytes.count, &written)
    bytes.removeLast(bytes.count - written)
    var sound = [Int16](repeating: 0, count: samples.count)
    var decoded = 0
    sbc_decode(
      &decoder, bytes + [UInt8](repeating: 0, count: 16), bytes.count, &sound, sound.count * 2,
      &decoded)
    return (bytes, sound)
  }
}

/// Makes an RTP packet with these SBC frames.
package func mediaPacket(
  _ sequence: Int, _ frames: [[UInt8]], count: Int? = nil, sources: Int = 0,
  extension words: Int? = nil,
  padding: Int = 0
) -> [UInt8] {
  var bytes: [UInt8] = [
    UInt8(0x80 | (padding > 0 ? 0x20 : 0) | (words == nil ? 0 : 0x10) | sources), 96,
    UInt8(truncatingIfNeeded: sequence >> 8), UInt8(truncatingIfNeeded: sequence), 0, 0, 0, 0, 0, 0,
    0, 1,
  ]
  bytes += [UInt8](repeating: 7, count: 4 * sources)
  if let words { bytes += [0, 0, 0, UInt8(words)] + [UInt8](repeating: 9, count: 4 * words) }
  bytes.append(UInt8(count ?? frames.count))
  bytes += frames.flatMap { $0 }
  if padding > 0 { bytes += [UInt8](repeating: 0, count: padding - 1) + [UInt8(padding)] }
  return bytes
}
