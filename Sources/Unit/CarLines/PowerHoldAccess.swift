internal import EventLoop
package import GPIO
internal import Glibc

/// The functions of the kernel and of the service manager that ``PowerHold`` uses. Tests replace these functions.
package struct PowerHoldAccess {
  /// Returns the descriptors that the service manager has kept from an earlier run.
  package var kept: () -> [PowerHold.Kept]
  /// Requests a line as an output that is active at once.
  package var open: (GPIOLineChoice) throws(GPIOError) -> Int32
  /// Makes an output active or inactive. Returns 0, or a negative error number.
  package var set: (Int32, Bool) -> Int32
  /// Passes a copy of the descriptor to the service manager, which keeps the copy under a name.
  package var keep: (String, Int32) -> Void
  /// Makes the service manager close its copy, and closes the descriptor.
  package var drop: (String, Int32) -> Void
  /// Tells `release-power` which line it has to make inactive. Nil if there is no such line.
  package var note: (GPIOLineChoice?) -> Void

  package init(
    kept: @escaping () -> [PowerHold.Kept],
    open: @escaping (GPIOLineChoice) throws(GPIOError) -> Int32,
    set: @escaping (Int32, Bool) -> Int32, keep: @escaping (String, Int32) -> Void,
    drop: @escaping (String, Int32) -> Void, note: @escaping (GPIOLineChoice?) -> Void
  ) {
    self.kept = kept
    self.open = open
    self.set = set
    self.keep = keep
    self.drop = drop
    self.note = note
  }

  /// Access to the GPIO lines and to the service manager of this machine.
  package static var machine: PowerHoldAccess {
    PowerHoldAccess(
      kept: ServiceManager.takeSockets,
      open: { choice throws(GPIOError) in try GPIOChip.output(choice, isActive: true) },
      set: { GPIOLevel.set($0, isActive: $1) },
      keep: { ServiceManager.keep($1, name: $0) },
      drop: {
        ServiceManager.drop(name: $0)
        close($1)
      },
      note: { ReleaseNotes.ofThisProcess?.write(.hold, $0) })
  }
}
