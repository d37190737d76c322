/// How long content is (P6). Where nothing is known, the optional that holds it is nil.
public enum MediaDuration: Hashable, Sendable {
  /// So long; negative counts as zero.
  case finite(Duration)
  /// A broadcast: no end, no skipping.
  case live
  /// Without an end, and no broadcast: rain, an ambience.
  case continuous

  /// The length, where there is one.
  public var length: Duration? {
    if case .finite(let length) = self { return max(.zero, length) }
    return nil
  }
}

/// Sound or picture.
public enum MediaType: String, Hashable, Sendable {
  case audio, video
}
