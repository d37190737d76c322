/// What a knob or key of the car asks of the screen's focus.
package struct FocusMove: Hashable, Sendable {
  /// The raw values are how the control socket says them.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A step through all that can be chosen.
    case next, previous
    /// Takes what is chosen.
    case activate
    /// Out of a list.
    case back
  }

  /// More in one turn are as many: nobody counts them, and no screen has so much to choose from.
  package static let mostTimes = 32

  package let kind: Kind
  /// How often, from 1 to ``mostTimes``.
  package let times: Int

  package init(_ kind: Kind, times: Int = 1) {
    self.kind = kind
    self.times = min(max(times, 1), Self.mostTimes)
  }
}
