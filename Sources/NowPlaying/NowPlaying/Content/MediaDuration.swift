/// How long content is (P6). An unknown length is nil in the optional that holds it.
public enum MediaDuration: Hashable, Sendable {
  /// This length; a negative one counts as zero.
  case finite(Duration)
  /// A broadcast: it has no end and cannot be skipped.
  case live
  /// Without an end, but no broadcast: the sound of rain, for example.
  case continuous

  /// The length; nil if there is none.
  public var length: Duration? {
    if case .finite(let length) = self { return max(.zero, length) }
    return nil
  }
}

/// Sound or picture.
public enum MediaType: String, Hashable, Sendable {
  case audio, video
}
