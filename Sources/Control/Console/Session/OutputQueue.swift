internal import Glibc

/// Output that is not written yet. With a non-blocking descriptor, the queue never blocks. The caller limits the size
/// of the queue, see ``isFull``.
struct OutputQueue {
  /// The limit in bytes. If the queue is longer, the session drops events. A serial line with 115200 baud needs 23 s
  /// for this number of bytes.
  static let limit = 256 << 10

  private let descriptor: Int32
  /// If true, ``add(_:)`` blocks until all output is written. If false, ``flush()`` writes only the bytes that the
  /// descriptor accepts now.
  private let blocks: Bool
  private let largestWrite: Int
  private var bytes: [UInt8] = []
  private var done = 0
  /// True if the reader has closed the stream.
  private(set) var isClosed = false

  init(_ descriptor: Int32, blocks: Bool, largestWrite: Int = .max) {
    self.descriptor = descriptor
    self.blocks = blocks
    self.largestWrite = largestWrite
  }

  var isEmpty: Bool { done == bytes.count }
  var isFull: Bool { bytes.count - done > Self.limit }

  mutating func add(_ text: String) {
    guard !isClosed, !text.isEmpty else { return }
    bytes += text.utf8
    if blocks { flush() }
  }

  /// Writes as much as the descriptor accepts now.
  mutating func flush() {
    while !isEmpty, !isClosed {
      let count = bytes[done...].prefix(largestWrite).withUnsafeBytes {
        write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        done += count
        if largestWrite != .max, !blocks { break }
      } else if count < 0, errno == EAGAIN {
        guard blocks else { break }
        wait(milliseconds: -1)
      } else if count < 0, errno == EINTR {
        continue
      } else {
        isClosed = true
      }
    }
    if isEmpty || isClosed {
      bytes.removeAll(keepingCapacity: bytes.capacity < 4096)
      done = 0
    } else if done > Self.limit {
      bytes.removeFirst(done)
      done = 0
    }
  }

  /// Blocks until the descriptor is writable or the time has passed. −1 means no time limit.
  func wait(milliseconds: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }
}
