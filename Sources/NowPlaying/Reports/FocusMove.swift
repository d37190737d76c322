/// A request of a knob or key to the screen's focus.
package struct FocusMove: Hashable, Sendable {
  /// The raw values are those of the control socket.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Moves the focus by one control.
    case next, previous
    /// Activates the focused control.
    case activate
    /// Closes a list.
    case back
  }

  /// Maximum number of steps in one request: no screen has so many controls.
  package static let maximumTimes = 32

  package let kind: Kind
  /// Number of steps, from 1 to ``maximumTimes``.
  package let times: Int

  package init(_ kind: Kind, times: Int = 1) {
    self.kind = kind
    self.times = min(max(times, 1), Self.maximumTimes)
  }
}
