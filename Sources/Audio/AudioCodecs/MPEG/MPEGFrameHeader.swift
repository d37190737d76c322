/// The first four bytes of an MPEG frame (ISO/IEC 11172-3, section 2.4.2.3; ISO/IEC 13818-3, section 2.4.2.3).
struct MPEGFrameHeader: Equatable {
  /// The version of the format. MPEG 2.5 is an extension for low rates. No standard defines it.
  enum Version: Equatable {
    case mpeg1
    case mpeg2
    case mpeg25
  }

  static let bytes = 4
  /// The size of the largest MPEG frame: layer II with 160 kbit/s at 8000 Hz, and one byte of padding.
  static let maximumFrameBytes = 2881

  let version: Version
  /// 1 … 3.
  let layer: Int
  /// In bits per second. 0 in free format, in which the header does not contain the bit rate.
  let bitRate: Int
  let sampleRate: Int
  let channels: Int
  let hasChecksum: Bool
  private let isPadded: Bool

  /// - Parameter bytes: four bytes or more.
  /// - Returns: nil if the bytes are not the header of an MPEG frame.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    guard bytes.count >= Self.bytes else { return nil }
    var bytes = bytes.makeIterator()
    let word = (0..<4).reduce(UInt32(0)) { word, _ in word << 8 | UInt32(bytes.next()!) }
    self.init(word: word)
  }

  /// Reads the header at an offset. Nil if there is no header.
  init?(_ source: any ByteSource, at offset: Int64) throws(ByteSourceError) {
    self.init(try source.prefix(at: offset, count: Self.bytes))
  }

  init?(word: UInt32) {
    guard word & 0xFFE0_0000 == 0xFFE0_0000 else { return nil }
    switch word >> 19 & 3 {
    case 0: version = .mpeg25
    case 2: version = .mpeg2
    case 3: version = .mpeg1
    default: return nil
    }
    layer = 4 - Int(word >> 17 & 3)
    let rate = Int(word >> 12 & 15)
    let frequency = Int(word >> 10 & 3)
    // The emphasis 2 is reserved. This check makes it less probable that other data looks like a header.
    guard layer < 4, rate < 15, frequency < 3, word & 3 != 2 else { return nil }
    let divisor = version == .mpeg1 ? 1 : version == .mpeg2 ? 2 : 4
    sampleRate = [44_100, 48_000, 32_000][frequency] / divisor
    bitRate = 1000 * Self.kilobits(version, layer)[rate]
    isPadded = word >> 9 & 1 == 1
    hasChecksum = word >> 16 & 1 == 0
    channels = word >> 6 & 3 == 3 ? 1 : 2
  }

  private static func kilobits(_ version: Version, _ layer: Int) -> [Int] {
    switch (version, layer) {
    case (.mpeg1, 1):
      [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (.mpeg1, 2):
      [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (.mpeg1, _):
      [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (_, 1):
      [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    default:
      [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }

  /// Number of frames of sound in the MPEG frame.
  var frameCount: Int {
    switch layer {
    case 1: 384
    case 2: 1152
    default: version == .mpeg1 ? 1152 : 576
    }
  }

  /// The unit of ``byteCount``: layer I counts in slots of four bytes.
  private var slotBytes: Int { layer == 1 ? 4 : 1 }

  /// Number of bytes of the MPEG frame with its header. An MPEG frame lasts `frameCount / sampleRate` seconds, so it
  /// has `frameCount / sampleRate * bitRate / 8` bytes, rounded down to whole slots. A padded MPEG frame has one slot
  /// more.
  var byteCount: Int { byteCount(bitRate: bitRate, isPadded: isPadded) }

  private func byteCount(bitRate: Int, isPadded: Bool) -> Int {
    (frameCount / 8 * bitRate / sampleRate / slotBytes + (isPadded ? 1 : 0)) * slotBytes
  }

  /// The range of ``byteCount`` over all MPEG frames that this stream can contain.
  var possibleByteCounts: ClosedRange<Int> {
    let rates = Self.kilobits(version, layer)
    return byteCount(
      bitRate: 1000 * rates[1], isPadded: false)...byteCount(
        bitRate: 1000 * rates[rates.count - 1], isPadded: true)
  }

  /// True if both headers can belong to the same stream: equal version, layer and rate.
  func isCompatible(with other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRate == other.sampleRate
  }

  /// Number of bytes of the side information of layer III, which follows the header.
  var sideInformationBytes: Int {
    switch (version, channels) {
    case (.mpeg1, 1): 17
    case (.mpeg1, _): 32
    case (_, 1): 9
    default: 17
    }
  }

  /// For example `MPEG 1 layer III`.
  var name: String {
    let number =
      switch version {
      case .mpeg1: "1"
      case .mpeg2: "2"
      case .mpeg25: "2.5"
      }
    return "MPEG \(number) layer \(String(repeating: "I", count: layer))"
  }
}
