/// Finds the place of a frame in a FLAC stream, by the numbers in frame headers: a bisection of
/// its bytes, which needs no seek table and no true STREAMINFO.
///
/// What looks like a header and is none passes its checksum once in some ten megabytes. So a header
/// counts only if it says the same as the first frame's and its number fits between its
/// neighbours'.
struct FLACFinder {
  /// Closer than this, decoding is as good as looking.
  private static let nearBytes: Int64 = 4096
  /// Half a frame or so: a guess should come out before the frame that is sought.
  private static let marginBytes: Int64 = 8 * 1024
  /// How far behind the first frame the second is looked for.
  private static let learningBytes: Int64 = 1 << 20

  private let input: any FLACInput
  private let first: FLACFrameHeader
  private let firstPlace: FLACPlace
  private let frameCount: Int64?
  /// What may still be looked at.
  private var allowance = DecodingCost.perSearch.bytes

  /// - Parameters:
  ///   - first: the first frame's header, and where it stands.
  ///   - frameCount: frames of the stream, where that is known.
  init(
    _ input: any FLACInput, first: (header: FLACFrameHeader, place: FLACPlace), frameCount: Int64?
  ) {
    self.input = input
    self.first = first.header
    firstPlace = first.place
    self.frameCount = frameCount
  }

  /// Looks at the second frame, where it is not yet certain what numbers count.
  mutating func learn(_ numbering: inout FLACNumbering) throws(ByteSourceError) {
    let bound = min(input.end, firstPlace.offset + Self.learningBytes)
    var place = input.place(after: firstPlace)
    while !numbering.isCertain, let found = try header(from: place, before: bound) {
      if numbering.learn(second: found.header.number) { return }
      place = input.place(after: found.place)
    }
  }

  /// A place at or before frame `target`, from where it is reached soon; nil where numbers do not
  /// tell positions.
  mutating func place(before target: Int64, _ numbering: FLACNumbering) throws(ByteSourceError)
    -> FLACPlace?
  {
    guard numbering.isReliable else { return nil }
    var low = firstPlace
    var lowPosition: Int64 = 0
    var highOffset = input.end
    var highPosition = frameCount
    var bisects = false
    while highOffset - low.offset > Self.nearBytes, allowance > 0 {
      var guess = low.offset + (highOffset - low.offset) / 2
      // Music has an even bit rate, so that the first guess is nearly right; but a stream that
      // has not would lead on in small steps.
      if !bisects, let highPosition, highPosition > lowPosition {
        let part = Double(target - lowPosition) / Double(highPosition - lowPosition)
        guess = low.offset + Int64(part * Double(highOffset - low.offset)) - Self.marginBytes
      }
      bisects.toggle()
      guess = min(max(guess, low.offset + 1), highOffset - 1)
      let limits = lowPosition + 1...max(highPosition ?? .max, lowPosition + 1)
      let found = try position(from: guess, before: highOffset, numbering, in: limits)
      if let found, found.position <= target {
        low = found.place
        lowPosition = found.position
        if target < found.position + Int64(found.size) { break }
      } else {
        highOffset = guess
        highPosition = found?.position ?? highPosition
      }
    }
    return low
  }

  /// The first frame from `offset` on, and its position.
  private mutating func position(
    from offset: Int64, before bound: Int64, _ numbering: FLACNumbering,
    in limits: ClosedRange<Int64>
  ) throws(ByteSourceError) -> (place: FLACPlace, position: Int64, size: Int)? {
    var place = FLACPlace(offset: offset)
    while let found = try header(from: place, before: bound) {
      if let position = numbering.position(of: found.header.number), limits.contains(position) {
        return (found.place, position, found.header.blockSize)
      }
      place = input.place(after: found.place)
    }
    return nil
  }

  /// The first header that says the same as the first frame's.
  private mutating func header(from start: FLACPlace, before bound: Int64) throws(ByteSourceError)
    -> (header: FLACFrameHeader, place: FLACPlace)?
  {
    var place = start
    while place.offset < bound, allowance > 0 {
      let result = try input.search(from: place, before: bound, limit: allowance)
      allowance -= result.cost
      guard let header = result.header else {
        place = result.place
        continue
      }
      if header.isVariable == first.isVariable, header.sampleRate == first.sampleRate,
        header.channels == first.channels, header.bitsPerSample == first.bitsPerSample
      {
        return (header, result.place)
      }
      place = input.place(after: result.place)
    }
    return nil
  }
}
