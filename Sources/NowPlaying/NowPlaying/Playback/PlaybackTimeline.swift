/// The length of content and its advertisements. Converts a snapshot into the times that people see (P8).
public struct PlaybackTimeline: Hashable, Sendable {
  /// The length with advertisements; nil if unknown.
  public let grossDuration: MediaDuration?
  /// The advertisements in the content.
  public let advertisements: AdTimeline

  /// Creates the timeline of content with this gross duration.
  public init(duration: MediaDuration?, adTimeRanges: [AdTimeRange] = []) {
    grossDuration = duration
    advertisements = AdTimeline(adTimeRanges, grossDuration: duration?.length)
  }

  /// The length without advertisements, as surfaces show it.
  public var netDuration: MediaDuration? {
    guard let length = grossDuration?.length else { return grossDuration }
    return .finite(advertisements.net(length))
  }

  /// Net elapsed time at `now`, between zero and the net duration.
  public func elapsed(of snapshot: MediaPlaybackSnapshot, at now: MonotonicInstant) -> Duration? {
    snapshot.position(at: now, duration: grossDuration).map(advertisements.net)
  }

  /// The rate at which net time advances at `now`. This is the snapshot's rate, or 0 within an advertisement.
  public func netRate(of snapshot: MediaPlaybackSnapshot, at now: MonotonicInstant) -> Double {
    let gross = snapshot.position(at: now, duration: grossDuration)
    return gross.map(advertisements.isAdvertisement) == true ? 0 : snapshot.rate
  }

  /// Time from `now` until the next beginning or end of an advertisement. Nil if no advertisement follows, or if
  /// playback does not advance forwards.
  public func timeToNextEdge(
    of snapshot: MediaPlaybackSnapshot, at now: MonotonicInstant
  ) -> Duration? {
    guard snapshot.rate > 0,
      let gross = snapshot.position(at: now, duration: grossDuration),
      let edge = advertisements.nextEdge(after: gross)
    else { return nil }
    return (edge - gross).scaled(by: 1 / snapshot.rate)
  }

  /// The gross position of a seek to a net time. The position is within the content and never in an advertisement.
  public func seekTarget(net: Duration) -> Duration {
    let net = net.clamped(from: .zero, to: netDuration?.length)
    return advertisements.gross(net).clamped(from: .zero, to: grossDuration?.length)
  }
}
