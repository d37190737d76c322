/// Work that brought no sound. Files may be made of what looks like sound and is none, so whoever
/// looks for some counts what that costs, and stops.
struct DecodingCost {
  /// Bytes that were looked at. What looks like a page or a frame may count several times.
  var bytes: Int64 = 0
  /// Samples that were decoded in vain.
  var samples = 0

  /// After this much a decoder comes back to its caller: a fraction of a second, also on a small
  /// board.
  static let perCall = DecodingCost(bytes: 8 << 20, samples: 1 << 21)
  /// After this much without any sound a stream is over: some seconds of an SD card, or half an
  /// hour of stereo in which every frame is damaged.
  static let perSearch = DecodingCost(bytes: 64 << 20, samples: 1 << 27)

  /// Whether either is used up.
  func exceeds(_ limit: DecodingCost) -> Bool { bytes >= limit.bytes || samples >= limit.samples }

  static func += (a: inout DecodingCost, b: DecodingCost) {
    a.bytes += b.bytes
    a.samples += b.samples
  }
}
