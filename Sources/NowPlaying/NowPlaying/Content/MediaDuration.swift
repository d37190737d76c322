/// The length of content (P6). An unknown length is represented by nil instead of a `MediaDuration`.
public enum MediaDuration: Hashable, Sendable {
  /// A finite length. A negative length is treated as zero.
  case finite(Duration)
  /// A broadcast: it has no end, and no command can move within it.
  case live
  /// Content that has no end and is not a broadcast, for example the sound of rain.
  case continuous

  /// The finite length; nil for `live` and `continuous`.
  public var length: Duration? {
    if case .finite(let length) = self { return max(.zero, length) }
    return nil
  }
}

/// Audio or video.
public enum MediaType: String, Hashable, Sendable {
  case audio, video
}
