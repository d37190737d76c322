/// Decides when to save. An action of the user is saved soon. Progress of playback is saved at most once a second.
///
/// This type does not read a clock. The caller passes the current time as a duration since a fixed moment. If the
/// passed time is earlier than before, the latest time so far is used.
public struct SaveSchedule: Hashable, Sendable {
  /// The reason for a save.
  public enum Trigger: Hashable, Sendable {
    /// Playback has advanced.
    case progress
    /// The user has paused or stopped playback, or has changed the volume. This change must not be lost.
    case userAction
  }

  /// Minimum time between two saves of the progress of playback.
  public static let interval = Duration.seconds(1)
  /// Minimum time between two saves after user actions. A volume knob causes many actions. The state after the last of
  /// these actions is always saved.
  public static let userActionInterval = Duration.milliseconds(250)

  private var lastSave: Duration?
  private var latest = Duration.zero
  private var wanted: Duration?

  /// Creates a schedule with nothing to save.
  public init() {}

  /// Records a change that must be saved.
  public mutating func note(_ trigger: Trigger, at now: Duration) {
    latest = max(latest, now)
    let gap = trigger == .userAction ? Self.userActionInterval : Self.interval
    let due = max(latest, lastSave.map { $0 + gap } ?? latest)
    wanted = min(wanted ?? due, due)
  }

  /// The time at which ``takeDue(at:)`` must be called next. Nil if there is nothing to save.
  public var nextDeadline: Duration? { wanted }

  /// Returns true if a save is due, and then records the save as done.
  public mutating func takeDue(at now: Duration) -> Bool {
    latest = max(latest, now)
    guard let due = wanted, due <= latest else { return false }
    wanted = nil
    lastSave = latest
    return true
  }
}
