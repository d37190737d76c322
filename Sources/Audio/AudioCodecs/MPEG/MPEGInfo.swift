/// Facts about a file, which many files store in their first MPEG frame instead of sound. The MPEG frame contains the
/// word *Xing* or *Info* and the extension of LAME, or the word *VBRI* of the Fraunhofer encoder.
struct MPEGInfo: Equatable {
  /// True if all MPEG frames have the same bit rate.
  private(set) var isConstantRate = false
  /// Number of MPEG frames with sound.
  private(set) var frameCount: Int64?
  /// Number of bytes from this MPEG frame to the end of the sound.
  private(set) var byteCount: Int64?
  /// The frames that encoder and decoder add before and after the music.
  private(set) var trim: Trim?
  /// ReplayGain of the track in dB.
  private(set) var trackGain: Double?
  /// ReplayGain of the album in dB.
  private(set) var albumGain: Double?
  /// The highest sample of the track; 1 is full scale.
  private(set) var peak: Double?

  /// Numbers of frames of sound that encoder and decoder add before the music (`start`) and after the music (`end`).
  struct Trim: Equatable {
    let start: Int
    /// Negative if the encoder added fewer frames after the music than the decoder delays the music. Then the last
    /// frames of the music are never decoded.
    let end: Int
    /// Number of frames of the music, if it is stated.
    var music: Int64?
  }

  /// Delay of every layer III decoder, in frames: 528 from the filters, and 1 because of the way in which LAME defines
  /// its delay.
  static let decoderDelay = 529

  /// - Parameter bytes: the MPEG frame of `header`.
  /// - Returns: nil if the MPEG frame contains sound.
  init?(_ bytes: [UInt8], _ header: MPEGFrameHeader) {
    guard header.layer == 3 else { return nil }
    let xing = MPEGFrameHeader.bytes + header.sideInformationBytes
    // The checksum has two bytes. Some encoders do not include it in the offset of the word, so both offsets are tried.
    for offset in header.hasChecksum ? [xing, xing + 2] : [xing] {
      guard bytes.count >= offset + 8 else { continue }
      let name = bytes[offset..<offset + 4]
      guard name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) else { continue }
      isConstantRate = name.first == UInt8(ascii: "I")
      readXing(bytes[(offset + 4)...])
      return
    }
    // VBRI is always at this offset. The version, the delay and the quality follow the word, each with two bytes.
    let vbri = 36
    guard bytes.count >= vbri + 18, bytes[vbri..<vbri + 4].elementsEqual("VBRI".utf8) else {
      return nil
    }
    byteCount = Self.number(bytes[(vbri + 10)...])
    frameCount = Self.number(bytes[(vbri + 14)...])
  }

  /// Reads a number of four bytes. Nil if it is 0, because encoders write 0 if they do not know the number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let number = UInt32(bigEndian: bytes)
    return number == 0 ? nil : Int64(number)
  }

  /// Reads the flags. For each of the first four flags that is set, a field follows: number of MPEG frames, number of
  /// bytes, table of contents (100 bytes), quality.
  private mutating func readXing(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    func read(_ count: Int) -> ArraySlice<UInt8>? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    guard let flags = read(4).map({ UInt32(bigEndian: $0) }) else { return }
    if flags & 1 != 0 { frameCount = read(4).flatMap(Self.number) }
    if flags & 2 != 0 { byteCount = read(4).flatMap(Self.number) }
    if flags & 4 != 0 { _ = read(100) }
    if flags & 8 != 0 { _ = read(4) }
    if let extended = read(24) { readEncoder(Array(extended)) }
  }

  /// Reads the extension of LAME, which other encoders write too. Its fields, with their sizes in bytes: name and
  /// version of the encoder (9), method (1), filter (1), peak (4), ReplayGain of the track (2) and of the album (2),
  /// flags (1), bit rate (1), delays (3).
  private mutating func readEncoder(_ bytes: [UInt8]) {
    guard bytes[0..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return }
    // In LAME's unit for the peak, full scale is 2^23.
    let peak = UInt32(bigEndian: bytes[11...])
    if peak > 0, peak < 1 << 26 { self.peak = Double(peak) / Double(1 << 23) }
    let offset = Self.referenceOffset(bytes)
    trackGain = Self.gain(bytes[15], bytes[16], kind: 1).map { $0 + offset }
    albumGain = Self.gain(bytes[17], bytes[18], kind: 2).map { $0 + offset }
    let delays = Int(bytes[21]) << 16 | Int(bytes[22]) << 8 | Int(bytes[23])
    // The numbers of LAME do not include the delay of the decoder. This delay adds frames before the music, and reduces
    // the number of frames after the music.
    trim = Trim(
      start: (delays >> 12) + Self.decoderDelay, end: (delays & 0xFFF) - Self.decoderDelay)
  }

  /// Before version 3.95, LAME computed the gain for a reference that is 6 dB lower, so 6 dB are added.
  private static func referenceOffset(_ bytes: [UInt8]) -> Double {
    guard bytes.starts(with: "LAME3.".utf8),
      let minor = Int(String(decoding: bytes[6..<8], as: UTF8.self))
    else { return 0 }
    return minor < 95 ? 6 : 0
  }

  /// Reads a gain: three bits with the kind, three bits with the origin, a sign, and nine bits with the value in units
  /// of 0.1 dB. Nil if the origin says that the gain was not computed.
  private static func gain(_ high: UInt8, _ low: UInt8, kind: UInt8) -> Double? {
    guard high >> 5 == kind, high >> 2 & 7 != 0 else { return nil }
    let tenths = Double(Int(high & 1) << 8 | Int(low))
    return (high & 2 != 0 ? -tenths : tenths) / 10
  }
}

extension MPEGInfo.Trim {
  /// Reads the comment `iTunSMPB` of iTunes, which contains hexadecimal numbers. The second number counts the frames
  /// before the music, including the delay of the decoder. The third number counts the frames after the music, and the
  /// fourth number counts the frames of the music.
  init?(iTunes text: String) {
    let numbers = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
    guard numbers.count == 4, let start = numbers[1], let end = numbers[2], let music = numbers[3],
      (0...Self.maximum).contains(start), (0...Self.maximum).contains(end), music > 0
    else { return nil }
    self.init(start: Int(start), end: Int(end), music: music)
  }

  /// The largest number that is used. Real encoders add fewer frames than three MPEG frames have.
  private static let maximum: Int64 = 0xFFFF

  /// False if the numbers do not match a stream with `total` frames of sound. This happens if the file was edited after
  /// iTunes had written the comment.
  func fits(total: Int64) -> Bool { music.map { Int64(start + end) + $0 == total } ?? true }
}
