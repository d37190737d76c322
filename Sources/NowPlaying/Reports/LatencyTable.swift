package import NowPlaying

/// The times that commands took, by surface and command. This is a value to which times can be added. It can be sent to
/// other programs.
package struct LatencyTable: Hashable, Sendable {
  /// The stage of a command at which a measured time ends. Each measured time begins when the command arrives.
  package enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The source has answered the command.
    case accepted
    /// The first sound that the command changed was handed to the output.
    case handedOver = "handed over"
    /// The effect reached the loudspeaker.
    case heard
  }

  /// The number of measured times in each range.
  package struct Histogram: Hashable, Sendable {
    /// The upper ends of the ranges in milliseconds, inclusive. One more range, for longer times, follows the last of
    /// these ranges.
    package static let bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]

    /// One count for each of ``bounds``, and one count for longer times.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The longest time; zero if no time was added.
    package private(set) var longest = Duration.zero

    package init() {}

    /// Creates a histogram from received values. Missing and negative counts become 0.
    package init(counts: [Int], longest: Duration) {
      for (index, count) in counts.prefix(self.counts.count).enumerated() {
        self.counts[index] = max(0, count)
      }
      self.longest = max(.zero, longest)
    }

    /// The number of measured times.
    package var count: Int { counts.reduce(0) { $0.addingReportingOverflow($1).partialValue } }

    /// Adds a time.
    package mutating func add(_ time: Duration) {
      let index = Self.bounds.firstIndex { time <= .milliseconds($0) } ?? Self.bounds.count
      counts[index] += 1
      longest = max(longest, time)
    }

    /// The percentile: at least `percent` per cent of the times are equal to the result or shorter. The result is the
    /// upper end of a range, or ``longest`` if ``longest`` is smaller. Nil if there are no times.
    package func percentile(_ percent: Int) -> Duration? {
      let total = count
      guard total > 0 else { return nil }
      let wanted = max(1, (Double(total) * Double(percent) / 100).rounded(.up))
      var sum = 0.0
      for (index, count) in counts.enumerated() {
        sum += Double(count)
        if sum >= wanted, index < Self.bounds.count {
          return min(.milliseconds(Self.bounds[index]), longest)
        }
      }
      return longest
    }
  }

  /// One command from one surface.
  package struct Row: Hashable, Sendable {
    package let surface: String
    package let command: String
    package var stages: [Stage: Histogram]

    package init(surface: String, command: String, stages: [Stage: Histogram] = [:]) {
      self.surface = surface
      self.command = command
      self.stages = stages
    }
  }

  /// Maximum number of rows. This is more than a head unit needs. Times that would need a further row are dropped.
  package static let largestCount = 200

  /// The rows, in the order in which they were added.
  package private(set) var rows: [Row] = []

  /// Creates a table of the first ``largestCount`` rows.
  package init(_ rows: [Row] = []) { self.rows = Array(rows.prefix(Self.largestCount)) }

  /// Adds a time.
  package mutating func add(
    _ time: Duration, _ stage: Stage, surface: String, command: String
  ) {
    if let index = rows.firstIndex(where: { $0.surface == surface && $0.command == command }) {
      rows[index].stages[stage, default: Histogram()].add(time)
    } else if rows.count < Self.largestCount {
      rows.append(Row(surface: surface, command: command))
      rows[rows.count - 1].stages[stage, default: Histogram()].add(time)
    }
  }

  /// Adds the known times of a command: until its answer, until its effect was handed over, and until its effect was
  /// heard. A command that was not accepted is ignored.
  package mutating func add(_ record: CommandRecord) {
    guard case .accepted? = record.verdict else { return }
    let command = record.request.name
    func time(_ stage: Stage, _ moment: MonotonicInstant?) {
      guard let moment else { return }
      add(
        moment.wholeTime(since: record.received), stage, surface: record.surface.rawValue,
        command: command)
    }
    time(.accepted, record.performed)
    time(.handedOver, record.handedOver)
    time(.heard, record.heard)
  }
}
