/// A packet of an A2DP stream: an RTP header (RFC 3550), the header of the SBC payload (A2DP 1.4, 4.3.4), and SBC
/// frames.
struct MediaPacket: Equatable {
  /// The reason why a packet cannot be used.
  enum Damage: Error, Equatable {
    /// The packet ends before its first SBC frame.
    case short
    /// The packet is not of RTP version 2.
    case version
    /// The packet contains only a part of an SBC frame. This occurs only if an SBC frame is longer than a packet.
    case fragment
    /// The header states that the packet contains no SBC frame.
    case empty
  }

  private static let headerBytes = 12
  /// Maximum number of SBC frames in a packet. The number has four bits in the header.
  static let mostFrames = 15

  /// The sequence number of the packet in the stream, modulo 2^16.
  let sequence: UInt16
  /// Number of SBC frames, 1 to ``mostFrames``.
  let frameCount: Int
  /// The range of the bytes that contain the SBC frames.
  let frames: Range<Int>

  init(_ bytes: UnsafeRawBufferPointer) throws(Damage) {
    guard bytes.count > Self.headerBytes else { throw .short }
    guard bytes[0] >> 6 == 2 else { throw .version }
    var start = Self.headerBytes + 4 * Int(bytes[0] & 15)
    if bytes[0] & 0x10 != 0 {
      // The extension has a header of 4 bytes, which contains the number of 32-bit words that follow.
      guard start + 4 <= bytes.count else { throw .short }
      start += 4 + 4 * (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
    }
    var end = bytes.count
    // The last byte of the padding contains the number of padding bytes.
    if bytes[0] & 0x20 != 0 { end -= Int(bytes[end - 1]) }
    guard start + 1 < end else { throw .short }
    if bytes[start] & 0x80 != 0 { throw .fragment }
    frameCount = Int(bytes[start]) & Self.mostFrames
    guard frameCount > 0 else { throw .empty }
    sequence = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    frames = start + 1..<end
  }
}
