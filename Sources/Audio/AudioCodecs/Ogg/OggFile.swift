/// Ogg pages (RFC 3533) that contain one of the codecs in ``OggCodecs``.
enum OggFile: SignedFormat {
  static let signature = Array("OggS".utf8)

  static func header(_ source: any ByteSource, start: Int64) throws(DecodeError)
    -> AudioFile.Header
  {
    let (link, codec) = try OggLinks.firstPlayable(source, start: start)
    let header = try codec.header(source, link: link)
    var seconds = header.streamInfo?.seconds
    // In a chain, this duration is the duration of one link only, so it is not used. Without a duration, the search for
    // further links is not needed.
    if seconds != nil, OggLinks.isChained(source, after: link) { seconds = nil }
    return AudioFile.Header(
      container: .ogg, codec: codec.codec, metadata: header.metadata,
      streamInfo: header.streamInfo, oggStream: header.stream, damage: header.damage,
      sound: OggSound(start: start, declaredSeconds: seconds))
  }
}

/// The sound of an Ogg file: all its links.
struct OggSound: StoredSound {
  /// The offset of the first page.
  let start: Int64
  /// Nil for Vorbis and Opus, because their headers never contain the duration. The decoder computes the duration from
  /// the end position on the last page, and the start position on the first pages with sound.
  let declaredSeconds: Double?

  func decoder(_ source: any ByteSource, keepsSamples: Bool) throws(DecodeError)
    -> any FileDecoder
  {
    try ChainDecoder(
      source, links: OggLinks(source, start: start), keepsSamples: keepsSamples)
  }
}

extension AudioFile.Container {
  /// Ogg pages.
  public static let ogg = Self(rawValue: "Ogg")
}
