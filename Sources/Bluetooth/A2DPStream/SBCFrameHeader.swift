/// The first bytes of an SBC frame (A2DP 1.4, 12.9).
///
/// libsbc decodes each SBC frame as its header states. So an SBC frame whose header does not match the configuration of
/// the stream is not decoded.
struct SBCFrameHeader {
  /// Number of bytes of a header.
  static let byteCount = 4
  private static let syncWord: UInt8 = 0x9C

  let bitpool: Int

  /// Returns nil if the bytes are not a header that matches the configuration of the stream.
  init?(_ bytes: UnsafeRawBufferPointer, _ configuration: SBCConfiguration) {
    guard bytes.count >= Self.byteCount, bytes[0] == Self.syncWord,
      bytes[1] == configuration.headerFormat
    else { return nil }
    bitpool = Int(bytes[2])
    guard configuration.bitpools.contains(bitpool) else { return nil }
  }

  /// Number of bytes of the SBC frame.
  func length(_ configuration: SBCConfiguration) -> Int {
    // A scale factor has 4 bits, so a byte contains two of them.
    let scaleBytes = configuration.subbands * configuration.channels / 2
    let bits =
      switch configuration.channelMode {
      case .mono, .dualChannel: configuration.blocks * configuration.channels * bitpool
      case .stereo: configuration.blocks * bitpool
      // One bit for each subband tells whether sum and difference are coded in place of left and right.
      case .jointStereo: configuration.subbands + configuration.blocks * bitpool
      }
    return Self.byteCount + scaleBytes + (bits + 7) / 8
  }
}

extension SBCConfiguration {
  /// The second byte of the header of each SBC frame of the stream.
  var headerFormat: UInt8 {
    let rateCode: UInt8 = rate == 48_000 ? 3 : 2
    return rateCode << 6 | UInt8(blocks / 4 - 1) << 4 | channelMode.rawValue << 2
      | (allocatesBySNR ? 2 : 0) | (subbands == 8 ? 1 : 0)
  }
}
