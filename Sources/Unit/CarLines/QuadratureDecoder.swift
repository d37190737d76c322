/// Decodes the two contacts of a rotary encoder into steps.
///
/// During a turn to the right, the levels of the two contacts change from 00 to 10, 11, 01, and back to 00. During a
/// turn to the left, they change in the opposite order. Each of these four changes is a *quarter*. If a contact
/// bounces, the levels change by a quarter and back again, so the bounce causes no step. With an encoder without
/// detents, the bounce causes one step forward and one step back.
package struct QuadratureDecoder: Equatable, Sendable {
  /// The positions in which the encoder rests between two steps.
  package enum Detents: Hashable, Sendable {
    /// One step is all four quarters. At rest both contacts are open, as with most encoders.
    case full
    /// One step is two quarters. At rest both contacts are open, or both are closed.
    case half
    /// One step is one quarter, as with encoders without detents.
    case quarter
  }

  private let detents: Detents
  /// Bit 0 is the level of the first contact. Bit 1 is the level of the second contact.
  private var state: UInt8
  /// True if both contacts are open, or both are closed.
  private var areEqual: Bool { state == 0 || state == 3 }
  /// The number of quarters since the last position of rest. It is positive after a turn to the right.
  private var quarters = 0

  /// - Parameters:
  ///   - first: true if the first contact is closed.
  ///   - second: true if the second contact is closed.
  package init(_ detents: Detents, first: Bool, second: Bool) {
    self.detents = detents
    state = (first ? 1 : 0) | (second ? 2 : 0)
  }

  /// Handles the level of a contact after an edge.
  ///
  /// - Returns: 1 for a step to the right, -1 for a step to the left, 0 for no step.
  package mutating func decode(isFirst: Bool, isClosed: Bool) -> Int {
    let bit: UInt8 = isFirst ? 1 : 2
    let new = isClosed ? state | bit : state & ~bit
    guard new != state else { return 0 }
    // During a turn to the right, the first contact changes when the levels are equal, the second when they differ.
    let wereEqual = areEqual
    state = new
    quarters += wereEqual == isFirst ? 1 : -1
    return step()
  }

  private mutating func step() -> Int {
    let isAtRest =
      switch detents {
      case .full: state == 0
      case .half: areEqual
      case .quarter: true
      }
    guard isAtRest else { return 0 }
    defer { quarters = 0 }
    // A step counts as complete after half of its quarters, so that no step is lost if one edge is lost.
    let needed =
      switch detents {
      case .full: 2
      case .half, .quarter: 1
      }
    return quarters >= needed ? 1 : quarters <= -needed ? -1 : 0
  }
}
