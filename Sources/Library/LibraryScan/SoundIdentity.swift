internal import AudioCodecs
internal import Files

/// Computes a number that identifies the sound of a file. By this number, the library finds the file again after it was
/// renamed or its tags were changed.
enum SoundIdentity {
  /// Nil if the header does not identify the sound.
  static func of(_ header: AudioFile.Header) -> Int64? {
    if let info = header.streamInfo { return of(info) }
    if let sound = header.mpegSound { return of(sound) }
    return header.oggStream.map { of($0, header.codec) }
  }

  /// FLAC: from the MD5 of the samples, the number of frames and the rate.
  private static func of(_ info: FLACStreamInfo) -> Int64? {
    guard info.hasMD5 else { return nil }
    // The bits of an MD5 are like random bits, so 63 of them are enough.
    let hash = info.md5.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let mixed = hash ^ UInt64(bitPattern: info.totalFrames) << 20 ^ UInt64(info.sampleRate)
    return Int64(mixed & UInt64(Int64.max))
  }

  /// Vorbis and Opus: from the serial number of the stream, the identification header, and the size of the sound. The
  /// position of the last page is not used, because reading this page would be a further access to the medium.
  private static func of(_ stream: OggStream, _ codec: AudioFile.Codec) -> Int64 {
    var hash = StableHash()
    hash.add(codec.rawValue.utf8)
    hash.add(stream.identification)
    hash.add(stream.serial)
    hash.add(stream.soundBytes)
    return identity(hash)
  }

  /// MPEG: from the size of the sound and its first bytes. The first bytes are the header that an MPEG encoder has
  /// written, such as `Xing`, or the first MPEG frames.
  private static func of(_ sound: MPEGSound) -> Int64 {
    var hash = StableHash()
    hash.add(sound.beginning)
    hash.add(sound.byteCount)
    return identity(hash)
  }

  private static func identity(_ hash: StableHash) -> Int64 {
    Int64(hash.value & UInt64(Int64.max))
  }
}
