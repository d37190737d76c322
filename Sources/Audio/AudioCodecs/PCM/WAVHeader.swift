/// The header of a WAV file: RIFF with 32-bit lengths, or RF64 and BW64 with 64-bit lengths (EBU Tech 3306, ITU-R
/// BS.2088).
struct WAVHeader {
  /// The sound in the chunk `data`.
  enum Sound {
    case pcm(PCMStream)
    /// The bytes contain MPEG frames.
    case mpeg(Range<Int64>)
  }

  private(set) var sound: Sound
  private(set) var metadata = AudioMetadata()
  private(set) var damage: [DecodeError] = []

  /// - Parameter start: the offset of `RIFF`.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  init(_ source: any ByteSource, start: Int64) throws(DecodeError) {
    var chunks = ChunkReader(source, start: start + 12, isBigEndian: false)
    var format: Format?
    var data: FileChunk?
    var tags = ChunkTags()
    do {
      while let chunk = try chunks.next() {
        switch chunk.name {
        case "ds64": chunks.longLengths = try Self.longLengths(source, chunk)
        case "fmt " where format == nil: format = Format(try source.prefix(at: chunk.range, 40))
        case "data" where data == nil: data = chunk
        case "LIST": try tags.readInfo(source, chunk.range)
        case "id3 ", "ID3 ": try tags.readID3(source, chunk.range)
        default: break
        }
      }
    } catch {
      // The sound can be played, even if the chunks after it cannot be read.
      guard format != nil, data != nil else { throw DecodeError(error, .refuseFile) }
      damage.append(DecodeError(error, .skipPacket))
    }
    func refuse(_ reason: String, _ kind: DecodeError.Kind = .other) -> DecodeError {
      DecodeError(.refuseFile, at: .byte(start), reason, kind: kind)
    }
    guard let format else { throw refuse("the format of the sound is missing") }
    guard var range = data?.range, let data else { throw refuse("the file contains no sound") }
    guard format.isMPEG || format.sample != nil else {
      throw refuse("this is a WAV file with \(format.codingName)", .otherFormat)
    }
    if data.statedLength == 0, try !Self.isChunk(source, at: range.lowerBound) {
      range = range.lowerBound..<source.size
    } else if data.isCut, !Self.isUnknown(data.statedLength, blockAlign: format.blockAlign) {
      let missing = data.statedLength - (range.upperBound - range.lowerBound)
      damage.append(
        DecodeError(
          .skipPacket, at: .byte(range.upperBound), "the last \(missing) bytes are missing",
          kind: .missingData))
    }
    metadata = tags.metadata
    damage += tags.damage
    guard let sample = format.sample else {
      sound = .mpeg(range)
      return
    }
    let stream = try PCMStream(
      sample: sample, bits: format.validBits, channels: format.channels,
      sampleRate: format.sampleRate, mask: format.mask, range: range, at: start)
    sound = .pcm(stream)
  }

  /// True if a usual chunk begins at `offset`, directly after a chunk `data` with the length 0. Then the chunk `data`
  /// is really empty. Otherwise the sound begins at `offset`: a program that writes to a pipe does not know the length,
  /// and can write 0.
  private static func isChunk(_ source: any ByteSource, at offset: Int64) throws(DecodeError)
    -> Bool
  {
    let name = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try source.prefix(at: offset, count: 4)
    }
    return ["LIST", "id3 ", "ID3 ", "fmt ", "fact", "JUNK", "junk", "bext", "cue ", "smpl", "iXML"]
      .contains(String(decoding: name, as: UTF8.self))
  }

  /// True for a length that programs write if they do not know the real length. sox writes 0x7FFFF000, rounded down to
  /// a whole frame.
  private static func isUnknown(_ length: Int64, blockAlign: Int) -> Bool {
    let ofSox: Int64 = 0x7FFF_F000
    return [0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF].contains(length)
      || length == ofSox - ofSox % Int64(max(blockAlign, 1))
  }

  /// Reads `ds64`: the lengths of the file and of the sound, the number of frames, and a table with the lengths of
  /// other chunks. Returns the length for each name of a chunk.
  private static func longLengths(_ source: any ByteSource, _ chunk: FileChunk)
    throws(ByteSourceError) -> [String: Int64]
  {
    let bytes = try source.prefix(at: chunk.range, 28 + 12 * 64)
    func length(_ offset: Int) -> Int64 {
      let low = UInt64(UInt32(littleEndian: bytes[offset...]))
      let high = UInt64(UInt32(littleEndian: bytes[(offset + 4)...]))
      return Int64(clamping: high << 32 | low)
    }
    guard bytes.count >= 24 else { return [:] }
    var lengths: [String: Int64] = [:]
    for offset in stride(from: 28, to: bytes.count - 11, by: 12) {
      lengths[String(decoding: bytes[offset..<offset + 4], as: UTF8.self)] = length(offset + 4)
    }
    lengths["data"] = length(8)
    return lengths
  }
}

extension WAVHeader {
  /// The chunk `fmt `.
  struct Format {
    let tag: UInt16
    let channels: Int
    let sampleRate: Int
    /// The size of one frame in bytes.
    let blockAlign: Int
    let validBits: Int
    /// The mask of loudspeakers. Nil if the format is not `WAVE_FORMAT_EXTENSIBLE`.
    let mask: UInt32?

    private static let extensible: UInt16 = 0xFFFE
    /// The last 14 bytes of a GUID whose first two bytes are a format tag.
    private static let guidEnd: [UInt8] = [0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113]

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 16 else { return nil }
      func number(_ offset: Int) -> UInt16 {
        UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
      }
      channels = Int(number(2))
      sampleRate = Int(UInt32(littleEndian: bytes[4...]))
      blockAlign = Int(number(12))
      let bits = Int(number(14))
      guard number(0) == Self.extensible, bytes.count >= 40,
        bytes[26...].elementsEqual(Self.guidEnd)
      else {
        (tag, validBits, mask) = (number(0), bits, nil)
        return
      }
      tag = number(24)
      validBits = number(18) == 0 ? bits : Int(number(18))
      mask = UInt32(littleEndian: bytes[20...])
    }

    /// True for MPEG layer I and II, and for layer III.
    var isMPEG: Bool { tag == 0x50 || tag == 0x55 }

    /// The coding of the samples. Nil if it is not a supported kind of PCM.
    var sample: PCMStream.Sample? {
      guard channels > 0, blockAlign % channels == 0 else { return nil }
      let bytes = blockAlign / channels
      guard validBits <= 8 * bytes else { return nil }
      return switch (tag, bytes) {
      case (1, 1): .unsigned8
      case (1, 2...4): .integer(bytes: bytes, isBigEndian: false)
      case (3, 4), (3, 8): .float(bytes: bytes, isBigEndian: false)
      default: nil
      }
    }

    /// The name of a coding that is not supported.
    var codingName: String {
      switch tag {
      case 1, 3: "\(validBits) bits in \(blockAlign) bytes for \(channels) channels"
      case 2, 0x11: "ADPCM"
      case 6: "A-law"
      case 7: "µ-law"
      case 0x92, 0x2000: "AC-3"
      case 0x161...0x163: "WMA"
      default: "the unknown coding \(tag)"
      }
    }
  }
}
