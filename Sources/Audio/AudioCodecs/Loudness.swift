/// Loudness of a track and its album, from ReplayGain 2.0 or R128 tags.
public struct Loudness: Equatable, Sendable {
  /// Gain in dB that brings the track to ReplayGain's reference of −18 LUFS.
  public var trackGain: Double?
  /// Highest sample of the track; 1 is full scale.
  public var trackPeak: Double?
  /// Gain in dB that brings the album to the same reference.
  public var albumGain: Double?
  /// Highest sample of the album; 1 is full scale.
  public var albumPeak: Double?

  /// Creates a loudness without values.
  public init() {}

  /// Reads the tags. If both a ReplayGain tag and an R128 tag exist, the ReplayGain tag is used.
  public init(_ comments: VorbisComments) {
    trackGain = Self.decibels(comments.first("REPLAYGAIN_TRACK_GAIN"))
    albumGain = Self.decibels(comments.first("REPLAYGAIN_ALBUM_GAIN"))
    trackPeak = Self.peak(comments.first("REPLAYGAIN_TRACK_PEAK"))
    albumPeak = Self.peak(comments.first("REPLAYGAIN_ALBUM_PEAK"))
    trackGain = trackGain ?? Self.r128(comments.first("R128_TRACK_GAIN"))
    albumGain = albumGain ?? Self.r128(comments.first("R128_ALBUM_GAIN"))
  }

  /// A gain outside this range is wrong, and could damage ears and loudspeakers.
  private static let plausibleDecibels = -60.0...60.0

  private static func number(_ text: some StringProtocol) -> Double? {
    let cleaned = String(text.map { $0 == "," ? "." : $0 }.drop { $0 == " " || $0 == "+" })
    guard let value = Double(cleaned), value.isFinite else { return nil }
    return value
  }

  private static func decibels(_ text: String?) -> Double? {
    guard var text = text?.lowercased()[...] else { return nil }
    while text.last == " " { text.removeLast() }
    if text.hasSuffix("db") { text = text.dropLast(2) }
    while text.last == " " { text.removeLast() }
    guard let value = number(text), plausibleDecibels.contains(value) else { return nil }
    return value
  }

  private static func peak(_ text: String?) -> Double? {
    guard let text, let value = number(text), value > 0, value < 1000 else { return nil }
    return value
  }

  /// The gain of an R128 tag (RFC 7845, section 5.2.1). The tag contains decibels as a fixed-point number with 8
  /// fractional bits (Q7.8), for a reference of −23 LUFS. The reference of ReplayGain is −18 LUFS, so 5 dB are added.
  private static func r128(_ text: String?) -> Double? {
    guard let text, let value = Int16(text) else { return nil }
    let gain = Double(value) / 256 + 5
    return plausibleDecibels.contains(gain) ? gain : nil
  }
}
