public import NowPlaying

/// Returns each command of the trace once, as soon as the command is complete.
public struct CommandTraceReader {
  /// A command whose effect is not heard within this time counts as complete without an audible effect.
  public static let timeout = Duration.seconds(2)

  private var open: [(number: Int, until: MonotonicInstant)] = []
  private var seen = 0

  /// Creates a reader that begins with the first command of a trace.
  public init() {}

  /// Returns the commands that became complete since the last call. If `surface` is not nil, only commands of this
  /// surface are returned.
  public mutating func takeFinished(
    _ trace: CommandTrace, of surface: SurfaceID? = nil, at now: MonotonicInstant
  ) -> [CommandRecord] {
    for record in trace.records where record.number > seen {
      seen = record.number
      if surface == nil || record.surface == surface {
        open.append((record.number, now.advanced(by: Self.timeout)))
      }
    }
    let over = open.filter { entry in
      guard let record = trace[entry.number], entry.until > now else { return true }
      guard record.answer != nil else { return false }
      return record.heard != nil || !Self.hasAudibleEffect(record)
    }
    open.removeAll { entry in over.contains { $0.number == entry.number } }
    return over.compactMap { trace[$0.number] }
  }

  /// The time at which the oldest incomplete command times out. Nil if all commands are complete.
  public var nextDeadline: MonotonicInstant? { open.map(\.until).min() }

  /// True if the command has an audible effect. Only an accepted command can have such an effect, and a change of
  /// repeat or shuffle has none.
  private static func hasAudibleEffect(_ record: CommandRecord) -> Bool {
    guard case .accepted = record.verdict else { return false }
    switch record.request {
    case .media(.changeRepeatMode), .media(.changeShuffleMode): return false
    default: return true
    }
  }
}
