import Testing

@testable import A2DPStream

@Suite struct SBCConfigurationTests {
  private func refusal(_ bytes: [UInt8]) -> SBCConfiguration.Refusal? {
    do throws(SBCConfiguration.Refusal) {
      _ = try SBCConfiguration(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func usualConfiguration_isRead() throws {
    let usual = try SBCConfiguration([0x21, 0x15, 2, 53])
    #expect(usual.rate == 44_100 && usual.channelMode == .jointStereo && usual.channels == 2)
    #expect(usual.blocks == 16 && usual.subbands == 8 && !usual.allocatesBySNR)
    #expect(usual.bitpools == 2...53 && usual.framesPerSBCFrame == 128)
    let other = try SBCConfiguration([0x18, 0x8A, 10, 20])
    #expect(other.rate == 48_000 && other.channelMode == .mono && other.channels == 1)
    #expect(other.blocks == 4 && other.subbands == 4 && other.allocatesBySNR)
  }

  /// Tests all 2^16 values of the first two bytes. A value is accepted if exactly one bit is set in each field, and if
  /// the unit offers this bit. All other values are refused.
  @Test func eachField_hasExactlyOneBitThatWasOffered() {
    var accepted = 0
    for value in 0...0xFFFF {
      let bytes = [UInt8(value >> 8), UInt8(value & 0xFF), 2, 53]
      let fields = [
        bytes[0] >> 4, bytes[0] & 15, bytes[1] >> 4, bytes[1] >> 2 & 3, bytes[1] & 3,
      ]
      let isValid = fields.allSatisfy { $0.nonzeroBitCount == 1 } && fields[0] <= 2
      #expect((refusal(bytes) == nil) == isValid, "\(bytes)")
      accepted += isValid ? 1 : 0
    }
    #expect(accepted == 2 * 4 * 4 * 2 * 2)
  }

  @Test(
    arguments: [
      ([], .length), ([0x21, 0x15, 2], .length), ([0x21, 0x15, 2, 53, 0], .length),
      ([0x01, 0x15, 2, 53], .rate), ([0x81, 0x15, 2, 53], .rate), ([0x31, 0x15, 2, 53], .rate),
      ([0x20, 0x15, 2, 53], .channelMode), ([0x23, 0x15, 2, 53], .channelMode),
      ([0x21, 0x05, 2, 53], .blocks), ([0x21, 0x35, 2, 53], .blocks),
      ([0x21, 0x11, 2, 53], .subbands), ([0x21, 0x14, 2, 53], .allocation),
      ([0x21, 0x15, 1, 53], .bitpools), ([0x21, 0x15, 2, 54], .bitpools),
      ([0x21, 0x15, 30, 20], .bitpools), ([0x21, 0x15, 0, 0], .bitpools),
    ] as [([UInt8], SBCConfiguration.Refusal)])
  func wrongField_isRefused(_ bytes: [UInt8], _ expected: SBCConfiguration.Refusal) {
    #expect(refusal(bytes) == expected)
  }

  @Test(
    arguments: [
      ([0xFF, 0xFF, 2, 250], [0x21, 0x15, 2, 53]), ([0x3F, 0xFF, 2, 53], [0x21, 0x15, 2, 53]),
      ([0x18, 0x8A, 8, 30], [0x18, 0x8A, 8, 30]), ([0xC1, 0xFF, 2, 53], nil),
      ([0x21, 0x15, 60, 250], nil), ([0x21, 0xF0, 2, 53], nil), ([0x21, 0x15, 2], nil),
    ] as [([UInt8], [UInt8]?)])
  func best_isWithinWhatBothOffer(_ offered: [UInt8], _ best: [UInt8]?) {
    #expect(SBCConfiguration.best(of: offered) == best)
    if let best { #expect(refusal(best) == nil) }
  }
}
