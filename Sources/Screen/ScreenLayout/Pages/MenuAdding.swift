public import NowPlaying

/// The page that adds a phone or a remote control. It shows what to do on the phone, and the devices that were found.
public struct MenuAdding: Hashable, Sendable {
  /// The name of the unit, as phones show it.
  public var name: String
  /// The time until which phones can find the unit. Nil if phones can no longer find the unit.
  public var until: MonotonicInstant?
  /// The whole time for which phones can find the unit.
  public var total: Duration
  /// The rows of the devices that were found.
  public var rows: [MenuRow]
  /// The identity (see ``MenuPage``) of the key that permits pairing again.
  public var again: String

  public init(
    _ name: String, until: MonotonicInstant?, total: Duration, rows: [MenuRow], again: String
  ) {
    self.name = name
    self.until = until
    self.total = total
    self.rows = rows
    self.again = again
  }

  /// The remaining time, rounded up to seconds. Nil if the time is over.
  func secondsLeft(at now: MonotonicInstant) -> Int? {
    guard let until, now < until else { return nil }
    let left = until.wholeTime(since: now)
    return Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0)
  }

  /// The time at which the shown number of seconds changes. Nil if the time is over.
  func nextSecond(after now: MonotonicInstant) -> MonotonicInstant? {
    guard let until, let seconds = secondsLeft(at: now) else { return nil }
    return until.advanced(by: .seconds(1 - seconds))
  }
}
