/// An item of a ``PlayQueue``.
public protocol QueueItem {
  /// Identifies the album of the item: items of one album have equal values. Used if albums are shuffled.
  var albumIdentity: String { get }
  /// Identifies the song, also in another queue of the same run.
  var songKey: UInt64 { get }
}

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
