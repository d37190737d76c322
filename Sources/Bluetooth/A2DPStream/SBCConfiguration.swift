/// How a phone codes the sound of a stream: the four bytes that A2DP exchanges for SBC (A2DP 1.4, 4.3.2).
package struct SBCConfiguration: Equatable, Sendable {
  /// How the channels are coded. The raw values are the numbers in the header of an SBC frame.
  package enum ChannelMode: UInt8, Sendable {
    case mono, dualChannel, stereo, jointStereo
  }

  /// The reason why a configuration is refused. BlueZ does not check a configuration, so each field is checked here.
  package enum Refusal: Error, Equatable {
    /// The configuration does not have four bytes.
    case length
    /// In a field, no bit is set, several bits are set, or a bit that was not offered is set.
    case rate, channelMode, blocks, subbands, allocation
    /// The smallest bitpool is greater than the largest, or a bitpool is outside of the offered range.
    case bitpools
  }

  /// Frames per second.
  package let rate: Int
  package let channelMode: ChannelMode
  /// Number of blocks of an SBC frame.
  package let blocks: Int
  /// Number of subbands.
  package let subbands: Int
  /// True if the bits are allocated by the ratio of signal and noise, false if by loudness.
  package let allocatesBySNR: Bool
  /// The range of the bitpools that SBC frames of the stream can have.
  package let bitpools: ClosedRange<Int>

  /// Number of channels.
  package var channels: Int { channelMode == .mono ? 1 : 2 }

  /// Number of frames of sound in an SBC frame.
  package var framesPerSBCFrame: Int { blocks * subbands }

  /// What the unit offers: 44.1 and 48 kHz, as A2DP requires of a sink, and all other values of SBC. The largest
  /// bitpool is the value that A2DP recommends for high quality.
  package static let capabilities: [UInt8] = [0x3F, 0xFF, 2, 53]

  /// Reads the configuration of a stream.
  package init(_ bytes: [UInt8]) throws(Refusal) {
    guard bytes.count == 4 else { throw .length }
    rate = try Self.value(bytes[0] >> 4, [16_000, 32_000, 44_100, 48_000], .rate)
    guard rate >= 44_100 else { throw .rate }
    channelMode = try Self.value(
      bytes[0] & 15, [.mono, .dualChannel, .stereo, .jointStereo], .channelMode)
    blocks = try Self.value(bytes[1] >> 4, [4, 8, 12, 16], .blocks)
    subbands = try Self.value(bytes[1] >> 2 & 3, [4, 8], .subbands)
    allocatesBySNR = try Self.value(bytes[1] & 3, [true, false], .allocation)
    let (least, greatest) = (Int(bytes[2]), Int(bytes[3]))
    guard Self.capabilities[2] <= bytes[2], least <= greatest, bytes[3] <= Self.capabilities[3]
    else { throw .bitpools }
    bitpools = least...greatest
  }

  /// Returns the value whose bit is set in a field. The first value belongs to the highest bit.
  private static func value<Value>(
    _ field: UInt8, _ values: [Value], _ refusal: Refusal
  ) throws(Refusal) -> Value {
    let index = values.count - 1 - field.trailingZeroBitCount
    guard field.nonzeroBitCount == 1, values.indices.contains(index) else { throw refusal }
    return values[index]
  }

  /// The configuration that the unit chooses if it opens the stream itself: the best configuration among those that the
  /// phone offers. Nil if the phone offers nothing that the unit accepts.
  package static func best(of offered: [UInt8]) -> [UInt8]? {
    guard offered.count == 4 else { return nil }
    let (common0, common1) = (offered[0] & capabilities[0], offered[1] & capabilities[1])
    // Most music has 44.1 kHz. Joint stereo needs the fewest bits. The largest numbers of blocks and subbands, and
    // allocation by loudness, sound best.
    guard let rate = first([0x20, 0x10], in: common0), let mode = first([1, 2, 4, 8], in: common0),
      let blocks = first([0x10, 0x20, 0x40, 0x80], in: common1),
      let subbands = first([4, 8], in: common1), let allocation = first([1, 2], in: common1)
    else { return nil }
    let least = max(offered[2], capabilities[2])
    let greatest = min(offered[3], capabilities[3])
    guard least <= greatest else { return nil }
    return [rate | mode, blocks | subbands | allocation, least, greatest]
  }

  private static func first(_ bits: [UInt8], in field: UInt8) -> UInt8? {
    bits.first { field & $0 != 0 }
  }
}
