/// Recognises from the first bytes of a file whether it has a format that cannot be played.
enum ForeignContent {
  /// Bytes at an offset that identify a format.
  private struct Mark {
    let offset: Int
    let bytes: [UInt8]
    let format: ForeignFormat

    init(_ text: String, at offset: Int = 0, _ format: ForeignFormat) {
      self.init(Array(text.utf8), at: offset, format)
    }

    init(_ bytes: [UInt8], at offset: Int = 0, _ format: ForeignFormat) {
      self.offset = offset
      self.bytes = bytes
      self.format = format
    }

    func matches(_ head: [UInt8]) -> Bool {
      head.count >= offset + bytes.count && head[offset...].starts(with: bytes)
    }
  }

  private static let marks = [
    Mark("ADIF", .aac),
    Mark("MAC ", .ape), Mark("MACF", .ape),
    Mark("wvpk", .wavPack),
    // Versions 7 and 8 of the Musepack stream.
    Mark("MP+", .musepack), Mark("MPCK", .musepack),
    Mark("DSD ", .dsd), Mark("FRM8", .dsd),
    Mark("TTA1", .tta), Mark("TTA2", .tta),
    Mark("tBaK", .tak),
    Mark("OFR ", .optimFROG),
    Mark(".RMF", .realAudio), Mark([0x2E, 0x72, 0x61, 0xFD], .realAudio),
    Mark("#!AMR", .amr),
    Mark([0x1A, 0x45, 0xDF, 0xA3], .matroska),
    Mark("MThd", .midi),
    Mark("RIFX", .rifx),
    Mark([0x7F, 0xFE, 0x80, 0x01], .dts),
    // The format that Audible used before MP4.
    Mark([0x57, 0x90, 0x75, 0x36], at: 4, .protected),
    Mark([0xFF, 0xD8, 0xFF], .picture), Mark([0x89, 0x50, 0x4E, 0x47], .picture),
    Mark("GIF8", .picture), Mark("WEBP", at: 8, .picture),
    Mark("AVI ", at: 8, .video),
  ]

  /// The format of the file whose content begins at `start` with the 16 bytes `begin`. Nil if these bytes do not
  /// identify a format.
  static func marked(_ source: any ByteSource, start: Int64, begin: [UInt8])
    throws(ByteSourceError) -> ForeignFormat?
  {
    if let mark = marks.first(where: { $0.matches(begin) }) { return mark.format }
    if begin.dropFirst(4).starts(with: "ftyp".utf8) {
      return try MP4Boxes.format(source, start: start)
    }
    if begin.starts(with: ASFObjects.header) { return try ASFObjects.format(source, start: start) }
    return dolby(begin)
  }

  /// The format of a file that no mark identifies, from its first bytes. Nil if the format is unknown.
  static func unmarked(_ head: [UInt8]) -> ForeignFormat? {
    isADTS(head) ? .aac : ForeignText.format(head)
  }

  /// True if three ADTS frames follow each other. One or two are enough if `head` ends after them. An ADTS header and a
  /// FLAC frame header begin with the same bits. Only the ADTS header states the length of its frame, so the distance
  /// between the headers distinguishes ADTS from FLAC.
  private static func isADTS(_ head: [UInt8]) -> Bool {
    var index = 0
    for count in 0..<3 {
      guard let length = adtsLength(head, at: index) else {
        return count > 0 && index + 6 > head.count
      }
      index += length
    }
    return true
  }

  /// The length of the ADTS frame at `index`. Nil if no frame begins there.
  private static func adtsLength(_ head: [UInt8], at index: Int) -> Int? {
    guard index + 6 <= head.count, head[index] == 0xFF, head[index + 1] & 0xF6 == 0xF0 else {
      return nil
    }
    let length =
      Int(head[index + 3] & 0x03) << 11 | Int(head[index + 4]) << 3 | Int(head[index + 5] >> 5)
    return length >= 7 ? length : nil
  }

  /// Distinguishes AC-3 from E-AC-3 by the version of the bit stream, because both formats begin with the same 16-bit
  /// word.
  private static func dolby(_ head: [UInt8]) -> ForeignFormat? {
    guard head.count > 5, head[0] == 0x0B, head[1] == 0x77 else { return nil }
    switch head[5] >> 3 {
    case 0...10: return .ac3
    case 11...16: return .eac3
    default: return nil
    }
  }
}
