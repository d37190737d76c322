internal import CGPIO
internal import Glibc

/// Simulates GPIO lines without a chip. A pipe carries the events of the kernel, and the test sets the levels.
public final class PipedLine {
  /// The levels of the lines, keyed by the number of the line. If a line has no entry, its level cannot be read.
  public var levels: [UInt32: Bool]
  /// How many times the lines were requested.
  public private(set) var requests = 0
  private var writer: Int32 = -1
  private var number: UInt32 = 0

  /// - Parameter levels: the levels at the start, keyed by the number of the line.
  public init(_ levels: [UInt32: Bool]) { self.levels = levels }

  deinit { remove() }

  /// Requests the lines. Returns a descriptor that the caller closes, or nil if the system has no descriptor left.
  public func request() -> Int32? {
    remove()
    requests += 1
    number = 0
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writer = ends[1]
    return ends[0]
  }

  /// Changes the level of a line, and sends an event in the form of the kernel.
  ///
  /// - Parameters:
  ///   - nanoseconds: the time of the event on CLOCK_MONOTONIC.
  ///   - lost: the number of events that the kernel has dropped directly before this event.
  public func move(
    _ line: UInt32, _ isActive: Bool, at nanoseconds: UInt64 = 0, lost: UInt32 = 0
  ) {
    levels[line] = isActive
    number += 1 + lost
    var event = gpio_v2_line_event()
    event.timestamp_ns = nanoseconds
    event.id =
      isActive
      ? UInt32(GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue)
      : UInt32(GPIO_V2_LINE_EVENT_FALLING_EDGE.rawValue)
    event.offset = line
    event.seqno = number
    _ = withUnsafeBytes(of: &event) { write(writer, $0.baseAddress, $0.count) }
  }

  /// Simulates that the chip of the lines was removed. Reading the descriptor then returns end of file.
  public func remove() {
    if writer >= 0 { close(writer) }
    writer = -1
  }
}
