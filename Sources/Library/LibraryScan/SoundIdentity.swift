internal import AudioCodecs

/// A number that identifies the sound of a file, so that the file is found again after it was renamed or
/// its tags were changed.
enum SoundIdentity {
  /// Nil if the header does not identify the sound. FLAC: the MD5 of the samples, their number and rate.
  static func of(_ header: AudioFile.Header) -> Int64? {
    guard let info = header.streamInfo, info.md5.contains(where: { $0 != 0 }) else { return nil }
    // An MD5 is as good as a random number, so any 63 bits of it will do.
    let hash = info.md5.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let mixed = hash ^ UInt64(bitPattern: info.totalFrames) << 20 ^ UInt64(info.sampleRate)
    return Int64(mixed & UInt64(Int64.max))
  }
}
