/// The first packets of an Ogg FLAC stream (RFC 9639, section 10.1), read without libFLAC.
struct OggFLACHeader {
  let streamInfo: FLACStreamInfo?
  var metadata = AudioMetadata()
  var damage: [DecodeError] = []
  /// The offset of the first packet after the header packets.
  private(set) var end: FLACOffset

  init(_ source: any ByteSource, link: OggLink) throws(DecodeError) {
    var packets = OggPacketWalker(source, stream: link.range, serial: link.serial)
    let first: [UInt8]?
    do {
      first = try packets.next()?.prefix(at: 0, count: 51)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
    // The contents: 0x7F, "FLAC", the version (2 bytes), the number of header packets (2 bytes), "fLaC", STREAMINFO.
    guard let first, first.count == 51 else {
      throw DecodeError(
        .refuseFile, at: .byte(link.range.lowerBound), "the FLAC header is cut off")
    }
    streamInfo = FLACStreamInfo(Array(first[17...]))
    end = packets.offset
    guard first[13] & 0x80 == 0 else { return }
    do {
      try readBlocks(&packets, link)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
  }

  private mutating func readBlocks(_ packets: inout OggPacketWalker, _ link: OggLink)
    throws(ByteSourceError)
  {
    for index in 1...FLACMetadata.maximumBlocks {
      guard let packet = try packets.next() else { return }
      let head = try packet.prefix(at: 0, count: 4)
      guard head.count == 4, head[0] != 0xFF else { return }
      end = packets.offset
      switch head[0] & 0x7F {
      case 4:
        let block = try CommentReader.read(packet, range: 4..<packet.size)
        if metadata.comments.entries.isEmpty { metadata.comments = block.comments }
        damage += block.damage
      case 6 where metadata.pictures.count < PictureReference.maximumPerStream:
        try addPicture(packet, index: index, link: link)
      default: break
      }
      if head[0] & 0x80 != 0 { return }
    }
  }

  private mutating func addPicture(_ packet: OggPacket, index: Int, link: OggLink)
    throws(ByteSourceError)
  {
    let bytes = try packet.prefix(at: 4, count: PictureHeader.maximumBytes)
    guard let header = PictureHeader(bytes, blockLength: packet.size - 4) else {
      damage.append(
        DecodeError(.skipPacket, at: .byte(link.range.lowerBound), "a picture is damaged"))
      return
    }
    let data = Int64(4 + header.dataOffset)
    metadata.pictures.append(
      PictureReference(
        header,
        location: .oggPacket(
          stream: link.range, serial: link.serial, index: index,
          part: data..<data + Int64(header.byteCount), base64Skip: nil)))
  }
}

/// FLAC in Ogg.
enum OggFLAC: OggCodec {
  static let codec = AudioFile.Codec.flac
  static let signature = [0x7F] + Array("FLAC".utf8)

  static func header(_ source: any ByteSource, link: OggLink) throws(DecodeError) -> OggLinkHeader {
    let header = try OggFLACHeader(source, link: link)
    return OggLinkHeader(
      metadata: header.metadata, damage: header.damage, streamInfo: header.streamInfo)
  }

  static func decoder(_ source: any ByteSource, link: OggLink, keepsSamples: Bool)
    throws(DecodeError) -> any LinkDecoder
  {
    try FLACDecoder(source, link: link, keepsSamples: keepsSamples)
  }

  static var library: String? { LibFLAC.version }
}

extension FLACDecoder {
  /// Opens a link of an Ogg file.
  convenience init(_ source: any ByteSource, link: OggLink, keepsSamples: Bool) throws(DecodeError)
  {
    let header = try OggFLACHeader(source, link: link)
    // The pages that begin streams must be skipped, even if the header packets seem to end earlier.
    let start = max(header.end, FLACOffset(byte: link.contentStart))
    let input = OggFLACInput(source, range: link.range, start: start, serial: link.serial)
    // The header of a recorded broadcast does not contain the total number of frames. The last page contains this
    // number (RFC 9639, section 10.1).
    var last: OggPageReader.Page?
    if header.streamInfo?.totalFrames ?? 0 == 0 {
      last = try? OggPageReader.lastPage(of: link.serial, source, range: link.range)
    }
    try self.init(
      input, streamInfo: header.streamInfo, channelMask: header.metadata.comments.channelMask,
      keepsSamples: keepsSamples,
      endPosition: last.map { min($0.granulePosition, FrameTimes.maximumPosition) })
  }
}
