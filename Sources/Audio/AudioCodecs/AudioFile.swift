/// A file that can be played, with its header and a decoder for its sound.
public struct AudioFile {
  /// The container: how the coded data is wrapped. Each file format defines its containers as constants.
  public struct Container: RawRepresentable, Hashable, Sendable {
    /// The name, for display.
    public let rawValue: String

    /// Creates a container with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The codec: how the sound is coded. Each file format defines its codecs as constants.
  public struct Codec: RawRepresentable, Hashable, Sendable {
    /// The name, for display.
    public let rawValue: String

    /// Creates a codec with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The content of a file's header, read without decoding sound.
  public struct Header {
    /// How the coded data is wrapped.
    public let container: Container
    /// How the sound is coded.
    public let codec: Codec
    /// Tags and pictures. For a chain, the tags and pictures of the first playable link.
    public let metadata: AudioMetadata
    /// STREAMINFO, if the codec is FLAC and the file has this block.
    public var streamInfo: FLACStreamInfo?
    /// The Ogg stream that contains the sound. Nil for files that are not Ogg, for FLAC in Ogg, and if the headers of
    /// the codec are cut off.
    public var oggStream: OggStream?
    /// The sound of a file with MPEG frames. Nil for other files.
    public var mpegSound: MPEGSound?
    /// Damage in the header. The file can often be played despite this damage.
    public let damage: [DecodeError]
    let sound: any StoredSound

    /// Duration in seconds that the header states, for lists of songs. Nil if the header does not state it, or if the
    /// file has several links.
    public var declaredSeconds: Double? { sound.declaredSeconds }
  }

  /// The content of the header.
  public let header: Header
  private let fileDecoder: any FileDecoder
  /// The decoder. It starts at the first frame.
  public var decoder: any AudioDecoder { fileDecoder }
  /// The format of the first frames.
  public let format: StreamFormat
  /// Number of frames in the stream; for a chain, the sum over all links. Nil if the number is known only after the
  /// whole file is decoded.
  public let frameCount: Int64?
  /// Duration of the stream in seconds. Nil if it is known only after the whole file is decoded.
  public let durationSeconds: Double?
  /// Number of playable links that were found when a chained Ogg file was opened. For other files it is 1.
  public let linkCount: Int

  /// The purpose for which a file is opened.
  public enum Purpose: Sendable {
    /// The decoder returns the samples of the frames.
    case play
    /// The decoder only counts frames. For FLAC it also computes the MD5 of the samples.
    case verify
  }

  /// Reads the container, the tags and the locations of the pictures. For most files, at most four reads of the medium
  /// are needed. Together these reads are less than 32 KB.
  /// - Parameter isNamed: false if neither the file name nor a user says that the file is music. Then the file is
  ///   accepted only if most of its bytes are sound, because program files contain bytes that look like sound.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  public static func header(
    _ source: any ByteSource, isNamed: Bool = true
  ) throws(DecodeError) -> Header {
    let source = BufferedByteSource(source)
    let (format, start) = try FormatDetection.detect(source, isNamed: isNamed)
    return try format.header(source, start: start)
  }

  /// Reads the header and starts a decoder.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  public init(_ source: any ByteSource, for purpose: Purpose = .play) throws(DecodeError) {
    header = try Self.header(source)
    let decoder = try header.sound.decoder(source, keepsSamples: purpose == .play)
    fileDecoder = decoder
    format = decoder.format
    frameCount = decoder.frameCount
    durationSeconds = decoder.frameCount.map { decoder.seconds(atFrame: $0) }
    linkCount = decoder.linkCount
  }

  /// True if the MD5 of the decoded samples is equal to the MD5 in STREAMINFO. Nil if STREAMINFO contains no MD5, or if
  /// the MD5 of the samples cannot be computed because of damage. Call this only after the whole file was decoded with
  /// ``Purpose/verify``. The call ends the stream.
  public func checkMD5() -> Bool? { fileDecoder.checkMD5() }

  /// The bytes of a picture, as a source that reads them from the file piece by piece. The picture is never in memory
  /// as a whole. If the file is damaged, the source can end before ``PictureReference/byteCount``, and its
  /// ``ByteSource/size`` can be larger than the number of bytes that it returns.
  /// - Throws: ``DecodeError/Reaction/skipPacket`` if the picture cannot be found.
  public static func picture(_ picture: PictureReference, in source: any ByteSource)
    throws(DecodeError) -> any ByteSource
  {
    switch picture.location {
    case .file(let range):
      return ByteSourcePart(source, range: range)
    case .unsynchronised(let tag, let start):
      return ByteSourcePart(
        UnsynchronisedByteSource(source, range: tag),
        range: start..<start + Int64(picture.byteCount))
    case .oggPacket(let stream, let serial, let index, let part, let base64Skip):
      var packets = OggPacketWalker(source, stream: stream, serial: serial)
      var packet: OggPacket?
      do {
        for _ in 0...index { packet = try packets.next() }
      } catch {
        throw DecodeError(error, .skipPacket)
      }
      guard let packet else { return MemoryByteSource([]) }
      let bytes = ByteSourcePart(packet, range: part)
      guard let base64Skip else { return bytes }
      let start = Int64(base64Skip)
      return ByteSourcePart(
        Base64ByteSource(bytes), range: start..<start + Int64(picture.byteCount))
    }
  }
}
