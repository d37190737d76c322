/// Decides whether a snapshot from a source changes the published anchor (P1, P2). The anchor is the snapshot from
/// which surfaces compute the position.
///
/// A source can report as often as it needs. If surfaces can compute the reported position from the published anchor,
/// the anchor stays and nothing is published.
public enum AnchorRule {
  /// Maximum difference between a reported position and the position that surfaces compute. A larger difference is
  /// treated as a seek that the source did not announce. The clock of a sound card drifts far less during a track (100
  /// ppm are 0.4 s in an hour). People hardly notice a smaller jump of a progress bar.
  public static let tolerance = Duration.seconds(1)

  /// The anchor to publish after `new` has arrived. The result is either `old` unchanged, or `new`.
  public static func anchor(
    _ old: MediaPlaybackSnapshot?, _ new: MediaPlaybackSnapshot?, duration: MediaDuration?
  ) -> MediaPlaybackSnapshot? {
    guard let old, let new, old.state == new.state, old.seekNumber == new.seekNumber,
      old.defaultPlaybackRate == new.defaultPlaybackRate,
      old.advancesInSuspend == new.advancesInSuspend
    else { return new }
    switch (old.elapsedTime, new.elapsedTime) {
    case (nil, nil):
      return old
    case (nil, _?), (_?, nil):
      return new
    case (_?, let reported?):
      guard let expected = old.position(at: new.timestamp, duration: duration) else { return new }
      let difference = expected - reported.clamped(from: .zero, to: duration?.length)
      return difference.magnitude <= tolerance ? old : new
    }
  }
}
