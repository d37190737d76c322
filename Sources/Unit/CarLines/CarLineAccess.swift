/// The functions with which the daemon opens the lines of the car. Tests replace these functions.
package struct CarLineAccess {
  /// Access to single lines. A change is reported if the new level lasts `settle` milliseconds.
  package var lines: (_ settle: Int) -> LineAccess
  /// Access to the two contacts of a rotary encoder.
  package var pair: PairAccess
  /// Access to the line that keeps the power supply of the unit on.
  package var hold: PowerHoldAccess
  /// The files in which the daemon names GPIO lines for the program `release-power`. It reads these files at the end of
  /// a power-down. Nil if `AUTOHARP_POWER` is not set, for example on a desktop.
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

  /// Access to the GPIO lines of this machine.
  package static var machine: CarLineAccess {
    CarLineAccess(
      lines: LineAccess.machine(settle:), pair: .machine, hold: .machine, notes: .ofThisProcess)
  }
}
