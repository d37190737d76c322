/// How the daemon opens the lines of the car. Tests replace both parts.
package struct CarLineAccess {
  /// Access to single lines. A change counts if it lasts `settle` milliseconds.
  package var lines: (_ settle: Int) -> LineAccess
  /// Access to the two contacts of an encoder.
  package var pair: PairAccess

  /// Memberwise initializer.
  package init(lines: @escaping (_ settle: Int) -> LineAccess, pair: PairAccess) {
    self.lines = lines
    self.pair = pair
  }

  /// The GPIO lines of this machine.
  package static var machine: CarLineAccess {
    CarLineAccess(lines: LineAccess.machine(settle:), pair: .machine)
  }
}
