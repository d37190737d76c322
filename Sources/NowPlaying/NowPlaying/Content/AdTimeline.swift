/// Time with and without advertisements: *gross* is the content's own time, *net* is what people
/// see (P8). Net time stands still while an advertisement plays.
public struct AdTimeline: Hashable, Sendable {
  /// Sorted, apart from each other, inside the content.
  public let ranges: [AdTimeRange]

  /// Ranges in any order, overlapping or reaching beyond the content, as a source gives them.
  /// - Parameter grossDuration: nil where it is not known.
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

  /// Net time at a gross one; within an advertisement, where it interrupts.
  public func net(_ gross: Duration) -> Duration {
    ranges.reduce(gross) { net, range in
      guard gross > range.start else { return net }
      return net - (min(gross, range.end) - range.start)
    }
  }

  /// Gross time at a net one. Where an advertisement stands, the first content behind it: a seek
  /// lands on content.
  public func gross(_ net: Duration) -> Duration {
    ranges.reduce(net) { gross, range in
      gross >= range.start ? gross + range.duration : gross
    }
  }

  /// Whether an advertisement plays at a gross time. Its end is content again.
  public func isAdvertisement(at gross: Duration) -> Bool {
    ranges.contains { $0.start <= gross && gross < $0.end }
  }

  /// Where an advertisement next begins or ends behind a gross time; nil where none does.
  public func nextEdge(after gross: Duration) -> Duration? {
    ranges.lazy.flatMap { [$0.start, $0.end] }.first { $0 > gross }
  }
}
