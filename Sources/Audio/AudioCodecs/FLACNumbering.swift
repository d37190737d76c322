/// Where FLAC frames belong, by the numbers in them.
///
/// A frame has the number of its block, where all blocks are of one size, or that of its first
/// frame (RFC 9639, section 9.1.5). STREAMINFO is not asked for the size: it may be wrong, and the
/// first block knows. What was counted is certain; numbers only tell what is missing.
struct FLACNumbering {
  /// Positions beyond this many frames, which is months, are not believed.
  static let maximumPosition: Int64 = 1 << 40

  private let first: Int64
  private let blockSize: Int
  private var countsFrames: Bool
  /// Whether numbers count frames or blocks is beyond doubt. Encoders older than the format's
  /// version of 2007 counted frames without saying so.
  private(set) var isCertain: Bool
  /// A number tells the position; false once two frames have contradicted that.
  private(set) var isReliable = true
  /// The position behind the last frame.
  private(set) var next: Int64 = 0
  private var before = Before.nothing

  /// What the next frame follows.
  private enum Before {
    /// The beginning.
    case nothing
    case frame(number: Int64, size: Int)
    /// A jump, so that only its number tells where the next one belongs.
    case jump
  }

  /// Takes the stream's first frame.
  init(first header: FLACFrameHeader) {
    first = header.number
    blockSize = header.blockSize
    countsFrames = header.isVariable
    isCertain = header.isVariable || header.blockSize == 1
  }

  /// The first frame, as the stream counts: broadcasts do not begin at 0.
  var firstFrame: Int64 { first * (countsFrames ? 1 : Int64(blockSize)) }

  /// Tells how numbers go on after the first one.
  /// - Returns: false where `number` cannot be the second.
  mutating func learn(second number: Int64) -> Bool {
    guard !isCertain else { return true }
    let step = number - first
    guard step == 1 || step == Int64(blockSize) else { return false }
    countsFrames = step != 1
    isCertain = true
    return true
  }

  /// The position of the frame with `number`, counted from the first; nil where numbers tell none.
  func position(of number: Int64) -> Int64? {
    guard isReliable, number >= first else { return nil }
    let position = (number - first) * (countsFrames ? 1 : Int64(blockSize))
    return position <= Self.maximumPosition ? position : nil
  }

  /// False between a jump and the frame that tells where it went.
  var knowsPosition: Bool {
    if case .jump = before { return false }
    return true
  }

  /// Goes on at a frame whose number tells where that is.
  mutating func jump() { before = .jump }

  /// Goes on at `position`, whatever number stands there.
  mutating func jump(to position: Int64) {
    before = .nothing
    next = position
  }

  /// Takes the next frame.
  /// - Parameter total: how many frames the stream has, where that is known.
  /// - Returns: its position, and how many frames are missing in front of it.
  mutating func take(_ number: Int64, size: Int, total: Int64?) -> (position: Int64, missing: Int64)
  {
    var missing: Int64 = 0
    switch before {
    case .nothing: break
    case .jump: next = position(of: number) ?? next
    case .frame(let last, let lastSize):
      missing = gap(last, lastSize, number, size, limit: total ?? Self.maximumPosition)
    }
    let position = next + missing
    next = position + Int64(size)
    before = .frame(number: number, size: size)
    return (position, missing)
  }

  /// Frames that are missing between two that came one after the other.
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
