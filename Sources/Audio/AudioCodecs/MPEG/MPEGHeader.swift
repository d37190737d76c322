/// The header of a file with MPEG frames: its tags and its stream.
struct MPEGHeader {
  let stream: MPEGStream
  private(set) var metadata: AudioMetadata
  private(set) var damage: [DecodeError]

  /// The largest number of tags at the start that are read.
  private static let maximumTags = 2
  /// Number of bytes of a RIFF chunk that are searched for the first MPEG frame.
  private static let searchBytes = 64 * 1024

  /// Reads a file with tags before and after the MPEG frames.
  /// - Parameter start: the offset of the first MPEG frame.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  init(_ source: any ByteSource, start: Int64) throws(DecodeError) {
    var (comments, pictures) = (VorbisComments(), [PictureReference]())
    var damage: [DecodeError] = []
    var end = source.size
    do {
      for header in try ID3Tag.Header.all(source).prefix(Self.maximumTags) {
        let tag = try ID3Tag(source, header)
        comments.addMissing(tag.comments)
        pictures += tag.pictures
        damage += tag.damage
      }
      let trailing = try TrailingTags(source, after: start)
      comments.addMissing(trailing.comments)
      pictures += trailing.pictures
      end = trailing.start
    } catch {
      // The tags cannot be read. The MPEG frames are played as far as they can be read.
      damage.append(DecodeError(error, .skipPacket))
    }
    try self.init(
      source, range: start..<end, AudioMetadata(comments: comments, pictures: pictures), damage)
  }

  /// Reads the MPEG frames in a chunk of a WAV file.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  init(
    _ source: any ByteSource, riff range: Range<Int64>, _ metadata: AudioMetadata,
    _ damage: [DecodeError]
  ) throws(DecodeError) {
    let part = ByteSourcePart(source, range: range)
    let first = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try MPEGStream.firstFrame(part, from: 0, limit: Self.searchBytes)
    }
    guard let first else {
      throw DecodeError(.refuseFile, at: .byte(range.lowerBound), "contains no MPEG frame")
    }
    try self.init(source, range: range.lowerBound + first..<range.upperBound, metadata, damage)
  }

  private init(
    _ source: any ByteSource, range: Range<Int64>, _ metadata: AudioMetadata,
    _ damage: [DecodeError]
  ) throws(DecodeError) {
    stream = try MPEGStream(source, range: range, comments: metadata.comments)
    self.metadata = metadata
    self.metadata.comments.add(stream.info)
    self.damage = damage
    if stream.isCut {
      self.damage.append(
        DecodeError(
          .skipPacket, at: .byte(range.upperBound), "the end of the file is missing",
          kind: .missingData))
    }
  }
}
