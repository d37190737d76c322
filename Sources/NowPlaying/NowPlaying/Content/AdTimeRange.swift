/// A stretch of advertisement that is baked into content, in the content's own time (P8).
public struct AdTimeRange: Hashable, Sendable {
  /// Where it begins, from the start of the content with all advertisements.
  public let start: Duration
  /// How long it is.
  public let duration: Duration

  /// As the source knows it; what lies outside the content is cut off by ``AdTimeline``.
  public init(start: Duration, duration: Duration) {
    self.start = start
    self.duration = duration
  }

  /// The first moment behind it.
  var end: Duration { start + duration }
}
