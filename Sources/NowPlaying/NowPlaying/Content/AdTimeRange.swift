/// An advertisement that is part of the content. Its times are gross times, which include advertisements (P8).
public struct AdTimeRange: Hashable, Sendable {
  /// The gross time at which the advertisement begins.
  public let start: Duration
  /// The length of the advertisement.
  public let duration: Duration

  /// Creates the range as the source reports it. ``AdTimeline`` cuts off the part that is outside the content.
  public init(start: Duration, duration: Duration) {
    self.start = start
    self.duration = duration
  }

  /// The first moment after the advertisement.
  var end: Duration { start + duration }
}
