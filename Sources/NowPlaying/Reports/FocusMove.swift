/// A request of a knob or key to move the focus of the screen, to activate the focused control, or to close a list.
package struct FocusMove: Hashable, Sendable {
  /// The kind of the request. Messages on the control socket contain the raw values.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Moves the focus by one control.
    case next, previous
    /// Activates the focused control.
    case activate
    /// Closes a list.
    case back
  }

  /// Maximum number of steps in one request. This is enough, because a page of the screen has fewer controls.
  package static let maximumTimes = 32

  package let kind: Kind
  /// Number of steps, from 1 to ``maximumTimes``.
  package let times: Int

  package init(_ kind: Kind, times: Int = 1) {
    self.kind = kind
    self.times = min(max(times, 1), Self.maximumTimes)
  }
}
