/// The sizes of the messages that libsystemd has not handed to the kernel yet. libsystemd sends
/// messages in order, so the oldest messages leave the queue first.
struct SendQueue {
  private var sizes: [Int] = []
  private(set) var bytes = 0

  mutating func sent(_ size: Int, waiting: Int) {
    sizes.append(size)
    bytes += size
    let sentCount = sizes.count - waiting
    if sentCount > 0 {
      bytes -= sizes.prefix(sentCount).reduce(0, +)
      sizes.removeFirst(sentCount)
    }
  }
}
