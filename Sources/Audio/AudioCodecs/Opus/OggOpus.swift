internal import COpusFile

/// The first packets of an Ogg Opus link (RFC 7845, section 5), read without libopus.
struct OggOpusHeader {
  /// The identification header: the first packet.
  let identification: [UInt8]
  let channels: Int
  let metadata: AudioMetadata
  let damage: [DecodeError]
  /// The offset of the first page with sound.
  let soundStart: Int64

  /// The size of the largest identification header: 19 bytes, two bytes with the numbers of streams, and a table with
  /// one byte for each of 255 channels.
  private static let maximumBytes = 19 + 2 + 255

  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the link cannot be played.
  init(_ source: any ByteSource, link: OggLink) throws(DecodeError) {
    func refusal(_ reason: String) -> DecodeError {
      DecodeError(.refuseFile, at: .byte(link.range.lowerBound), reason)
    }
    var packets = OggPacketWalker(source, stream: link.range, serial: link.serial)
    let first: [UInt8]?
    do {
      first = try packets.next()?.prefix(at: 0, count: Self.maximumBytes)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
    // The contents: "OpusHead", version, channels, pre-skip (2 bytes), rate of the input (4), gain (2), mapping family.
    guard let first, first.count >= 19 else { throw refusal("the Opus header is cut off") }
    guard first[8] < 16 else { throw refusal("an unknown version of Opus") }
    identification = first
    channels = Int(first[9])
    // Family 0 is mono or stereo. Family 1 has the channel layouts of Vorbis. The other families do not state a
    // loudspeaker for each channel.
    switch first[18] {
    case 0 where (1...2).contains(channels), 1 where (1...8).contains(channels): break
    case 0, 1: throw refusal("\(channels) channels are not supported")
    default: throw refusal("the channels of Opus family \(first[18]) are not supported")
    }
    let tags = try OggComments(&packets, link, marker: Array("OpusTags".utf8))
    metadata = tags.metadata
    damage = tags.damage
    soundStart = packets.pageEnd
  }

  /// Ogg pages for libopusfile, with the identification header and a comment header without tags.
  func pages(serial: Int32) -> [UInt8] {
    let noTags = Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)
    return OggPageWriter.pages([[identification], [noTags]], serial: serial)
  }
}

/// Opus in Ogg.
enum OggOpus: OggCodec {
  static let codec = AudioFile.Codec.opus
  static let signature = Array("OpusHead".utf8)

  static func header(_ source: any ByteSource, link: OggLink) throws(DecodeError) -> OggLinkHeader {
    let header = try OggOpusHeader(source, link: link)
    return OggLinkHeader(
      metadata: header.metadata, damage: header.damage,
      stream: OggStream(
        serial: link.serial, identification: header.identification,
        soundBytes: source.size - header.soundStart))
  }

  static func decoder(_ source: any ByteSource, link: OggLink, keepsSamples: Bool)
    throws(DecodeError) -> any LinkDecoder
  {
    try OpusDecoder(source, link: link, keepsSamples: keepsSamples)
  }

  static var library: String? { opus_get_version_string().map { String(cString: $0) } }
}

extension AudioFile.Codec {
  /// Lossy (RFC 6716), in Ogg (RFC 7845).
  public static let opus = Self(rawValue: "Opus")
}
