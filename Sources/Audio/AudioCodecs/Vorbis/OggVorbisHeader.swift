internal import CVorbisFile

/// The first packets of an Ogg Vorbis link, read without libvorbis.
struct OggVorbisHeader {
  /// The identification header: the first packet.
  let identification: [UInt8]
  let channels: Int
  let sampleRate: Int
  let metadata: AudioMetadata
  let damage: [DecodeError]
  /// The offset of the first page with sound. Nil if the set-up header is cut off.
  let soundStart: Int64?

  init(_ source: any ByteSource, link: OggLink) throws(DecodeError) {
    let start = link.range.lowerBound
    var packets = OggPacketWalker(source, stream: link.range, serial: link.serial)
    let first: [UInt8]?
    do {
      first = try packets.next()?.prefix(at: 0, count: 30)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
    // The contents (Vorbis I specification, section 4.2.2): 7 bytes of packet header, version, channels, rate.
    guard let first, first.count >= 16 else {
      throw DecodeError(.refuseFile, at: .byte(start), "the Vorbis header is cut off")
    }
    identification = first
    channels = Int(first[11])
    sampleRate = Int(UInt32(littleEndian: first[12...]))
    let tags = try OggComments(&packets, link, marker: [3] + Array("vorbis".utf8))
    metadata = tags.metadata
    damage = tags.damage
    // The set-up header is the third packet. It is the last packet of its page. In most files this page also contains
    // the tags, so the page was already read.
    let setup = try? packets.next()
    soundStart = setup == nil ? nil : packets.pageEnd
  }
}

/// Vorbis in Ogg.
enum OggVorbis: OggCodec {
  static let codec = AudioFile.Codec.vorbis
  static let signature = [1] + Array("vorbis".utf8)

  static func header(_ source: any ByteSource, link: OggLink) throws(DecodeError) -> OggLinkHeader {
    let header = try OggVorbisHeader(source, link: link)
    guard (1...8).contains(header.channels) else {
      throw DecodeError(
        .refuseFile, at: .byte(link.range.lowerBound),
        "\(header.channels) channels are not supported")
    }
    return OggLinkHeader(
      metadata: header.metadata, damage: header.damage,
      stream: header.soundStart.map {
        OggStream(
          serial: link.serial, identification: header.identification,
          soundBytes: source.size - $0)
      })
  }

  static func decoder(_ source: any ByteSource, link: OggLink, keepsSamples: Bool)
    throws(DecodeError) -> any LinkDecoder
  {
    try VorbisDecoder(source, link: link, keepsSamples: keepsSamples)
  }

  static var library: String? { vorbis_version_string().map { String(cString: $0) } }
}

extension AudioFile.Codec {
  /// Lossy (the Vorbis I specification).
  public static let vorbis = Self(rawValue: "Vorbis")
}
