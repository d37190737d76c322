/// Native FLAC: metadata blocks, then FLAC frames (RFC 9639, section 6).
enum FLACFile: SignedFormat {
  static let signature = Array("fLaC".utf8)

  static func header(_ source: any ByteSource, start: Int64) throws(DecodeError)
    -> AudioFile.Header
  {
    let blocks = try FLACMetadata(source, start: start)
    return AudioFile.Header(
      container: .flac, codec: .flac, metadata: blocks.metadata, streamInfo: blocks.streamInfo,
      damage: blocks.damage,
      sound: FLACSound(
        start: blocks.end, streamInfo: blocks.streamInfo,
        channelMask: blocks.metadata.comments.channelMask))
  }
}

/// FLAC frames in a file without `fLaC` and without metadata blocks.
enum FLACFrames: FileFormat {
  static func begins(_ head: [UInt8], at start: Int64, _ source: any ByteSource) -> Bool { false }

  static func search(_ head: [UInt8], from start: Int64, _ source: any ByteSource) -> Int64? {
    FLACFrameHeader.firstIndex(in: head).map { start + Int64($0) }
  }

  static func isMost(_ source: any ByteSource, from start: Int64, first: Int64)
    throws(ByteSourceError) -> Bool
  {
    let head = try source.prefix(at: first, count: FLACFrameHeader.maximumBytes)
    guard let header = head.withUnsafeBytes({ FLACFrameHeader($0) }) else { return false }
    let range = start..<max(start, ID3v1.endOfSound(source))
    return try FrameSamples.areMost(of: range, source) { header.frameBytes(in: $0) }
  }

  static func header(_ source: any ByteSource, start: Int64) -> AudioFile.Header {
    AudioFile.Header(
      container: .flac, codec: .flac, metadata: AudioMetadata(),
      damage: [DecodeError(.skipPacket, at: .byte(start), "FLAC frames without STREAMINFO")],
      sound: FLACSound(start: start, streamInfo: nil, channelMask: nil))
  }
}

/// The FLAC frames of a native FLAC file.
struct FLACSound: StoredSound {
  /// The offset of the first FLAC frame.
  let start: Int64
  let streamInfo: FLACStreamInfo?
  let channelMask: UInt32?

  var declaredSeconds: Double? { streamInfo?.seconds }

  func decoder(_ source: any ByteSource, keepsSamples: Bool) throws(DecodeError)
    -> any FileDecoder
  {
    // The end of the sound is computed here and not with the header, because only playback needs it. Otherwise a scan
    // would read each file at two offsets.
    let end = max(start, ID3v1.endOfSound(source))
    return try FLACDecoder(
      FLACFileInput(source, range: start..<end), streamInfo: streamInfo, channelMask: channelMask,
      keepsSamples: keepsSamples)
  }
}

extension FLACStreamInfo {
  /// Duration in seconds. Nil if STREAMINFO does not contain it.
  var seconds: Double? {
    totalFrames > 0 && sampleRate > 0 ? Double(totalFrames) / Double(sampleRate) : nil
  }
}

extension AudioFile.Container {
  /// Native FLAC.
  public static let flac = Self(rawValue: "FLAC")
}

extension AudioFile.Codec {
  /// Lossless, 4 … 32 bits (RFC 9639).
  public static let flac = Self(rawValue: "FLAC")
}
