internal import CGPIO
internal import Glibc

/// Two inputs of one chip. The kernel reports the edges of both inputs in the order in which they occurred.
public struct GPIOPair: Sendable {
  /// An edge of one of the lines.
  public struct Edge: Equatable, Sendable {
    /// True for the first line, false for the second line.
    public var isFirst: Bool
    /// The level after the edge.
    public var isActive: Bool
    /// The time of the edge on CLOCK_MONOTONIC, in nanoseconds.
    public var time: Int64

    public init(isFirst: Bool, isActive: Bool, time: Int64) {
      self.isFirst = isFirst
      self.isActive = isActive
      self.time = time
    }
  }

  /// The result of a read.
  public enum Reading: Equatable, Sendable {
    /// The edges. `areSomeLost` is true if the kernel has dropped edges before or between them.
    case edges([Edge], areSomeLost: Bool)
    /// The chip was removed.
    case removed
  }

  /// The descriptor of both lines. It is readable while an edge is pending. The owner closes the descriptor.
  public let descriptor: Int32
  private let firstOffset: UInt32
  private var lastNumber: UInt32 = 0

  /// - Parameters:
  ///   - descriptor: the descriptor of the request. A test uses a pipe.
  ///   - firstOffset: the number of the first line on its chip.
  package init(descriptor: Int32, firstOffset: UInt32) {
    self.descriptor = descriptor
    self.firstOffset = firstOffset
  }

  /// The levels of both lines; nil if the chip does not report them.
  public var levels: (first: Bool, second: Bool)? {
    var active: UInt64 = 0
    guard cgpio_get_lines(descriptor, 3, &active) == 0 else { return nil }
    return (active & 1 != 0, active & 2 != 0)
  }

  /// Reads the pending edges, at most 64 at once. Does not block.
  public mutating func read() -> Reading {
    let stride = MemoryLayout<gpio_v2_line_event>.stride
    var edges: [Edge] = []
    var areSomeLost = false
    let count = withUnsafeTemporaryAllocation(of: gpio_v2_line_event.self, capacity: 64) { events in
      let bytes = Glibc.read(descriptor, events.baseAddress, 64 * stride)
      guard bytes > 0 else { return bytes }
      for event in events.prefix(bytes / stride) {
        if lastNumber != 0, event.seqno != lastNumber &+ 1 { areSomeLost = true }
        lastNumber = event.seqno
        edges.append(
          Edge(
            isFirst: event.offset == firstOffset,
            isActive: event.id == UInt32(GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue),
            time: Int64(clamping: event.timestamp_ns)))
      }
      return bytes
    }
    if count == 0 { return .removed }
    if count < 0, errno != EAGAIN, errno != EINTR { return .removed }
    return .edges(edges, areSomeLost: areSomeLost)
  }
}

extension GPIOLineChoice {
  /// The resistor as the C functions expect it.
  var bias: Int32 {
    switch pull {
    case .up: 1
    case .down: -1
    case nil: 0
    }
  }
}
