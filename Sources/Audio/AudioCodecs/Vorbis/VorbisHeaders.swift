internal import CVorbisFile

/// The headers that libvorbisfile gets for a Vorbis link: the identification header of the link, a comment header
/// without tags, and the set-up header of the link. The initialiser checks how much memory the set-up header needs.
///
/// libvorbis gets no tags, because it would need too much memory for them. Until it has read the set-up header, it
/// keeps each tag twice, including pictures. An empty tag takes 4 bytes in the file, and libvorbis allocates 44 bytes
/// for it. ``CommentReader`` reads the tags from the file instead.
struct VorbisHeaders {
  /// The length of the identification header (Vorbis I specification, section 4.2.2).
  private static let identificationBytes = 30

  /// Ogg pages with the three header packets.
  let pages: [UInt8]
  /// Offset of the first page with sound.
  let soundStart: Int64

  init(_ source: any ByteSource, link: OggLink) throws(DecodeError) {
    let start = link.range.lowerBound
    func refusal(_ reason: String, kind: DecodeError.Kind = .other) -> DecodeError {
      DecodeError(.refuseFile, at: .byte(start), reason, kind: kind)
    }
    var packets = OggPacketWalker(source, stream: link.range, serial: link.serial)
    let found: (identification: [UInt8], setup: [UInt8])?
    do {
      found = try Self.read(&packets)
    } catch {
      throw DecodeError(error, .refuseFile)
    }
    guard let (identification, setup) = found, identification.count == Self.identificationBytes
    else {
      throw refusal("the Vorbis headers are cut off or longer than 32 MB")
    }
    guard setup.count <= VorbisSetup.maximumBytes else {
      throw refusal(
        "the set-up header is larger than \(VorbisSetup.maximumBytes >> 20) MB", kind: .tooLarge)
    }
    let stream = VorbisMemory.Stream(identification: identification)
    guard stream.channels <= 8 else {
      throw refusal("\(stream.channels) channels are not supported")
    }
    if let problem = VorbisSetup.problem(setup, stream: stream) { throw refusal(problem.text) }
    soundStart = packets.pageEnd
    // The identification header has its own page. The other two headers follow on the next pages.
    pages = OggPageWriter.pages([[identification], [Self.noTags, setup]], serial: link.serial)
  }

  /// Reads the identification header (first packet) and the set-up header (third packet). Reads at most one byte more
  /// than ``VorbisSetup/maximumBytes``, so that the caller can detect that the header is too large.
  private static func read(_ packets: inout OggPacketWalker) throws(ByteSourceError)
    -> (identification: [UInt8], setup: [UInt8])?
  {
    guard let first = try packets.next(), try packets.next() != nil, let third = try packets.next()
    else { return nil }
    return (
      try first.prefix(at: 0, count: identificationBytes),
      try third.prefix(at: 0, count: Int(min(third.size, Int64(VorbisSetup.maximumBytes + 1))))
    )
  }

  /// A comment header with an empty vendor, no tags and the framing bit (Vorbis I specification, section 5.2).
  private static let noTags = [3] + Array("vorbis".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]
}
