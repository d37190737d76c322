public import NowPlaying

/// Picks out of the trace the commands of which nothing more is to come, each once.
public struct CommandTraceReader {
  /// A command whose effect was not heard by then has none to be heard.
  public static let patience = Duration.seconds(2)

  private var open: [(number: Int, until: MonotonicInstant)] = []
  private var seen = 0

  /// Follows whatever comes from now on.
  public init() {}

  /// The commands that are over since the last call; among those of `surface`, if one is named.
  public mutating func takeFinished(
    _ trace: CommandTrace, of surface: SurfaceID? = nil, at now: MonotonicInstant
  ) -> [CommandRecord] {
    for record in trace.records where record.number > seen {
      seen = record.number
      if surface == nil || record.surface == surface {
        open.append((record.number, now.advanced(by: Self.patience)))
      }
    }
    let over = open.filter { entry in
      guard let record = trace[entry.number], entry.until > now else { return true }
      guard record.answer != nil else { return false }
      return record.heard != nil || !Self.isHeard(record)
    }
    open.removeAll { entry in over.contains { $0.number == entry.number } }
    return over.compactMap { trace[$0.number] }
  }

  /// When ``takeFinished(_:of:at:)`` has something without an event; nil for never.
  public var nextDeadline: MonotonicInstant? { open.map(\.until).min() }

  /// Whether there is an effect to be heard: not of what is refused or is so already, and not of a
  /// change of the order.
  private static func isHeard(_ record: CommandRecord) -> Bool {
    guard case .accepted = record.verdict else { return false }
    switch record.request {
    case .media(.changeRepeatMode), .media(.changeShuffleMode): return false
    default: return true
    }
  }
}
