/// Counts work that gave no sound. A file can consist of data that looks like sound but is not sound. So each search
/// for sound counts its work and stops at a limit.
struct DecodingCost {
  /// Bytes that were examined. If data looks like an Ogg page or a FLAC frame, its bytes can count several times.
  var bytes: Int64 = 0
  /// Samples that were decoded, but did not give sound.
  var samples = 0

  /// After this amount of work a decoder returns to its caller. This work takes a fraction of a second, even on a small
  /// board.
  static let perCall = DecodingCost(bytes: 8 << 20, samples: 1 << 21)
  /// If this amount of work gives no sound, the stream ends. Reading this number of bytes from an SD card takes some
  /// seconds. This number of samples is 25 minutes of CD sound in which each FLAC frame is damaged.
  static let perSearch = DecodingCost(bytes: 64 << 20, samples: 1 << 27)

  /// True if one of the two limits is reached.
  func exceeds(_ limit: DecodingCost) -> Bool { bytes >= limit.bytes || samples >= limit.samples }

  static func += (a: inout DecodingCost, b: DecodingCost) {
    a.bytes += b.bytes
    a.samples += b.samples
  }
}
