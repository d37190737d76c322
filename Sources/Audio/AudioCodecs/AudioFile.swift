/// A file that can be played, with its header and a decoder for its sound.
public struct AudioFile {
  /// How the coded data is wrapped. The raw value is for people.
  public enum Container: String, Sendable {
    /// Native FLAC: metadata blocks, then FLAC frames (RFC 9639, section 6).
    case flac = "FLAC"
    /// Ogg pages (RFC 3533), with FLAC, Vorbis or Opus in them.
    case ogg = "Ogg"
    /// RIFF with `WAVE` in it, also with 64-bit lengths (RF64, BW64).
    case wav = "WAV"
    /// Apple's form for uncompressed sound, AIFF or AIFF-C.
    case aiff = "AIFF"
    /// MPEG frames, with tags before and after them.
    case mpeg = "MPEG"
  }

  /// How the sound is coded. The raw value is for people.
  public enum Codec: String, Sendable {
    /// Lossless, 4 … 32 bits (RFC 9639).
    case flac = "FLAC"
    /// Lossy (the Vorbis I specification).
    case vorbis = "Vorbis"
    /// Lossy (RFC 6716), in Ogg (RFC 7845).
    case opus = "Opus"
    /// Uncompressed: 8 … 32 bits, or floating point.
    case pcm = "PCM"
    /// MPEG audio layer I (ISO/IEC 11172-3).
    case mp1 = "MP1"
    /// MPEG audio layer II.
    case mp2 = "MP2"
    /// MPEG audio layer III.
    case mp3 = "MP3"
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
    public let streamInfo: FLACStreamInfo?
    /// Damage of the header. The file may still be playable.
    public let damage: [DecodeError]
    /// True if the file has several links. In this case the header describes only the first
    /// playable link. If the header contains no duration, the number of links is not examined, and
    /// the value is false.
    fileprivate var isChained = false
    fileprivate let sound: Sound

    /// Duration in seconds from the header, for lists. Nil if the header does not contain it, or if
    /// the file has several links. A file with MPEG frames contains the duration only if the encoder
    /// has stored the number of frames. The header of Vorbis or Opus never contains the duration, so for them the
    /// result is nil. To compute the duration, the decoder needs the end position from the last
    /// page, and the start position from the first pages with sound.
    public var declaredSeconds: Double? {
      switch sound {
      case .pcm(let stream):
        return Double(stream.frameCount) / Double(stream.format.sampleRate)
      case .mpeg(let stream):
        guard let total = stream.statedTotal else { return nil }
        return Double(stream.end(total: total) - stream.start) / Double(stream.first.sampleRate)
      case .flac, .ogg: break
      }
      // In a chain this number of frames belongs to one link only.
      guard let info = streamInfo, info.totalFrames > 0, info.sampleRate > 0, !isChained else {
        return nil
      }
      return Double(info.totalFrames) / Double(info.sampleRate)
    }
  }

  /// The position of the sound in the file.
  fileprivate enum Sound {
    /// The bytes of a native FLAC file that contain the FLAC frames.
    case flac(Range<Int64>)
    /// The first Ogg page is at `start`.
    case ogg(start: Int64)
    /// The frames of a WAV or AIFF file.
    case pcm(PCMStream)
    /// MPEG frames.
    case mpeg(MPEGStream)
  }

  /// The content of the header.
  public let header: Header
  /// The decoder, at the first frame.
  public let decoder: any AudioDecoder
  /// The format of the first frames.
  public let format: StreamFormat
  /// Number of frames in the stream; for a chain, the sum over all links. Nil if the number is
  /// known only after the whole file is decoded.
  public let frameCount: Int64?
  /// Duration of the stream in seconds. Nil if it is known only after the whole file is decoded.
  public let durationSeconds: Double?
  /// Number of playable links that were found when a chained Ogg file was opened. For other files
  /// it is 1.
  public let linkCount: Int

  /// The purpose for which a file is opened.
  public enum Purpose: Sendable {
    /// The decoder returns the samples of the frames.
    case play
    /// The decoder only counts frames. For FLAC it also computes the MD5 of the samples.
    case verify
  }

