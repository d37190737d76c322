/// Detects the type of a file by its content; the file name is not used.
enum DetectedContent: Equatable {
  /// `fLaC` is at `start`. The FLAC frames end before `end`; an ID3v1 tag may follow.
  case flac(start: Int64, end: Int64)
  /// FLAC frames begin at `start`, without `fLaC` and metadata blocks before them.
  case flacFrames(start: Int64, end: Int64)
  /// The first Ogg page is at `start`.
  case ogg(start: Int64)

  /// Number of bytes at the start that show the type of an undamaged file.
  private static let headBytes = 16
  /// Number of bytes that are searched for the start of a stream.
  private static let searchBytes = 64 * 1024

  /// - Throws: ``DecodeError/Reaction/refuseFile``; the text names the detected format.
  static func detect(_ source: any ByteSource) throws(DecodeError) -> DetectedContent {
    guard source.size > 0 else {
      throw DecodeError(.refuseFile, at: .byte(0), "the file is empty", kind: .emptyFile)
    }
    let (start, begin) = try DecodeError.convertingErrors(to: .refuseFile) {
      () throws(ByteSourceError) in
      let start = try skipID3v2(source)
      return (start, try source.prefix(at: start, count: headBytes))
    }
    if begin.starts(with: "fLaC".utf8) {
      return .flac(start: start, end: endBeforeID3v1(source))
    }
    if begin.starts(with: "OggS".utf8) { return .ogg(start: start) }
    let head = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try source.prefix(at: start, count: searchBytes)
    }
    if let known = otherFormat(head, afterID3: start > 0) {
      throw DecodeError(
        .refuseFile, at: .byte(start), "this is \(known), not FLAC or Ogg Vorbis",
        kind: .otherFormat)
    }
    // Other data precedes the stream, or the start of the stream is missing. Use the first match of
    // `OggS`, `fLaC` or a FLAC frame header.
    let ogg = firstIndex(of: Array("OggS".utf8), in: head)
    let flac = firstIndex(of: Array("fLaC".utf8), in: head)
    let frame = FLACFrameHeader.firstIndex(in: head)
    let candidates = [ogg, flac, frame].compactMap { $0 }
    guard let first = candidates.min() else {
      throw DecodeError(
        .refuseFile, at: .byte(start), "this is neither FLAC nor Ogg Vorbis", kind: .unknownFormat)
    }
    let offset = start + Int64(first)
    if first == ogg { return .ogg(start: offset) }
    let end = endBeforeID3v1(source)
    return first == flac ? .flac(start: offset, end: end) : .flacFrames(start: offset, end: end)
  }

  /// ID3v2.4 structure of id3.org, sections 3.1 and 3.4: a header of 10 bytes, which contains the
  /// length of the content as four 7-bit bytes, and a footer of 10 bytes if a flag is set. Some
  /// files have several tags.
  private static func skipID3v2(_ source: any ByteSource) throws(ByteSourceError) -> Int64 {
    var offset: Int64 = 0
    for _ in 0..<16 {
      let header = try source.prefix(at: offset, count: 10)
      guard header.count == 10, header.starts(with: "ID3".utf8), header[3] < 0xFF,
        header[4] < 0xFF, header[6...9].allSatisfy({ $0 < 0x80 })
      else { break }
      let length = header[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
      let next = offset + 10 + length + (header[5] & 0x10 != 0 ? 10 : 0)
      guard next <= source.size else { break }
      offset = next
    }
    return offset
  }

  /// The last 128 bytes of a file may be an ID3v1 tag. libFLAC would report this tag as a damaged
  /// FLAC frame. Read errors are ignored here, because a file with an unreadable end may have a
  /// valid beginning.
  private static func endBeforeID3v1(_ source: any ByteSource) -> Int64 {
    guard source.size > 128, let tag = try? source.bytes(at: source.size - 128, count: 3),
      tag == Array("TAG".utf8)
    else { return source.size }
    return source.size - 128
  }

  private static func otherFormat(_ head: [UInt8], afterID3: Bool) -> String? {
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { text in
        head.count >= offset + text.count
          && head[offset..<offset + text.count].elementsEqual(text)
      }
    }
    if has("RIFF"), has("WAVE", at: 8) { return "a WAV file" }
    if has("FORM") { return "an AIFF file" }
    if has("ftyp", at: 4) { return "an MP4 file" }
    if has("wvpk") { return "a WavPack file" }
    if has("MAC ") { return "a Monkey's Audio file" }
    if has("MThd") { return "a MIDI file" }
    if has("\u{1A}\u{45}") { return "a Matroska file" }
    if head.count > 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0, head[1] & 0x06 != 0 {
      return "an MP3 file"
    }
    return afterID3 && FLACFrameHeader.firstIndex(in: head) == nil ? "an MP3 file" : nil
  }

  private static func firstIndex(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return (0...bytes.count - pattern.count).first {
      bytes[$0] == pattern[0] && bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}
