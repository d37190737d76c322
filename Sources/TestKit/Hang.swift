/// The time after which a wait of a test counts as a hang. It is so long that even a busy machine does not reach it.
public enum Hang {
  /// The time limit of a wait.
  public static let limit = Duration.seconds(300)
  /// The time limit in milliseconds.
  public static let milliseconds = Int(limit / .milliseconds(1))
}

/// The error that is thrown if the machine was too busy for a measurement in real time.
public struct MachineTooBusy: Error {
  public init() {}
}

/// Repeats a measurement in real time until the machine does not disturb it. If this does not succeed within
/// ``Hang/limit``, throws the last ``MachineTooBusy``.
/// - Parameter measure: throws ``MachineTooBusy`` if the machine has disturbed the measurement. `measure` must throw
///   this error before it compares any result.
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
