/// A kind of line in the log of the screen. The raw value is an identifier for programs: a line of
/// the log begins with it. It stays the same when the words change. `docs/log.md` lists all of them.
package enum ScreenEvent: String, Hashable, Sendable, CaseIterable {
  case displayOpened = "display.opened"
  case displayMissing = "display.missing"
  case displayBusy = "display.busy"
  case displayFailed = "display.failed"
  case displayLost = "display.lost"

  case inputAdded = "input.added"
  case inputRemoved = "input.removed"
  case inputFailed = "input.failed"

  case headlightsFailed = "headlights.failed"
  case coverFailed = "cover.failed"
  case buttonPictureFailed = "button.picture-failed"

  case daemonUnavailable = "daemon.unavailable"
  case daemonUnreadable = "daemon.unreadable"
  case commandRefused = "command.refused"

  /// Gets a line of the log: the event, and a sentence for the operator.
  package typealias Log = (_ event: ScreenEvent, _ message: String) -> Void
}
