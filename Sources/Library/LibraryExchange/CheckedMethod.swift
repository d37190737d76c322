internal import BusMethods
internal import EventLoop

/// A D-Bus method of the process of the library. The method returns an answer, which the daemon checks.
package final class CheckedMethod<Arguments, Results>: Sendable {
  let method: BusMethod<Arguments, Results>
  private let check: @Sendable (Results, Arguments) throws(AnswerFault) -> Void

  /// - Parameters:
  ///   - takes, returns: the types of the arguments and of the results. The types check each value of the results.
  ///   - check: throws if the results do not fit the arguments.
  init(
    _ name: String, takes: Fields<Arguments>, returns: Fields<Results>,
    check: @escaping @Sendable (Results, Arguments) throws(AnswerFault) -> Void = {
      (_, _) throws(AnswerFault) in
    }
  ) {
    method = BusMethod(name, takes: takes, returns: returns)
    self.check = check
  }

  func read(_ values: [BusValue], to arguments: Arguments) throws(AnswerFault) -> Results {
    let results = try method.returns.readStrictly(values)
    try check(results, arguments)
    return results
  }
}

extension Fields {
  /// Reads the values of an answer or a signal of the library. Throws a fault with a reason for the log.
  func readStrictly(_ values: [BusValue]) throws(AnswerFault) -> Value {
    let expected = list.map(\.signature).joined()
    let found = values.map(\.signature).joined()
    guard found == expected else {
      throw AnswerFault("the signature is '\(found.prefix(64))', not '\(expected)'")
    }
    do { return try read(values) } catch {
      throw error as? AnswerFault ?? AnswerFault("\(error)")
    }
  }
}
