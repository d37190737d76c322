internal import CMPG123

/// MPEG frames, with tags before and after them.
enum MPEGFile: FileFormat {
  /// The version of the API, because libmpg123 before 1.32 does not state the version of the library.
  static var library: String? { "libmpg123 with API \(MPG123_API_VERSION)" }

  static func begins(_ head: [UInt8], at start: Int64, _ source: any ByteSource)
    throws(ByteSourceError) -> Bool
  {
    try MPEGStream.isStart(source, start)
  }

  static func search(_ head: [UInt8], from start: Int64, _ source: any ByteSource)
    throws(ByteSourceError) -> Int64?
  {
    try MPEGStream.firstFrame(source, from: start, limit: FormatDetection.searchBytes)
  }

  static func isMost(_ source: any ByteSource, from start: Int64, first: Int64)
    throws(ByteSourceError) -> Bool
  {
    guard let header = try MPEGFrameHeader(source, at: first) else { return false }
    let range = start..<(try TrailingTags(source, after: start).start)
    return try FrameSamples.areMost(of: range, source) { header.frameBytes(in: $0) }
  }

  static func header(_ source: any ByteSource, start: Int64) throws(DecodeError)
    -> AudioFile.Header
  {
    try MPEGHeader(source, start: start).header(.mpeg)
  }
}

extension MPEGHeader {
  func header(_ container: AudioFile.Container) -> AudioFile.Header {
    AudioFile.Header(
      container: container, codec: [.mp1, .mp2, .mp3][stream.first.layer - 1],
      metadata: metadata, mpegSound: stream.sound, damage: damage, sound: stream)
  }
}

extension MPEGStream: StoredSound {
  /// Nil if the encoder has not stored the number of frames.
  var declaredSeconds: Double? {
    statedTotal.map { Double(frameCount(total: $0)) / Double(first.sampleRate) }
  }

  func decoder(_ source: any ByteSource, keepsSamples: Bool) throws(DecodeError)
    -> any FileDecoder
  {
    try MPEGDecoder(source, self, keepsSamples: keepsSamples)
  }
}

extension AudioFile.Container {
  /// MPEG frames.
  public static let mpeg = Self(rawValue: "MPEG")
}

extension AudioFile.Codec {
  /// MPEG audio layer I (ISO/IEC 11172-3).
  public static let mp1 = Self(rawValue: "MP1")
  /// MPEG audio layer II.
  public static let mp2 = Self(rawValue: "MP2")
  /// MPEG audio layer III.
  public static let mp3 = Self(rawValue: "MP3")
}
