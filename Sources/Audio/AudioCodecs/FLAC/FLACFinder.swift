/// Finds a frame in a FLAC stream by the numbers in the headers of FLAC frames. The search bisects the bytes of the
/// stream. It needs neither a seek table nor a correct STREAMINFO.
///
/// In random data, a false header with a correct checksum occurs about once in ten megabytes. So a header counts only
/// if two conditions are met: Its properties equal the properties of the first FLAC frame. Its position lies between
/// the nearest positions that are already known.
struct FLACFinder {
  /// If the remaining range is at most this size, the search ends and decoding begins, because a further search would
  /// not be faster.
  private static let nearBytes: Int64 = 4096
  /// A guess by proportion (from the positions before and after the target) is reduced by this distance, so that it is
  /// before the wanted FLAC frame. The distance is about half a FLAC frame.
  private static let marginBytes: Int64 = 8 * 1024
  /// Number of bytes after the first FLAC frame in which the second FLAC frame is searched.
  private static let learningBytes: Int64 = 1 << 20

  private let input: any FLACInput
  private let first: FLACFrameHeader
  private let firstOffset: FLACOffset
  private let frameCount: Int64?
  /// Number of bytes that may still be examined.
  private var allowance = DecodingCost.perSearch.bytes

  /// - Parameters:
  ///   - first: the header of the first FLAC frame, and its offset.
  ///   - frameCount: number of frames in the stream; nil if unknown.
  init(
    _ input: any FLACInput, first: (header: FLACFrameHeader, offset: FLACOffset), frameCount: Int64?
  ) {
    self.input = input
    self.first = first.header
    firstOffset = first.offset
    self.frameCount = frameCount
  }

  /// If it is not certain whether the numbers count frames or blocks, searches for the second FLAC frame. Its number
  /// shows what the numbers count.
  mutating func learn(_ numbering: inout FLACNumbering) throws(ByteSourceError) {
    let bound = min(input.end, firstOffset.byte + Self.learningBytes)
    var offset = input.offset(after: firstOffset)
    while !numbering.isCertain, let found = try header(from: offset, before: bound) {
      if numbering.learn(second: found.header.number) { return }
      offset = input.offset(after: found.offset)
    }
  }

  /// An offset at or before frame `target`, from which decoding soon reaches this frame. Nil if the numbers do not give
  /// positions.
  mutating func offset(before target: Int64, _ numbering: FLACNumbering) throws(ByteSourceError)
    -> FLACOffset?
  {
    guard numbering.isReliable else { return nil }
    var low = firstOffset
    var lowPosition: Int64 = 0
    var highOffset = input.end
    var highPosition = frameCount
    var bisects = false
    while highOffset - low.byte > Self.nearBytes, allowance > 0 {
      var guess = low.byte + (highOffset - low.byte) / 2
      // The bit rate of most music is nearly constant, so the first guess by proportion is nearly right. If the bit
      // rate is not constant, guesses by proportion alone could advance in small steps. So every second step bisects.
      if !bisects, let highPosition, highPosition > lowPosition {
        let part = Double(target - lowPosition) / Double(highPosition - lowPosition)
        guess = low.byte + Int64(part * Double(highOffset - low.byte)) - Self.marginBytes
      }
      bisects.toggle()
      guess = min(max(guess, low.byte + 1), highOffset - 1)
      let limits = lowPosition + 1...max(highPosition ?? .max, lowPosition + 1)
      let found = try position(from: guess, before: highOffset, numbering, in: limits)
      if let found, found.position <= target {
        low = found.offset
        lowPosition = found.position
        if target < found.position + Int64(found.size) { break }
      } else {
        highOffset = guess
        highPosition = found?.position ?? highPosition
      }
    }
    return low
  }

  /// The first FLAC frame at or after `byte` whose position is within `limits`, and this position.
  private mutating func position(
    from byte: Int64, before bound: Int64, _ numbering: FLACNumbering,
    in limits: ClosedRange<Int64>
  ) throws(ByteSourceError) -> (offset: FLACOffset, position: Int64, size: Int)? {
    var offset = FLACOffset(byte: byte)
    while let found = try header(from: offset, before: bound) {
      if let position = numbering.position(of: found.header.number), limits.contains(position) {
        return (found.offset, position, found.header.blockSize)
      }
      offset = input.offset(after: found.offset)
    }
    return nil
  }

  /// The first header at or after `start` whose properties equal the properties of the first FLAC frame.
  private mutating func header(from start: FLACOffset, before bound: Int64) throws(ByteSourceError)
    -> (header: FLACFrameHeader, offset: FLACOffset)?
  {
    var offset = start
    while offset.byte < bound, allowance > 0 {
      let result = try input.search(from: offset, before: bound, limit: allowance)
      allowance -= result.cost
      guard let header = result.header else {
        offset = result.offset
        continue
      }
      if header.isVariable == first.isVariable, header.sampleRate == first.sampleRate,
        header.channels == first.channels, header.bitsPerSample == first.bitsPerSample
      {
        return (header, result.offset)
      }
      offset = input.offset(after: result.offset)
    }
    return nil
  }
}
