/// Detects the type of a file by its content; the file name is not used.
enum DetectedContent: Equatable {
  /// `fLaC` is at `start`. The FLAC frames end before `end`; an ID3v1 tag may follow.
  case flac(start: Int64, end: Int64)
  /// FLAC frames begin at `start`, without `fLaC` and metadata blocks before them.
  case flacFrames(start: Int64, end: Int64)
  /// The first Ogg page is at `start`.
  case ogg(start: Int64)
  /// `RIFF`, `RF64` or `BW64` is at `start`, with `WAVE` after the length.
  case wav(start: Int64)
  /// `FORM` is at `start`, with `AIFF` or `AIFC` after the length.
  case aiff(start: Int64)

  /// The first MPEG frame is at `start`.
  case mpeg(start: Int64)

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
    switch (text(begin, 0..<4), text(begin, 8..<12)) {
    case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"): return .wav(start: start)
    case ("FORM", "AIFF"), ("FORM", "AIFC"): return .aiff(start: start)
    default: break
    }
    let isMPEG = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try MPEGStream.isStart(source, start)
    }
    if isMPEG { return .mpeg(start: start) }
    // Most of the other formats are recognised without the search, which reads more bytes.
    let marked = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try ForeignContent.marked(source, start: start, begin: begin)
    }
    if let marked { throw refusal(marked, at: start) }
    let head = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try source.prefix(at: start, count: searchBytes)
    }
    if let foreign = ForeignContent.unmarked(head) { throw refusal(foreign, at: start) }
    // Other data precedes the stream, or the start of the stream is missing. Use the first match of
    // `OggS`, `fLaC`, a FLAC frame header or a row of MPEG frames.
    let ogg = firstIndex(of: Array("OggS".utf8), in: head)
    let flac = firstIndex(of: Array("fLaC".utf8), in: head)
    let frame = FLACFrameHeader.firstIndex(in: head)
    let mpeg = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try MPEGStream.firstFrame(source, from: start, limit: searchBytes)
    }.map { Int($0 - start) }
    let candidates = [ogg, flac, frame, mpeg].compactMap { $0 }
    guard let first = candidates.min() else {
      throw DecodeError(
        .refuseFile, at: .byte(start), "the format of the file is unknown", kind: .unknownFormat)
    }
    let offset = start + Int64(first)
    if first == ogg { return .ogg(start: offset) }
    if first == mpeg { return .mpeg(start: offset) }
    let end = endBeforeID3v1(source)
    return first == flac ? .flac(start: offset, end: end) : .flacFrames(start: offset, end: end)
  }

  private static func refusal(_ format: ForeignFormat, at start: Int64) -> DecodeError {
    DecodeError(.refuseFile, at: .byte(start), format.reason, kind: .foreignFormat(format))
  }

  /// Some files have several tags.
  private static func skipID3v2(_ source: any ByteSource) throws(ByteSourceError) -> Int64 {
    try id3Headers(source).last?.end ?? 0
  }

  /// The ID3v2 tags at the start of the source.
  static func id3Headers(_ source: any ByteSource) throws(ByteSourceError) -> [ID3Tag.Header] {
    var headers: [ID3Tag.Header] = []
    while headers.count < 16,
      let header = try ID3Tag.Header(source, at: headers.last?.end ?? 0),
      header.end <= source.size
    {
      headers.append(header)
    }
    return headers
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

  private static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
    bytes.count < range.upperBound ? nil : String(decoding: bytes[range], as: UTF8.self)
  }

  private static func firstIndex(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return (0...bytes.count - pattern.count).first {
      bytes[$0] == pattern[0] && bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}
