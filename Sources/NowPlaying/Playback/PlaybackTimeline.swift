/// The length of content and the advertisements in it: what turns a snapshot into the times that
/// people see (P8).
public struct PlaybackTimeline: Hashable, Sendable {
  /// With advertisements.
  public let grossDuration: MediaDuration?
  /// Where they are.
  public let advertisements: AdTimeline

  /// Of content.
  public init(duration: MediaDuration?, adTimeRanges: [AdTimeRange] = []) {
    grossDuration = duration
    advertisements = AdTimeline(adTimeRanges, grossDuration: duration?.length)
  }

  /// Without advertisements: what a surface shows.
  public var netDuration: MediaDuration? {
    guard let length = grossDuration?.length else { return grossDuration }
    return .finite(advertisements.net(length))
  }

  /// Net elapsed time at `now`, between zero and the net duration.
  public func elapsed(of snapshot: MediaPlaybackSnapshot, at now: MonotonicInstant) -> Duration? {
    snapshot.position(at: now, duration: grossDuration).map(advertisements.net)
  }

  /// Where a seek to a net time goes in the content's own time: within it, and never into an
  /// advertisement.
  public func seekTarget(net: Duration) -> Duration {
    let net = net.clamped(from: .zero, to: netDuration?.length)
    return advertisements.gross(net).clamped(from: .zero, to: grossDuration?.length)
  }
}
