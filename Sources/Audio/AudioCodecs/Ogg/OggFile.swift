/// Ogg pages (RFC 3533), with one of the codecs in ``OggCodecs`` in them.
enum OggFile: SignedFormat {
  static let signature = Array("OggS".utf8)

  static func header(_ source: any ByteSource, start: Int64) throws(DecodeError)
    -> AudioFile.Header
  {
    let (link, codec) = try OggLinks.firstPlayable(source, start: start)
    let header = try codec.header(source, link: link)
    var seconds = header.streamInfo?.seconds
    // In a chain this number of frames belongs to one link only. Without the number, the other links are not searched.
    if seconds != nil, OggLinks.isChained(source, after: link) { seconds = nil }
    return AudioFile.Header(
      container: .ogg, codec: codec.codec, metadata: header.metadata,
      streamInfo: header.streamInfo, oggStream: header.stream, damage: header.damage,
      sound: OggSound(start: start, declaredSeconds: seconds))
  }
}

/// The links of an Ogg file.
struct OggSound: StoredSound {
  /// The offset of the first page.
  let start: Int64
  /// The headers of Vorbis and Opus never contain the duration. To compute it, the decoder needs the end position from
  /// the last page, and the start position from the first pages with sound.
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
