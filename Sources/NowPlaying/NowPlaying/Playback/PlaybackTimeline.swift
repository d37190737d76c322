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

  /// How fast net time advances at `now`: at the rate, and within an advertisement not at all.
  public func netRate(of snapshot: MediaPlaybackSnapshot, at now: MonotonicInstant) -> Double {
    let gross = snapshot.position(at: now, duration: grossDuration)
    return gross.map(advertisements.isAdvertisement) == true ? 0 : snapshot.rate
  }

  /// How long from `now` until an advertisement begins or ends, as playback goes on forwards; nil
  /// where none lies ahead.
  public func timeToNextEdge(
    of snapshot: MediaPlaybackSnapshot, at now: MonotonicInstant
  ) -> Duration? {
    guard snapshot.rate > 0,
      let gross = snapshot.position(at: now, duration: grossDuration),
      let edge = advertisements.nextEdge(after: gross)
    else { return nil }
    return (edge - gross).scaled(by: 1 / snapshot.rate)
  }

  /// Where a seek to a net time goes in the content's own time: within it, and never into an
  /// advertisement.
  public func seekTarget(net: Duration) -> Duration {
    let net = net.clamped(from: .zero, to: netDuration?.length)
    return advertisements.gross(net).clamped(from: .zero, to: grossDuration?.length)
  }
}
