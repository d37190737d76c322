/// Converts between gross time, which includes advertisements, and net time, which people see (P8). Net time does not
/// advance while an advertisement plays.
public struct AdTimeline: Hashable, Sendable {
  /// The advertisements: sorted, without overlaps, inside the content.
  public let ranges: [AdTimeRange]

  /// Creates a timeline. The ranges can be in any order, can overlap, and can reach beyond the content.
  /// - Parameter grossDuration: nil if unknown.
  public init(_ ranges: [AdTimeRange], grossDuration: Duration?) {
    var merged: [AdTimeRange] = []
    for range in ranges.sorted(by: { $0.start < $1.start }) {
      let start = range.start.clamped(from: .zero, to: grossDuration)
      let end = range.end.clamped(from: .zero, to: grossDuration)
      guard start < end else { continue }
      if let last = merged.last, start <= last.end {
        merged[merged.count - 1] = AdTimeRange(
          start: last.start, duration: max(last.end, end) - last.start)
      } else {
        merged.append(AdTimeRange(start: start, duration: end - start))
      }
    }
    self.ranges = merged
  }

  /// The net time of a gross time. For a gross time within an advertisement, this is the net time at which the
  /// advertisement begins.
  public func net(_ gross: Duration) -> Duration {
    ranges.reduce(gross) { net, range in
      guard gross > range.start else { return net }
      return net - (min(gross, range.end) - range.start)
    }
  }

  /// The gross time of a net time. If an advertisement begins at this net time, the result is the gross time at the end
  /// of the advertisement. So a seek never arrives in an advertisement.
  public func gross(_ net: Duration) -> Duration {
    ranges.reduce(net) { gross, range in
      gross >= range.start ? gross + range.duration : gross
    }
  }

  /// True if an advertisement plays at a gross time. False for the moment at which the advertisement ends.
  public func isAdvertisement(at gross: Duration) -> Bool {
    ranges.contains { $0.start <= gross && gross < $0.end }
  }

  /// The next start or end of an advertisement after a gross time; nil if there is none.
  public func nextEdge(after gross: Duration) -> Duration? {
    ranges.lazy.flatMap { [$0.start, $0.end] }.first { $0 > gross }
  }
}
