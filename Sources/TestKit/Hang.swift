/// The time after which a wait of a test counts as a hang. Only a hang reaches it, and not a busy machine.
public enum Hang {
  /// The time.
  public static let limit = Duration.seconds(300)
  /// The time in milliseconds.
  public static let milliseconds = Int(limit / .milliseconds(1))
}

/// The machine was too busy for a measurement in real time.
public struct MachineTooBusy: Error {
  public init() {}
}

/// Repeats a measurement in real time until the machine is quick enough for it. A product that is always too slow
/// reaches ``Hang/limit``.
/// - Parameter measure: throws ``MachineTooBusy`` before it compares anything, if the machine has disturbed it.
public func repeatedWhileBusy(_ measure: () throws -> Void) throws {
  let end = ContinuousClock.now + Hang.limit
  while true {
    do {
      return try measure()
    } catch let error as MachineTooBusy {
      if ContinuousClock.now >= end { throw error }
    }
  }
}
