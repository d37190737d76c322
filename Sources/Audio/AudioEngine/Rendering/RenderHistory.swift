/// The states of the renderer before each block of frames that the device has not played. The renderer can go back to
/// each of these states and render the following frames again.
///
/// Used by the output thread only. All functions except `allocate` and `deallocate` are below the real-time line. The
/// type contains a raw pointer for the reason that ``FrameRing`` gives.
struct RenderHistory: @unchecked Sendable {
  /// The largest number of blocks. A full block has an 800th of the frames of the buffer, so there is also room for
  /// shorter blocks.
  private static let capacity = 1024

  /// Consecutive frames that are either all content or all silence.
  struct Block {
    /// The state before the first frame.
    let state: RenderState
    /// Ring position of the first frame; −1 for silence.
    var content = -1
    var count = 0

    @_noLocks init(state: RenderState) { self.state = state }

    /// The number of the first frame, counted since the engine began.
    var output: Int {
      @_noLocks get { state.output }
    }

    /// The output frame after the last frame.
    var end: Int {
      @_noLocks get { state.output &+ count }
    }
  }

  /// Points to no memory before ``allocate()``.
  private var blocks = UnsafeMutablePointer<Block>.allocate(capacity: 0)
  private var isAllocated = false
  /// The number of the oldest block, and the number that the next block gets.
  private var first = 0
  private var end = 0

  /// Allocates the memory, except if this was done already.
  mutating func allocate() {
    if isAllocated { return }
    isAllocated = true
    blocks.deallocate()
    blocks = .allocate(capacity: Self.capacity)
    // This writes to each page of the memory, so that the output thread causes no page fault.
    blocks.initialize(repeating: Block(state: RenderState()), count: Self.capacity)
  }

  func deallocate() { blocks.deallocate() }

  /// True if no further block fits.
  var isFull: Bool {
    @_noLocks get { end &- first >= 1024 }
  }

  /// The state before the oldest block; `state` if there is no block.
  @_noLocks func oldest(or state: RenderState) -> RenderState {
    if first == end { return state }
    return blocks[first & 1023].state
  }

  @_noLocks mutating func removeAll() { first = end }

  /// Adds a block that was just rendered. Call this only if ``isFull`` is false.
  @_noLocks mutating func add(_ block: Block) {
    blocks[end & 1023] = block
    end &+= 1
  }

  /// Removes the blocks that were played completely.
  @_noLocks mutating func release(before played: Int) {
    while first != end, blocks[first & 1023].end <= played { first &+= 1 }
  }

  /// Removes the first block that begins at or after the output frame `frame`, and all later blocks. Returns the state
  /// before the first removed block; `state` if there is no such block.
  @_noLocks mutating func cut(from frame: Int, or state: RenderState) -> RenderState {
    // Blocks are in order, so search from both sides toward the middle.
    var low = first
    var high = end
    while low < high {
      let middle = low &+ (high &- low) / 2
      if blocks[middle & 1023].output < frame { low = middle &+ 1 } else { high = middle }
    }
    if low == end { return state }
    end = low
    return blocks[low & 1023].state
  }

  /// The first output frame of the oldest block that begins at or after the ring position `position`; −1 if there is no
  /// such block.
  @_noLocks func output(reaching position: Int) -> Int {
    var index = first
    while index != end {
      if blocks[index & 1023].state.position >= position { return blocks[index & 1023].output }
      index &+= 1
    }
    return -1
  }

  /// The content that the device plays next.
  ///
  /// - Returns: the ring position of the first content frame that was not played, and the number of content frames that
  ///   follow it without a jump or silence. The number is 0 if the device plays silence. The position is then the
  ///   position of the oldest block, or of `state` if there is no block.
  @_noLocks func content(at played: Int, or state: RenderState) -> (position: Int, run: Int) {
    if first == end { return (state.position, 0) }
    let heard = blocks[first & 1023]
    if heard.content < 0 { return (heard.state.position, 0) }
    if played < heard.output { return (heard.state.position, 0) }
    let position = heard.content &+ (played &- heard.output)
    var next = heard.content &+ heard.count
    var index = first &+ 1
    while index != end, blocks[index & 1023].content == next {
      next &+= blocks[index & 1023].count
      index &+= 1
    }
    return (position, next &- position)
  }
}
