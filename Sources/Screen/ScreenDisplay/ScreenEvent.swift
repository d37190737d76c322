/// A kind of line in the log of the screen. The raw value is an identifier for programs, with which the line begins.
/// The identifier stays the same even if the words of the line change. `docs/log.md` lists all identifiers.
package enum ScreenEvent: String, Hashable, Sendable, CaseIterable {
  case displayOpened = "display.opened"
  case displayMissing = "display.missing"
  case displayBusy = "display.busy"
  case displayFailed = "display.failed"
  case displayLost = "display.lost"
  case backlightFailed = "backlight.failed"

  case inputAdded = "input.added"
  case inputRemoved = "input.removed"
  case inputFailed = "input.failed"

  case coverFailed = "cover.failed"
  case buttonPictureFailed = "button.picture-failed"

  case daemonUnavailable = "daemon.unavailable"
  case daemonUnreadable = "daemon.unreadable"
  case commandRefused = "command.refused"

  /// A function that receives a line of the log: the event, and a sentence for the operator.
  package typealias Log = (_ event: ScreenEvent, _ message: String) -> Void
}
