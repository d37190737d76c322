/// The first bytes of an SBC frame (A2DP 1.4, 12.9).
///
/// libsbc obeys the header of each frame. So a frame with another header than that of the stream is not decoded.
struct SBCFrameHeader {
  /// Number of bytes of a header.
  static let byteCount = 4
  private static let syncWord: UInt8 = 0x9C

  let bitpool: Int

  /// Nil if the bytes are no header of the stream.
  init?(_ bytes: UnsafeRawBufferPointer, _ configuration: SBCConfiguration) {
    guard bytes.count >= Self.byteCount, bytes[0] == Self.syncWord,
      bytes[1] == Self.format(of: configuration)
    else { return nil }
    bitpool = Int(bytes[2])
    guard configuration.bitpools.contains(bitpool) else { return nil }
  }

  /// The second byte of each header of the stream.
  private static func format(of configuration: SBCConfiguration) -> UInt8 {
    let rates = [16_000: 0, 32_000: 1, 44_100: 2, 48_000: 3]
    let rate = UInt8(rates[configuration.rate] ?? 0)
    let blocks = UInt8(configuration.blocks / 4 - 1)
    let mode: UInt8 =
      switch configuration.channelMode {
      case .mono: 0
      case .dualChannel: 1
      case .stereo: 2
      case .jointStereo: 3
      }
    return rate << 6 | blocks << 4 | mode << 2 | (configuration.allocatesBySNR ? 2 : 0)
      | (configuration.subbands == 8 ? 1 : 0)
  }

  /// Number of bytes of the frame.
  func length(_ configuration: SBCConfiguration) -> Int {
    // A scale factor has 4 bits.
    let scaleBytes = configuration.subbands * configuration.channels / 2
    let bits =
      switch configuration.channelMode {
      case .mono, .dualChannel: configuration.blocks * configuration.channels * bitpool
      case .stereo: configuration.blocks * bitpool
      // One bit for each subband says whether the sum and the difference are coded.
      case .jointStereo: configuration.subbands + configuration.blocks * bitpool
      }
    return Self.byteCount + scaleBytes + (bits + 7) / 8
  }
}
