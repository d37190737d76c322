/// The sound of an MPEG file: where it is, how long it is, and what belongs to the music.
struct MPEGStream {
  /// The first MPEG frame with sound.
  let first: MPEGFrameHeader
  /// The bytes of the MPEG frames with sound.
  let range: Range<Int64>
  /// See ``AudioFile/Header/mpegSound``.
  let sound: MPEGSound
  /// The facts about the stream that the encoder has stored.
  let info: MPEGInfo?
  /// The frames that encoder and decoder add before and after the music.
  let trim: MPEGInfo.Trim?
  /// True if MPEG frames follow after the number of bytes that the encoder states, because files were joined.
  let isJoined: Bool

  /// The number of the first frame of the music, counted from the first MPEG frame.
  var start: Int64 { trim.map { Int64($0.start) } ?? 0 }

  /// The end of the music if the stream has `total` frames of sound, counted from the first MPEG frame.
  func end(total: Int64) -> Int64 {
    guard let trim, !isCut, !isJoined else { return total }
    return min(max(total - Int64(trim.end), start), total)
  }

  /// Number of frames of the music if the stream has `total` frames of sound.
  func frameCount(total: Int64) -> Int64 { max(end(total: total) - start, 0) }

  /// Number of frames of sound that the encoder states. Nil if it states no number. Also nil if the number is wrong,
  /// because bytes were removed from the file or added to it.
  var statedTotal: Int64? {
    guard let info, let count = info.frameCount, !isCut, !isJoined else { return nil }
    let bytes = range.upperBound - range.lowerBound
    let sizes = first.possibleByteCounts
    // The last MPEG frame can be missing. Unknown tags can follow the sound.
    guard (count - 1) * Int64(sizes.lowerBound) <= bytes,
      bytes <= count * Int64(sizes.upperBound) + Self.tolerance
    else { return nil }
    return count * Int64(first.frameCount)
  }

  /// The largest number of bytes after the stated end that count as unknown tags.
  private static let tolerance: Int64 = 128 * 1024

  /// True if the encoder states more bytes than the file contains.
  var isCut: Bool {
    guard let stated = info?.byteCount else { return false }
    return range.upperBound - range.lowerBound + Int64(MPEGFrameHeader.maximumFrameBytes) < stated
  }
}

/// Identifies the sound of an MPEG file. Does not depend on the tags.
public struct MPEGSound: Equatable, Sendable {
  /// The first bytes of the sound, with at least one complete MPEG frame if the file contains one. Most encoders store
  /// facts about the whole sound in this MPEG frame.
  public let beginning: [UInt8]
  /// Number of bytes between the tags at the start of the file and the tags at its end.
  public let byteCount: Int64
}

