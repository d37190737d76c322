internal import Glibc

/// What is to be written, and was not yet. With a descriptor that does not wait it never does;
/// bounded by whoever adds, see ``isFull``.
struct OutputQueue {
  /// A serial line takes 23 s for so much. What comes unasked is left out beyond.
  static let limit = 256 << 10

  private let descriptor: Int32
  /// Waits for its reader, as a filter does; else ``flush()`` writes what fits.
  private let waits: Bool
  private let largestWrite: Int
  private var bytes: [UInt8] = []
  private var done = 0
  /// Nobody reads any more.
  private(set) var isGone = false

  init(_ descriptor: Int32, waits: Bool, largestWrite: Int = .max) {
    self.descriptor = descriptor
    self.waits = waits
    self.largestWrite = largestWrite
  }

  var isEmpty: Bool { done == bytes.count }
  var isFull: Bool { bytes.count - done > Self.limit }

  mutating func add(_ text: String) {
    guard !isGone, !text.isEmpty else { return }
    bytes += text.utf8
    if waits { flush() }
  }

  /// Writes what the descriptor takes now.
  mutating func flush() {
    while !isEmpty, !isGone {
      let count = bytes[done...].prefix(largestWrite).withUnsafeBytes {
        write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        done += count
        if largestWrite != .max, !waits { break }
      } else if count < 0, errno == EAGAIN {
        guard waits else { break }
        wait(milliseconds: -1)
      } else if count < 0, errno == EINTR {
        continue
      } else {
        isGone = true
      }
    }
    if isEmpty || isGone {
      bytes.removeAll(keepingCapacity: bytes.capacity < 4096)
      done = 0
    } else if done > Self.limit {
      bytes.removeFirst(done)
      done = 0
    }
  }

  /// Until something can be written, or the time is over.
  func wait(milliseconds: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }
}
