internal import CGPIO
internal import Glibc

/// Two inputs of one chip, whose edges the kernel reports in one order.
public struct GPIOPair: Sendable {
  /// An edge of one of the lines.
  public struct Edge: Equatable, Sendable {
    /// True if the line is the first one.
    public var isFirst: Bool
    /// The level after the edge.
    public var isActive: Bool
    /// The time of CLOCK_MONOTONIC, in nanoseconds.
    public var time: Int64

    public init(isFirst: Bool, isActive: Bool, time: Int64) {
      self.isFirst = isFirst
      self.isActive = isActive
      self.time = time
    }
  }

  /// What a read has found.
  public enum Reading: Equatable, Sendable {
    /// The edges, and whether the kernel has dropped some before them.
    case edges([Edge], areSomeLost: Bool)
    /// The chip was removed.
    case removed
  }

  /// Readable when an edge waits. The owner closes the descriptor.
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

  /// Reads the waiting edges, at most 64 at once. Does not block.
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
  /// The resistor in the form of the C functions.
  var bias: Int32 {
    switch pull {
    case .up: 1
    case .down: -1
    case nil: 0
    }
  }
}
