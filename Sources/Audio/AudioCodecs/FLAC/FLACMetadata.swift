/// The metadata blocks of a native FLAC stream (RFC 9639, section 8), read without libFLAC. Lengths are checked before
/// use, and the bytes of pictures stay in the file.
struct FLACMetadata {
  /// The largest number of bytes of metadata. A file with more is refused, because no real music file has so much
  /// metadata.
  static let maximumHeaderBytes: Int64 = 32 << 20
  /// The largest number of metadata blocks. The format permits any number. Without this limit, a file of empty blocks
  /// would take minutes to read.
  static let maximumBlocks = 4096

  var streamInfo: FLACStreamInfo?
  var metadata = AudioMetadata()
  var damage: [DecodeError] = []
  /// The offset after the last valid metadata block.
  private(set) var end: Int64

  /// - Parameter start: the offset of `fLaC`.
  init(_ source: any ByteSource, start: Int64) throws(DecodeError) {
    end = start + 4
    try read(source, start: start)
  }

  private mutating func read(_ source: any ByteSource, start: Int64) throws(DecodeError) {
    for _ in 0..<Self.maximumBlocks {
      let offset = end
      let header = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
        try source.bytes(at: offset, count: 4)
      }
      guard let header else { return damaged(offset, "metadata is cut off") }
      let type = header[0] & 0x7F
      let length = Int64(UInt32(bigEndian: header) & 0xFF_FFFF)
      let body = offset + 4..<offset + 4 + length
      guard type != 127 else { return damaged(offset, "metadata ends without its last block") }
      guard body.upperBound <= source.size else {
        return damaged(offset, "metadata block of type \(type) is longer than the file")
      }
      guard body.upperBound - start <= Self.maximumHeaderBytes else {
        throw DecodeError(
          .refuseFile, at: .byte(offset),
          "more than \(Self.maximumHeaderBytes >> 20) MB of metadata before the first frame",
          kind: .tooLarge)
      }
      if type == 0, end != start + 4 { damaged(offset, "STREAMINFO is not the first block") }
      do {
        try readBlock(type, source, body)
      } catch {
        throw DecodeError(error, .refuseFile)
      }
      end = body.upperBound
      if header[0] & 0x80 != 0 { return }
    }
    throw DecodeError(
      .refuseFile, at: .byte(end), "more than \(Self.maximumBlocks) metadata blocks",
      kind: .tooLarge)
  }

  private mutating func readBlock(_ type: UInt8, _ source: any ByteSource, _ body: Range<Int64>)
    throws(ByteSourceError)
  {
    switch type {
    case 0:
      let bytes = try source.prefix(at: body.lowerBound, count: min(body.count, 34))
      streamInfo = streamInfo ?? FLACStreamInfo(bytes)
    case 4: try readComments(source, body)
    case 6: try readPicture(source, body)
    default: break
    }
  }

  private mutating func damaged(_ offset: Int64, _ reason: String) {
    damage.append(DecodeError(.skipPacket, at: .byte(offset), reason))
  }

  private mutating func readComments(_ source: any ByteSource, _ body: Range<Int64>)
    throws(ByteSourceError)
  {
    let block = try CommentReader.read(source, range: body)
    if metadata.comments.entries.isEmpty { metadata.comments = block.comments }
    damage += block.damage
  }

  private mutating func readPicture(_ source: any ByteSource, _ body: Range<Int64>)
    throws(ByteSourceError)
  {
    guard metadata.pictures.count < PictureReference.maximumPerStream else { return }
    let length = body.upperBound - body.lowerBound
    let bytes = try source.prefix(
      at: body.lowerBound, count: Int(min(length, Int64(PictureHeader.maximumBytes))))
    guard let header = PictureHeader(bytes, blockLength: length) else {
      return damaged(body.lowerBound, "the picture block is damaged")
    }
    let start = body.lowerBound + Int64(header.dataOffset)
    metadata.pictures.append(
      PictureReference(header, location: .file(start..<start + Int64(header.byteCount))))
  }
}

extension VorbisComments {
  /// The loudspeakers of FLAC's channels, as a bit mask (RFC 9639, section 8.6.2). Nil if the standard order applies.
  var channelMask: UInt32? {
    guard let text = first("WAVEFORMATEXTENSIBLE_CHANNEL_MASK") else { return nil }
    return text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
  }
}

/// STREAMINFO, RFC 9639, section 8.2. The headers of FLAC frames can differ from these values.
public struct FLACStreamInfo: Equatable, Sendable {
  /// Length of the shortest block except the last one, in frames; 0 if unknown.
  public let minimumBlockSize: Int
  /// Length of the longest block, in frames; 0 if unknown.
  public let maximumBlockSize: Int
  /// Hz.
  public let sampleRate: Int
  /// 1 … 8.
  public let channels: Int
  /// 4 … 32.
  public let bitsPerSample: Int
  /// Number of frames in the stream; 0 if unknown.
  public let totalFrames: Int64
  /// MD5 of the unencoded samples; all bytes are 0 if unknown.
  public let md5: [UInt8]

  /// Creates the values for a stream without STREAMINFO. The other values are unknown.
  init(sampleRate: Int, channels: Int, bitsPerSample: Int) {
    minimumBlockSize = 0
    maximumBlockSize = 0
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitsPerSample = bitsPerSample
    totalFrames = 0
    md5 = [UInt8](repeating: 0, count: 16)
  }

  /// Reads the 34 bytes of the block; nil if `bytes` has fewer.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 34 else { return nil }
    minimumBlockSize = Int(bytes[0]) << 8 | Int(bytes[1])
    maximumBlockSize = Int(bytes[2]) << 8 | Int(bytes[3])
    // The rate (20 bits), the number of channels − 1 (3 bits), the bits per sample − 1 (5 bits), the total number of
    // frames (36 bits).
    sampleRate = Int(bytes[10]) << 12 | Int(bytes[11]) << 4 | Int(bytes[12]) >> 4
    channels = Int(bytes[12] >> 1 & 7) + 1
    bitsPerSample = (Int(bytes[12] & 1) << 4 | Int(bytes[13]) >> 4) + 1
    totalFrames = Int64(bytes[13] & 15) << 32 | Int64(UInt32(bigEndian: bytes[14...]))
    md5 = Array(bytes[18..<34])
  }

  /// True if the encoder stored an MD5.
  public var hasMD5: Bool { md5.contains { $0 != 0 } }
}
