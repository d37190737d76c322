/// Decides when to save: soon after an action of a person; progress of playback at most once a
/// second.
///
/// It has no clock: the caller passes each time as a duration since any origin. Times must not go
/// back; an earlier time counts as the latest one so far.
public struct SaveSchedule: Hashable, Sendable {
  /// Why a save is needed.
  public enum Trigger: Hashable, Sendable {
    /// Playback has advanced.
    case progress
    /// A person has paused, stopped or changed the volume. This must not be lost.
    case userAction
  }

  /// Minimum time between two saves while playing.
  public static let interval = Duration.seconds(1)
  /// Minimum time between two saves after user actions. A volume knob causes many of them; the last
  /// one is always saved.
  public static let userActionInterval = Duration.milliseconds(250)

  private var lastSave: Duration?
  private var latest = Duration.zero
  private var wanted: Duration?

  /// Nothing to save.
  public init() {}

  /// Something has changed that must be saved.
  public mutating func note(_ trigger: Trigger, at now: Duration) {
    latest = max(latest, now)
    let gap = trigger == .userAction ? Self.userActionInterval : Self.interval
    let due = max(latest, lastSave.map { $0 + gap } ?? latest)
    wanted = min(wanted ?? due, due)
  }

  /// When to call ``takeDue(at:)`` next; nil if there is nothing to save.
  public var nextDeadline: Duration? { wanted }

  /// True if a save is due. It then counts as done.
  public mutating func takeDue(at now: Duration) -> Bool {
    latest = max(latest, now)
    guard let due = wanted, due <= latest else { return false }
    wanted = nil
    lastSave = latest
    return true
  }
}
