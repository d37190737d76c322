/// The moment at which a person changes a queue.
public struct QueueMoment: Sendable {
  /// The time of the change.
  public var time: MonotonicInstant
  /// The position in the current entry, in seconds.
  public var seconds: Double

  public init(time: MonotonicInstant, seconds: Double) {
    self.time = time
    self.seconds = seconds
  }
}
