/// The first packets of an Ogg Vorbis link, read without libvorbis.
struct OggVorbisHeader {
  let channels: Int
  let sampleRate: Int
  let metadata: AudioMetadata
  let damage: [DecodeError]

  init(_ source: any ByteSource, link: OggLink) throws(DecodeError) {
    let start = link.range.lowerBound
    var packets = OggPacketWalker(source, stream: link.range, serial: link.serial)
    let first: [UInt8]?
    do {
      first = try packets.next()?.prefix(at: 0, count: 30)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
    // The contents (Vorbis I specification, section 4.2.2): 7 bytes of packet header, version,
    // channels, rate.
    guard let first, first.count >= 16 else {
      throw DecodeError(.refuseFile, at: .byte(start), "the Vorbis header is cut off")
    }
    channels = Int(first[11])
    sampleRate = Int(UInt32(littleEndian: first[12...]))
    let tags = try OggComments(&packets, link, marker: [3] + Array("vorbis".utf8))
    metadata = tags.metadata
    damage = tags.damage
  }
}

/// The second packet of an Ogg Vorbis or Opus link: its tags, and pictures as base64 in tags.
struct OggComments {
  private(set) var metadata = AudioMetadata()
  private(set) var damage: [DecodeError] = []

  /// - Parameters:
  ///   - packets: the next packet is the second one.
  ///   - marker: the bytes before the comment block.
  init(_ packets: inout OggPacketWalker, _ link: OggLink, marker: [UInt8]) throws(DecodeError) {
    do {
      try read(&packets, link, marker)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
  }

  private mutating func read(_ packets: inout OggPacketWalker, _ link: OggLink, _ marker: [UInt8])
    throws(ByteSourceError)
  {
    guard let packet = try packets.next(),
      try packet.prefix(at: 0, count: marker.count) == marker
    else { return damaged(link, "the tags cannot be read") }
    let block = try CommentReader.read(packet, range: Int64(marker.count)..<packet.size)
    metadata.comments = block.comments
    damage += block.damage
    for text in block.pictureTexts { try addPicture(packet, text: text, link: link) }
  }

  private mutating func addPicture(_ packet: OggPacket, text: Range<Int64>, link: OggLink)
    throws(ByteSourceError)
  {
    let length = text.upperBound - text.lowerBound
    let bytes = decodeBase64(
      try packet.prefix(
        at: text.lowerBound, count: Int(min(length, Int64(PictureHeader.maximumBytes * 4 / 3)))))
    guard let header = PictureHeader(bytes, blockLength: length * 3 / 4) else {
      return damaged(link, "a picture is damaged")
    }
    metadata.pictures.append(
      PictureReference(
        header,
        location: .oggPacket(
          stream: link.range, serial: link.serial, index: 1, part: text,
          base64Skip: header.dataOffset)))
  }

  private mutating func damaged(_ link: OggLink, _ reason: String) {
    damage.append(DecodeError(.skipPacket, at: .byte(link.range.lowerBound), reason))
  }
}

/// The first packets of an Ogg FLAC stream (RFC 9639, section 10.1), read without libFLAC.
struct OggFLACHeader {
  let streamInfo: FLACStreamInfo?
  var metadata = AudioMetadata()
  var damage: [DecodeError] = []
  /// The place of the first packet after the header packets.
  private(set) var end: FLACPlace

  init(_ source: any ByteSource, link: OggLink) throws(DecodeError) {
    var packets = OggPacketWalker(source, stream: link.range, serial: link.serial)
    let first: [UInt8]?
    do {
      first = try packets.next()?.prefix(at: 0, count: 51)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
    // The contents: 0x7F, "FLAC", the version (2 bytes), the number of header packets (2 bytes),
    // "fLaC", STREAMINFO.
    guard let first, first.count == 51 else {
      throw DecodeError(
        .refuseFile, at: .byte(link.range.lowerBound), "the FLAC header is cut off")
    }
    streamInfo = FLACStreamInfo(Array(first[17...]))
    end = packets.place
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
      end = packets.place
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
