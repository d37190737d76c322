package import GPIO

/// Opens and reads GPIO lines. Tests replace these functions.
package struct LineAccess {
  /// Returns a descriptor that becomes readable when the line changes.
  package var open: (GPIOLineChoice) throws(GPIOError) -> Int32
  /// True if the line of this descriptor is active. Nil if the chip does not report the level.
  package var isActive: (Int32) -> Bool?
  /// Consumes the pending changes of the line with this descriptor. Returns false if the line was removed.
  package var takeChanges: (Int32) -> Bool

  package init(
    open: @escaping (GPIOLineChoice) throws(GPIOError) -> Int32,
    isActive: @escaping (Int32) -> Bool?, takeChanges: @escaping (Int32) -> Bool
  ) {
    self.open = open
    self.isActive = isActive
    self.takeChanges = takeChanges
  }

  /// Access to the GPIO lines of this machine. A change is reported if the new level lasts `settle` milliseconds.
  package static func machine(settle: Int) -> LineAccess {
    LineAccess(
      open: { choice throws(GPIOError) in try GPIOChip.input(choice, settle: settle) },
      isActive: GPIOLevel.isActive, takeChanges: GPIOLevel.takeChanges)
  }
}
