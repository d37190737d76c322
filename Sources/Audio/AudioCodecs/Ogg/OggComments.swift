/// The second packet of an Ogg Vorbis or Opus link. It contains the tags. Some tags contain pictures as base64.
struct OggComments {
  private(set) var metadata = AudioMetadata()
  private(set) var damage: [DecodeError] = []

  /// - Parameters:
  ///   - packets: the packets of the link. The next packet must be the second packet.
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
