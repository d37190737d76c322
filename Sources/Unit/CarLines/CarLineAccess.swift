/// How the daemon opens the lines of the car. Tests replace all parts.
package struct CarLineAccess {
  /// Access to single lines. A change counts if it lasts `settle` milliseconds.
  package var lines: (_ settle: Int) -> LineAccess
  /// Access to the two contacts of an encoder.
  package var pair: PairAccess
  /// Access to the line that holds the supply.
  package var hold: PowerHoldAccess
  /// Where the lines for the end of a power-down are noted; nil if this process is not a service of a head unit.
  package var notes: ReleaseNotes?

  package init(
    lines: @escaping (_ settle: Int) -> LineAccess, pair: PairAccess, hold: PowerHoldAccess,
    notes: ReleaseNotes?
  ) {
    self.lines = lines
    self.pair = pair
    self.hold = hold
    self.notes = notes
  }

  /// The GPIO lines of this machine.
  package static var machine: CarLineAccess {
    CarLineAccess(
      lines: LineAccess.machine(settle:), pair: .machine, hold: .machine, notes: .ofThisProcess)
  }
}