extension MPEGStream {
  /// Reads the first MPEG frame.
  /// - Parameters:
  ///   - range: the bytes between the tags, from the first MPEG frame on.
  ///   - comments: the tags. iTunes stores in the tags how many frames it has added.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the stream cannot be played.
  init(_ source: any ByteSource, range: Range<Int64>, comments: VorbisComments) throws(DecodeError)
  {
    let bytes = try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try source.prefix(at: range, MPEGFrameHeader.maximumFrameBytes)
    }
    guard let header = MPEGFrameHeader(bytes) else {
      throw DecodeError(.refuseFile, at: .byte(range.lowerBound), "contains no MPEG frame")
    }
    guard header.bitRate > 0 else {
      throw DecodeError(
        .refuseFile, at: .byte(range.lowerBound),
        "this is \(header.name) in free format, which states no bit rate", kind: .otherFormat)
    }
    first = header
    sound = MPEGSound(beginning: bytes, byteCount: range.upperBound - range.lowerBound)
    info = MPEGInfo(Array(bytes.prefix(header.byteCount)), header)
    let start = range.lowerBound + (info == nil ? 0 : Int64(header.byteCount))
    self.range = min(start, range.upperBound)..<range.upperBound
    isJoined = info?.byteCount.map { Self.hasFrames(source, range.lowerBound + $0, range) } ?? false
    var iTunes = comments.first("ITUNSMPB").flatMap { MPEGInfo.Trim(iTunes: $0) }
    if let trim = iTunes, let count = info?.frameCount,
      !trim.fits(total: count * Int64(header.frameCount))
    {
      iTunes = nil
    }
    trim = header.layer == 3 ? info?.trim ?? iTunes : nil
  }

  /// True if MPEG frames begin at `end`, or after tags that begin at `end`. False if the medium cannot be read.
  private static func hasFrames(_ source: any ByteSource, _ end: Int64, _ range: Range<Int64>)
    -> Bool
  {
    // Some encoders do not count the MPEG frame that contains the ``MPEGInfo``, so one MPEG frame after `end` is
    // accepted.
    guard range.upperBound - end > Int64(MPEGFrameHeader.maximumFrameBytes) else { return false }
    do throws(ByteSourceError) {
      return try isStart(source, try TagSize.end(ofTagsAt: end, source))
    } catch {
      return false
    }
  }

  /// Searches `limit` bytes from `start` on for the first offset at which ``isStart(_:_:)`` is true. Nil if there is no
  /// such offset.
  static func firstFrame(_ source: any ByteSource, from start: Int64, limit: Int)
    throws(ByteSourceError) -> Int64?
  {
    let head = try source.prefix(at: start, count: limit)
    for index in head.indices where head[index] == 0xFF {
      if try isStart(source, start + Int64(index)) { return start + Int64(index) }
    }
    return nil
  }

  /// True if three consecutive MPEG frames begin at `offset`. One or two are enough if the source ends after them, or
  /// if tags follow. In free format, a header does not state the size of its MPEG frame, so the next header is
  /// searched.
  static func isStart(_ source: any ByteSource, _ offset: Int64) throws(ByteSourceError) -> Bool {
    guard let first = try MPEGFrameHeader(source, at: offset) else { return false }
    guard first.bitRate > 0 else { return try isFreeFormat(source, offset, first) }
    var next = offset
    for _ in 0..<2 {
      guard let found = try MPEGFrameHeader(source, at: next), found.bitRate > 0,
        found.isCompatible(with: first)
      else {
        return false
      }
      next += Int64(found.byteCount)
      if next + Int64(MPEGFrameHeader.bytes) > source.size { return next <= source.size }
      // One or two MPEG frames can be the whole sound. Then the tags at the end of the file follow.
      if try TrailingTags.isStart(source, next) { return true }
    }
    return try MPEGFrameHeader(source, at: next)?.isCompatible(with: first) ?? false
  }

  /// True if four headers in free format follow each other at equal distances.
  private static func isFreeFormat(
    _ source: any ByteSource, _ offset: Int64, _ first: MPEGFrameHeader
  ) throws(ByteSourceError) -> Bool {
    let bytes = try source.prefix(at: offset, count: 4 * MPEGFrameHeader.maximumFrameBytes)
    func isHeader(_ index: Int) -> Bool {
      guard index + 4 <= bytes.count, let header = MPEGFrameHeader(bytes[index..<index + 4])
      else { return false }
      return header.bitRate == 0 && header.isCompatible(with: first)
    }
    for distance in 24..<MPEGFrameHeader.maximumFrameBytes where isHeader(distance) {
      // A padded MPEG frame has one byte more.
      func follows(_ index: Int) -> Int? {
        [distance, distance + 1, distance - 1].map { index + $0 }.first(where: isHeader)
      }
      if let third = follows(distance), follows(third) != nil { return true }
    }
    return false
  }
}

extension VorbisComments {
  /// Adds the loudness that the encoder states, if the tags do not contain it. Removes the comments of iTunes, because
  /// they contain numbers that are not meant for display.
  mutating func add(_ info: MPEGInfo?) {
    entries.removeAll { $0.name.hasPrefix("ITUN") }
    var stated = VorbisComments()
    func state(_ name: String, _ value: String?) {
      if let value { stated.entries.append(.init(name: name, value: value)) }
    }
    state("REPLAYGAIN_TRACK_GAIN", info?.trackGain.map { "\($0) dB" })
    state("REPLAYGAIN_ALBUM_GAIN", info?.albumGain.map { "\($0) dB" })
    state("REPLAYGAIN_TRACK_PEAK", info?.peak.map { "\($0)" })
    addMissing(stated)
  }
}
