/// The header of an AIFF or AIFF-C file (Apple's *Audio Interchange File Format AIFF-C*, 1991).
struct AIFFHeader {
  private(set) var stream: PCMStream
  private(set) var metadata = AudioMetadata()
  private(set) var damage: [DecodeError] = []

  /// - Parameter start: the offset of `FORM`.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  init(_ source: any ByteSource, start: Int64) throws(DecodeError) {
    let form = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try source.prefix(at: start + 8, count: 4)
    }
    let isCompressedForm = form == Array("AIFC".utf8)
    var chunks = ChunkReader(source, start: start + 12, isBigEndian: true)
    var common: [UInt8] = []
    var sound: (chunk: FileChunk, range: Range<Int64>)?
    var tags = ChunkTags()
    do {
      while let chunk = try chunks.next() {
        switch chunk.name {
        case "COMM" where common.isEmpty: common = try source.prefix(at: chunk.range, 22)
        case "SSND" where sound == nil:
          // The chunk begins with two numbers, `offset` and a block size. The sound begins `offset` bytes after these
          // numbers.
          let head = try source.prefix(at: chunk.range, 8)
          guard head.count == 8 else { continue }
          let first = min(
            chunk.range.lowerBound + 8 + Int64(UInt32(bigEndian: head)), chunk.range.upperBound)
          sound = (chunk, first..<chunk.range.upperBound)
        case "NAME": try tags.readText("TITLE", source, chunk.range)
        case "ID3 ": try tags.readID3(source, chunk.range)
        case "AUTH": try tags.readText("ARTIST", source, chunk.range)
        default: break
        }
      }
    } catch {
      // The sound can be played, even if the chunks after it cannot be read.
      guard !common.isEmpty, sound != nil else { throw DecodeError(error, .refuseFile) }
      damage.append(DecodeError(error, .skipPacket))
    }
    func refuse(_ reason: String, _ kind: DecodeError.Kind = .other) -> DecodeError {
      DecodeError(.refuseFile, at: .byte(start), reason, kind: kind)
    }
    guard common.count >= 18 else { throw refuse("the format of the sound is missing") }
    guard var sound else { throw refuse("the file contains no sound") }
    let bits = Int(UInt16(common[6]) << 8 | UInt16(common[7]))
    // Only AIFF-C has a field for the coding.
    let coding =
      isCompressedForm && common.count >= 22
      ? String(decoding: common[18..<22], as: UTF8.self)
      : "NONE"
    guard let sample = Self.sample(coding, bits: bits) else {
      throw refuse("this is an AIFF file with the coding '\(coding)', \(bits) bits", .otherFormat)
    }
    if sound.chunk.isCut {
      damage.append(
        DecodeError(
          .skipPacket, at: .byte(sound.range.upperBound), "the end of the sound is missing",
          kind: .missingData))
    }
    let channels = Int(UInt16(common[0]) << 8 | UInt16(common[1]))
    // The sound ends after the stated number of frames, because unused bytes can follow the last frame.
    let frames = Int64(UInt32(bigEndian: common[2...]))
    if frames > 0 {
      let end = sound.range.lowerBound + frames * Int64(channels * sample.bytes)
      sound.range = sound.range.clamped(to: 0..<max(end, sound.range.lowerBound))
    }
    stream = try PCMStream(
      sample: sample, bits: bits, channels: channels,
      sampleRate: Self.rate(Array(common[8..<18])), mask: nil, range: sound.range, at: start)
    metadata = tags.metadata
    damage += tags.damage
  }

  /// The coding of the samples. Nil if it is not supported.
  private static func sample(_ coding: String, bits: Int) -> PCMStream.Sample? {
    let bytes = (bits + 7) / 8
    switch coding {
    case "NONE", "twos":
      return (1...4).contains(bytes) ? .integer(bytes: bytes, isBigEndian: true) : nil
    case "sowt": return (1...4).contains(bytes) ? .integer(bytes: bytes, isBigEndian: false) : nil
    case "in24": return .integer(bytes: 3, isBigEndian: true)
    case "in32": return .integer(bytes: 4, isBigEndian: true)
    case "42ni": return .integer(bytes: 3, isBigEndian: false)
    case "23ni": return .integer(bytes: 4, isBigEndian: false)
    case "raw ": return bytes == 1 ? .unsigned8 : nil
    case "fl32", "FL32": return .float(bytes: 4, isBigEndian: true)
    case "fl64", "FL64": return .float(bytes: 8, isBigEndian: true)
    default: return nil
    }
  }

  /// Reads an 80-bit floating-point number (IEEE 754 extended precision): a sign, an exponent of 15 bits with the bias
  /// 16383, and a mantissa of 64 bits whose first bit is the integer part. Returns 0 if the number is not a positive
  /// number below 2^32.
  private static func rate(_ bytes: [UInt8]) -> Int {
    let exponent = Int(bytes[0] & 0x7F) << 8 | Int(bytes[1])
    let mantissa = bytes[2..<10].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let shift = 16383 + 63 - exponent
    guard bytes[0] & 0x80 == 0, (32...63).contains(shift) else { return 0 }
    return Int(mantissa >> UInt64(shift))
  }
}
