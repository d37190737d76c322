internal import Control

/// Frames that wait for the socket of a stream, and their numbers. A value without I/O.
struct FrameQueue {
  private static let headerBytes = 16
  /// The largest number of bytes of frames in a packet.
  private static let packetBytes = 32 << 10

  let frameBytes: Int
  /// The largest number of frames that wait: 200 ms.
  let capacity: Int
  private let packetFrames: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// The number of the next frame that the program writes.
  private(set) var next = 0

  init(_ format: SoundFormat) {
    frameBytes = format.channels * (format.samples == .s16 ? 2 : 4)
    capacity = max(1, format.rate / 5)
    packetFrames = min(max(1, format.rate / 50), Self.packetBytes / frameBytes)
  }

  /// The number of frames that wait.
  var count: Int { (bytes.count - start) / frameBytes }
  /// The number of the first frame that waits.
  var first: Int { next - count }
  var room: Int { capacity - count }

  /// Takes as many frames as there is room for. Returns their number.
  mutating func append(_ frames: UnsafeRawBufferPointer) -> Int {
    let taken = min(frames.count / frameBytes, room)
    bytes.append(contentsOf: frames.prefix(taken * frameBytes))
    next += taken
    return taken
  }

  /// The next packet, whose frames are counted from the frame `base`. Nil if no frame waits.
  func packet(countedFrom base: Int) -> [UInt8]? {
    let frames = min(count, packetFrames)
    guard frames > 0 else { return nil }
    var packet: [UInt8] = []
    packet.reserveCapacity(Self.headerBytes + frames * frameBytes)
    packet.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, 0])
    withUnsafeBytes(of: UInt64(clamping: first - base).littleEndian) {
      packet.append(contentsOf: $0)
    }
    packet.append(contentsOf: bytes[start..<start + frames * frameBytes])
    return packet
  }

  /// The packet was sent.
  mutating func removePacket() {
    start += min(count, packetFrames) * frameBytes
    guard start > bytes.count / 2 else { return }
    bytes.removeFirst(start)
    start = 0
  }

  /// Throws all waiting frames away.
  mutating func clear() {
    bytes = []
    start = 0
  }
}
