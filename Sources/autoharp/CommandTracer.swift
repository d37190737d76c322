import NowPlaying

/// Picks the commands of one surface out of the trace, each when nothing more is to come of it.
struct CommandTracer {
  /// A command whose effect was not heard by then has none to be heard.
  static let patience = Duration.seconds(2)

  private var open: [(number: Int, until: MonotonicInstant)] = []

  /// A command was sent.
  mutating func follow(_ number: Int, at now: MonotonicInstant) {
    open.append((number, now.advanced(by: Self.patience)))
  }

  /// One line per command that is over.
  mutating func lines(of trace: CommandTrace, at now: MonotonicInstant) -> [String] {
    let over = open.filter { entry in
      guard let record = trace[entry.number], entry.until > now else { return true }
      guard record.answer != nil else { return false }
      return record.heard != nil || !Self.isHeard(record)
    }
    open.removeAll { entry in over.contains { $0.number == entry.number } }
    return over.compactMap { trace[$0.number]?.description }
  }

  /// Whether there is an effect to be heard: not of what is refused or is so already, and not of a
  /// change of the order.
  private static func isHeard(_ record: CommandRecord) -> Bool {
    guard case .accepted = record.verdict else { return false }
    switch record.request {
    case .media(.changeRepeatMode), .media(.changeShuffleMode): return false
    default: return true
    }
  }

  /// When ``lines(of:at:)`` has something without an event; nil for never.
  var nextDeadline: MonotonicInstant? { open.map(\.until).min() }
}
