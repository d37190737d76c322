package import NowPlaying

/// How long commands took, by surface and command. A value that can be added to, sent and shown.
package struct LatencyTable: Hashable, Sendable {
  /// How far a command had come, measured from its arrival where nothing else is said.
  package enum Stage: String, Hashable, Sendable, CaseIterable {
    /// As ``accepted``, but from the moment at which the phone's frame came off the radio, where that
    /// is known.
    case fromRadio = "from the radio"
    /// The source has answered: the sound has been told.
    case accepted
    /// The first sound that it changed was given to the output.
    case handedOver = "handed over"
    /// The effect was in the loudspeaker.
    case heard
  }

  /// How often times fell into which range.
  package struct Histogram: Hashable, Sendable {
    /// Upper ends of the ranges in milliseconds, each included; beyond the last is one more range.
    package static let bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]

    /// One per bound, and one beyond.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The longest time; zero where there was none.
    package private(set) var longest = Duration.zero

    /// Empty.
    package init() {}

    /// As it came over a wire: missing counts are 0, negative ones too.
    package init(counts: [Int], longest: Duration) {
      for (index, count) in counts.prefix(self.counts.count).enumerated() {
        self.counts[index] = max(0, count)
      }
      self.longest = max(.zero, longest)
    }

    /// How many times there are.
    package var count: Int { counts.reduce(0) { $0.addingReportingOverflow($1).partialValue } }

    /// Adds a time.
    package mutating func add(_ time: Duration) {
      let place = Self.bounds.firstIndex { time <= .milliseconds($0) } ?? Self.bounds.count
      counts[place] += 1
      longest = max(longest, time)
    }

    /// A time that so many of a hundred do not exceed, as exactly as the ranges tell; nil where
    /// there are none. Never above the longest.
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

  /// One command of one surface.
  package struct Row: Hashable, Sendable {
    package let surface: String
    package let command: String
    package var stages: [Stage: Histogram]

    /// See the fields.
    package init(surface: String, command: String, stages: [Stage: Histogram] = [:]) {
      self.surface = surface
      self.command = command
      self.stages = stages
    }
  }

  /// More surfaces and commands than a head unit has; later ones are not counted.
  package static let largestCount = 200

  /// In the order in which they came first.
  package private(set) var rows: [Row] = []

  /// The first ``largestCount`` of them.
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

  /// Adds what a record tells of a command that was accepted and has been answered or heard.
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
