/// An advertisement that is part of the content, in gross time (P8).
public struct AdTimeRange: Hashable, Sendable {
  /// The start, from the beginning of the content with all advertisements.
  public let start: Duration
  /// The length.
  public let duration: Duration

  /// Creates the range that the source reports. ``AdTimeline`` cuts off what is outside the
  /// content.
  public init(start: Duration, duration: Duration) {
    self.start = start
    self.duration = duration
  }

  /// The first moment after the advertisement.
  var end: Duration { start + duration }
}