  /// Reads the container, the tags and the places of the pictures. For most files, at most four
  /// reads of the medium are needed. Together these reads are less than 32 KB.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  public static func header(_ source: any ByteSource) throws(DecodeError) -> Header {
    let source = BufferedByteSource(source)
    switch try DetectedContent.detect(source) {
    case .flac(let start, let end):
      let blocks = try FLACMetadata(source, start: start)
      return Header(
        container: .flac, codec: .flac, metadata: blocks.metadata, streamInfo: blocks.streamInfo,
        damage: blocks.damage, sound: .flac(blocks.end..<max(blocks.end, end)))
    case .flacFrames(let start, let end):
      return Header(
        container: .flac, codec: .flac, metadata: AudioMetadata(), streamInfo: nil,
        damage: [DecodeError(.skipPacket, at: .byte(start), "FLAC frames without STREAMINFO")],
        sound: .flac(start..<max(start, end)))
    case .ogg(let start):
      let playable = try OggLinks.firstPlayable(source, start: start)
      if playable.codec == .flac {
        let blocks = try OggFLACHeader(source, link: playable)
        let isChained =
          (blocks.streamInfo?.totalFrames ?? 0) > 0
          && OggLinks.isChained(source, after: playable)
        return Header(
          container: .ogg, codec: .flac, metadata: blocks.metadata,
          streamInfo: blocks.streamInfo, damage: blocks.damage, isChained: isChained,
          sound: .ogg(start: start))
      }
      if playable.codec == .opus {
        let header = try OggOpusHeader(source, link: playable)
        return Header(
          container: .ogg, codec: .opus, metadata: header.metadata, streamInfo: nil,
          damage: header.damage, sound: .ogg(start: start))
      }
      let blocks = try OggVorbisHeader(source, link: playable)
      guard (1...8).contains(blocks.channels) else {
        throw DecodeError(
          .refuseFile, at: .byte(start), "\(blocks.channels) channels are not supported")
      }
      return Header(
        container: .ogg, codec: .vorbis, metadata: blocks.metadata, streamInfo: nil,
        damage: blocks.damage, sound: .ogg(start: start))
    case .wav(let start):
      let header = try WAVHeader(source, start: start)
      switch header.sound {
      case .pcm(let stream):
        return Header(
          container: .wav, codec: .pcm, metadata: header.metadata, streamInfo: nil,
          damage: header.damage, sound: .pcm(stream))
      case .mpeg(let range):
        return try MPEGHeader(source, riff: range, header.metadata, header.damage).header(.wav)
      }
    case .aiff(let start):
      let header = try AIFFHeader(source, start: start)
      return Header(
        container: .aiff, codec: .pcm, metadata: header.metadata, streamInfo: nil,
        damage: header.damage, sound: .pcm(header.stream))
    case .mpeg(let start): return try MPEGHeader(source, start: start).header(.mpeg)
    }
  }

  /// Reads the header and starts a decoder.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  public init(_ source: any ByteSource, for purpose: Purpose = .play) throws(DecodeError) {
    let header = try Self.header(source)
    let keepsSamples = purpose == .play
    switch header.sound {
    case .flac(let range):
      let decoder = try FLACDecoder(
        FLACFileInput(source, range: range), streamInfo: header.streamInfo,
        channelMask: header.metadata.comments.channelMask, keepsSamples: keepsSamples)
      self.init(
        header: header, decoder: decoder, frameCount: decoder.frameCount,
        durationSeconds: decoder.frameCount.map { decoder.seconds(atFrame: $0) }, linkCount: 1)
    case .ogg(let start):
      let links = try OggLinks(source, start: start)
      let decoder = try ChainDecoder(source, links: links, keepsSamples: keepsSamples)
      self.init(
        header: header, decoder: decoder, frameCount: decoder.frameCount,
        durationSeconds: decoder.durationSeconds, linkCount: decoder.linkCount)
    case .pcm(let stream):
      self.init(
        header: header, decoder: PCMDecoder(source, stream, keepsSamples: keepsSamples),
        frameCount: stream.frameCount, durationSeconds: header.declaredSeconds, linkCount: 1)
    case .mpeg(let stream):
      let decoder = try MPEGDecoder(source, stream, keepsSamples: keepsSamples)
      self.init(
        header: header, decoder: decoder, frameCount: decoder.frameCount,
        durationSeconds: decoder.frameCount.map { decoder.seconds(atFrame: $0) }, linkCount: 1)
    }
  }

  private init(
    header: Header, decoder: any AudioDecoder, frameCount: Int64?, durationSeconds: Double?,
    linkCount: Int
  ) {
    self.header = header
    self.decoder = decoder
    self.format = decoder.format
    self.frameCount = frameCount
    self.durationSeconds = durationSeconds
    self.linkCount = linkCount
  }

  /// True if the samples have the MD5 of STREAMINFO. Nil if STREAMINFO has no MD5, or if the MD5 of
  /// the samples cannot be computed because of damage. Call this only after the whole file was
  /// decoded with ``Purpose/verify``. The call ends the stream.
  public func checkMD5() -> Bool? {
    (decoder as? FLACDecoder)?.checkMD5() ?? (decoder as? ChainDecoder)?.checkMD5()
  }

  /// The bytes of a picture, as a source that reads them from the file piece by piece. The picture
  /// is never in memory as a whole. If the file is damaged, the source may end before
  /// ``PictureReference/byteCount``, and its ``ByteSource/size`` may be larger than the number of
  /// bytes that it returns.
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

extension MPEGHeader {
  fileprivate func header(_ container: AudioFile.Container) -> AudioFile.Header {
    let codec: AudioFile.Codec = [.mp1, .mp2, .mp3][stream.first.layer - 1]
    return AudioFile.Header(
      container: container, codec: codec, metadata: metadata, streamInfo: nil, damage: damage,
      sound: .mpeg(stream))
  }
}
