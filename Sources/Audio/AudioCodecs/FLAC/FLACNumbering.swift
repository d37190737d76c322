/// Computes positions of FLAC frames from the numbers in their headers.
///
/// If all blocks have the same size, the header contains the number of the block. Otherwise it contains the number of
/// the first frame of the block (RFC 9639, section 9.1.5). The block size is taken from the first block, because
/// STREAMINFO can be wrong. Positions are computed by counting the decoded frames. The numbers show how many frames are
/// missing, and the position after a jump.
struct FLACNumbering {
  private let first: Int64
  private let blockSize: Int
  private var countsFrames: Bool
  /// True if it is certain whether the numbers count frames or blocks. The format was revised in 2007. Older encoders
  /// can count frames, although the header says that the numbers count blocks.
  private(set) var isCertain: Bool
  /// True if a position can be computed from a number. False after the numbers or sizes of FLAC frames have shown that
  /// this is not possible.
  private(set) var isReliable = true
  /// The position after the last frame that was counted.
  private(set) var next: Int64 = 0
  private var before = Before.nothing

  /// The event before the next FLAC frame.
  private enum Before {
    /// The start of the stream, or a jump to a position that is known.
    case nothing
    case frame(number: Int64, size: Int)
    /// A jump to a position that is unknown. The number of the next FLAC frame gives the position.
    case jump
  }

  /// Creates a numbering that starts with the first FLAC frame of the stream.
  init(first header: FLACFrameHeader) {
    first = header.number
    blockSize = header.blockSize
    countsFrames = header.isVariable
    isCertain = header.isVariable || header.blockSize == 1
  }

  /// The number of the stream's first frame. In the recording of a broadcast, this number is not 0.
  var firstFrame: Int64 { first * (countsFrames ? 1 : Int64(blockSize)) }

  /// Determines from the number of the second FLAC frame whether the numbers count frames or blocks.
  /// - Returns: false if `number` cannot be the number of the second FLAC frame.
  mutating func learn(second number: Int64) -> Bool {
    guard !isCertain else { return true }
    let step = number - first
    guard step == 1 || step == Int64(blockSize) else { return false }
    countsFrames = step != 1
    isCertain = true
    return true
  }

  /// The position of the FLAC frame with `number`, counted from the first frame of the stream; nil if unknown.
  func position(of number: Int64) -> Int64? {
    guard isReliable, number >= first else { return nil }
    let position = (number - first) * (countsFrames ? 1 : Int64(blockSize))
    return position <= FrameTimes.maximumPosition ? position : nil
  }

  /// False between a jump and the FLAC frame whose number gives the new position.
  var knowsPosition: Bool {
    if case .jump = before { return false }
    return true
  }

  /// Prepares for a FLAC frame at an unknown position. The number of this FLAC frame gives the position.
  mutating func jump() { before = .jump }

  /// Continues at `position`. The next FLAC frame can have any number.
  mutating func jump(to position: Int64) {
    before = .nothing
    next = position
  }

  /// Counts the next FLAC frame.
  /// - Parameter total: number of frames in the stream; nil if unknown.
  /// - Returns: the position of the FLAC frame, and the number of frames that are missing before it.
  mutating func count(_ number: Int64, size: Int, total: Int64?) -> (
    position: Int64, missing: Int64
  ) {
    var missing: Int64 = 0
    switch before {
    case .nothing: break
    case .jump: next = position(of: number) ?? next
    case .frame(let last, let lastSize):
      missing = gap(last, lastSize, number, size, limit: total ?? FrameTimes.maximumPosition)
    }
    let position = next + missing
    next = position + Int64(size)
    before = .frame(number: number, size: size)
    return (position, missing)
  }

  /// Number of frames that are missing between two FLAC frames that were read one after the other.
  private mutating func gap(
    _ last: Int64, _ lastSize: Int, _ number: Int64, _ size: Int, limit: Int64
  ) -> Int64 {
    let step = number - last
    if !isCertain, step == 1 || step == Int64(lastSize) {
      countsFrames = step != 1
      isCertain = true
    }
    if !countsFrames, lastSize != blockSize { isReliable = false }
    let extra = step - (countsFrames ? Int64(lastSize) : 1)
    let missing = extra * (countsFrames ? 1 : Int64(blockSize))
    guard missing >= 0, next + missing + Int64(size) <= limit || missing == 0 else {
      isReliable = false
      return 0
    }
    return missing
  }
}
