package import EventLoop

/// A received call with typed arguments, and the data that the server has about the caller. The server can answer the
/// call at once or later. If all copies of this value are released without an answer, the caller gets an error.
package struct TypedCall<Arguments, Results, Caller> {
  package let arguments: Arguments
  package let caller: Caller
  package let call: MethodCall
  private let returns: Fields<Results>

  fileprivate init(
    _ call: MethodCall, _ arguments: Arguments, _ caller: Caller, _ returns: Fields<Results>
  ) {
    self.arguments = arguments
    self.caller = caller
    self.call = call
    self.returns = returns
  }

  /// Sends the answer.
  package func reply(_ results: Results) { call.reply(returns.write(results)) }
}

extension TypedCall where Results == Void {
  /// Sends the answer, which has no values.
  package func reply() { reply(()) }
}

/// The handlers of a server, keyed by the full name of the method. This value has no reference to the server.
package struct MethodHandlers<Server, Caller> {
  private typealias Run = (Server, MethodCall, Caller) throws -> Void
  private var handlers: [String: Run] = [:]

  package init() {}

  /// Adds the handler of a method: `handlers.on(Library1.getRows) { server, call in … }`.
  /// - Parameter check: throws if the caller is not permitted to call the method with these arguments.
  package mutating func on<Arguments, Results>(
    _ method: BusMethod<Arguments, Results>,
    check: @escaping (Arguments, Caller) throws -> Void = { _, _ in },
    _ handler: @escaping (Server, TypedCall<Arguments, Results, Caller>) throws -> Void
  ) {
    let (takes, returns) = (method.takes, method.returns)
    add(method.row.fullName) { server, call, caller in
      let arguments = try takes.read(call.arguments.values)
      try check(arguments, caller)
      try handler(server, TypedCall(call, arguments, caller, returns))
    }
  }

  private mutating func add(_ name: String, _ run: @escaping Run) {
    precondition(handlers.updateValue(run, forKey: name) == nil, "\(name) has two handlers")
  }

  /// Stops the program if a method has no handler, or if a handler has no method. So each test that creates a server
  /// finds such a mistake.
  package func checkComplete(_ rows: [MethodRow]) {
    let difference = Set(rows.map(\.fullName)).symmetricDifference(handlers.keys)
    precondition(difference.isEmpty, "methods without a handler or a row: \(difference.sorted())")
  }

  /// Runs the handler of a call.
  /// - Throws: if the method is unknown or an argument is not permitted; also the errors of the check and of the
  ///   handler.
  package func handle(_ call: MethodCall, _ server: Server, _ caller: Caller) throws {
    guard let run = handlers["\(call.interface).\(call.member)"] else {
      throw BusErrorReply(BusErrorName.unknownMethod, call.member)
    }
    try run(server, call, caller)
  }
}
