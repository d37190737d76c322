/// Detects the format of a file by its content; the file name is not used.
enum FormatDetection {
  /// Number of bytes at the start that show the format of an undamaged file.
  static let headBytes = 16
  /// Number of bytes that are searched for the start of the sound.
  static let searchBytes = 64 * 1024

  /// - Throws: ``DecodeError/Reaction/refuseFile``; the text names the detected format.
  static func detect(_ source: any ByteSource) throws(DecodeError)
    -> (format: any FileFormat.Type, start: Int64)
  {
    guard source.size > 0 else {
      throw DecodeError(.refuseFile, at: .byte(0), "the file is empty", kind: .emptyFile)
    }
    return try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try find(source)
    }.get()
  }

  private static func find(_ source: any ByteSource) throws(ByteSourceError)
    -> Result<(format: any FileFormat.Type, start: Int64), DecodeError>
  {
    let start = try ID3Tag.Header.all(source).last?.end ?? 0
    let begin = try source.prefix(at: start, count: headBytes)
    for format in FileFormats.all where try format.begins(begin, at: start, source) {
      return .success((format, start))
    }
    let head = try source.prefix(at: start, count: searchBytes)
    if let known = otherFormat(head) {
      return .failure(
        DecodeError(
          .refuseFile, at: .byte(start), "this is \(known), which cannot be played",
          kind: .otherFormat))
    }
    var first: (format: any FileFormat.Type, start: Int64)?
    for format in FileFormats.all {
      if let found = try format.search(head, from: start, source), found < first?.start ?? .max {
        first = (format, found)
      }
    }
    guard let first else {
      return .failure(
        DecodeError(
          .refuseFile, at: .byte(start), "the format of the file is unknown",
          kind: .unknownFormat))
    }
    return .success(first)
  }

  private static func otherFormat(_ head: [UInt8]) -> String? {
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { text in
        head.count >= offset + text.count
          && head[offset..<offset + text.count].elementsEqual(text)
      }
    }
    if has("RIFX") { return "a big-endian WAV file (RIFX)" }
    if has("ftyp", at: 4) { return "an MP4 file" }
    if has("wvpk") { return "a WavPack file" }
    if has("MAC ") { return "a Monkey's Audio file" }
    if has("MThd") { return "a MIDI file" }
    if has("\u{1A}\u{45}") { return "a Matroska file" }
    // The headers of ADTS and of FLAC frames begin with the same bits. FLAC frames have a checksum.
    if head.count > 2, head[0] == 0xFF, head[1] & 0xF6 == 0xF0,
      FLACFrameHeader.firstIndex(in: head) == nil
    {
      return "an AAC file (ADTS)"
    }
    return nil
  }
}

extension [UInt8] {
  /// The first index at which `pattern` begins.
  func firstIndex(of pattern: [UInt8]) -> Int? {
    guard count >= pattern.count else { return nil }
    return (0...count - pattern.count).first {
      self[$0] == pattern[0] && self[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}
