package import GPIO

/// Opens and reads the two GPIO lines of a rotary encoder. Tests replace these functions.
package struct PairAccess {
  /// Requests both lines.
  package var open: (GPIOLineChoice, GPIOLineChoice) throws(GPIOError) -> GPIOPair
  /// The levels of both lines; nil if the chip does not report the levels.
  package var levels: (GPIOPair) -> (first: Bool, second: Bool)?

  package init(
    open: @escaping (GPIOLineChoice, GPIOLineChoice) throws(GPIOError) -> GPIOPair,
    levels: @escaping (GPIOPair) -> (first: Bool, second: Bool)?
  ) {
    self.open = open
    self.levels = levels
  }

  /// Access to the GPIO lines of this machine.
  package static var machine: PairAccess {
    PairAccess(
      open: { first, second throws(GPIOError) in try GPIOChip.pair(first, second) },
      levels: \.levels)
  }
}
