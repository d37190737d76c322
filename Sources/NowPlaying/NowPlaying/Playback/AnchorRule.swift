/// When a snapshot that a source gives is news (P1, P2).
///
/// Sources may report as often as they like. A report that only says what surfaces infer anyway
/// leaves the published anchor as it is, so nothing is published.
public enum AnchorRule {
  /// So far a report may be from where surfaces are before it counts as a seek that nobody
  /// announced. Far above what a sound card's clock drifts in a track (100 ppm are 0.4 s in an
  /// hour), and about where people see a progress bar jump.
  public static let tolerance = Duration.seconds(1)

  /// What is published after `new` came: `old` unchanged, or `new`.
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
