/// The sizes of the messages that libsystemd has not handed to the kernel yet. libsystemd sends messages in order, so
/// the oldest messages leave the queue first.
struct SendQueue {
  /// The memory that a message needs in addition to its contents: about 600 bytes for the message of libsystemd, and
  /// its separate allocations.
  private static let overhead = 1024

  private var sizes: [Int] = []
  private(set) var bytes = 0

  mutating func add(_ size: Int) {
    sizes.append(size + Self.overhead)
    bytes += size + Self.overhead
  }

  /// Removes the oldest messages, which were sent, so that the newest `waiting` messages remain.
  mutating func keep(_ waiting: Int) {
    let sentCount = sizes.count - waiting
    guard sentCount > 0 else { return }
    bytes -= sizes.prefix(sentCount).reduce(0, +)
    sizes.removeFirst(sentCount)
  }
}
