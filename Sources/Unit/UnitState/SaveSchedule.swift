/// When to save: at once what a person did, and what only went on, at most once a second.
///
/// Without a clock: it is handed moments, as durations since any beginning, that do not go back;
/// one that does counts as the latest so far.
public struct SaveSchedule: Hashable, Sendable {
  /// Why there is something to save.
  public enum Trigger: Hashable, Sendable {
    /// Playing went on.
    case progress
    /// Somebody paused, stopped, changed the volume: it must not be lost.
    case userAction
  }

  /// Between two saves while playing.
  public static let interval = Duration.seconds(1)
  /// Between two saves after user actions. A volume knob makes many of them; the last one is always saved.
  public static let userActionInterval = Duration.milliseconds(250)

  private var lastSave: Duration?
  private var latest = Duration.zero
  private var wanted: Duration?

  /// Nothing to save yet.
  public init() {}

  /// Something changed.
  public mutating func note(_ trigger: Trigger, at now: Duration) {
    latest = max(latest, now)
    let gap = trigger == .userAction ? Self.userActionInterval : Self.interval
    let due = max(latest, lastSave.map { $0 + gap } ?? latest)
    wanted = min(wanted ?? due, due)
  }

  /// When to ask ``takeDue(at:)`` next; nil while there is nothing to save.
  public var nextDeadline: Duration? { wanted }

  /// Whether to save now. A yes is counted as done.
  public mutating func takeDue(at now: Duration) -> Bool {
    latest = max(latest, now)
    guard let due = wanted, due <= latest else { return false }
    wanted = nil
    lastSave = latest
    return true
  }
}
