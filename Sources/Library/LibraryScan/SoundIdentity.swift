internal import AudioCodecs
internal import Files

/// A number that identifies the sound of a file, so that the file is found again after it was renamed or its tags were
/// changed.
enum SoundIdentity {
  /// Nil if the header does not identify the sound.
  static func of(_ header: AudioFile.Header) -> Int64? {
    if let info = header.streamInfo { return of(info) }
    if let sound = header.mpegSound { return of(sound) }
    return header.oggStream.map { of($0, header.codec) }
  }

  /// FLAC: the MD5 of the samples, their number and rate.
  private static func of(_ info: FLACStreamInfo) -> Int64? {
    guard info.hasMD5 else { return nil }
    // An MD5 is as good as a random number, so any 63 bits of it will do.
    let hash = info.md5.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let mixed = hash ^ UInt64(bitPattern: info.totalFrames) << 20 ^ UInt64(info.sampleRate)
    return Int64(mixed & UInt64(Int64.max))
  }

  /// Vorbis and Opus: the number of the stream, the settings of the encoder, and the size of the sound. The size stands
  /// for the position of the last page, which would need one more read of the medium.
  private static func of(_ stream: OggStream, _ codec: AudioFile.Codec) -> Int64 {
    var hash = StableHash()
    hash.add(codec.rawValue.utf8)
    hash.add(stream.identification)
    hash.add(stream.serial)
    hash.add(stream.soundBytes)
    return identity(hash)
  }

  /// MPEG: the size of the sound and its first bytes. These contain the numbers of the encoder, or the first MPEG
  /// frames.
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
