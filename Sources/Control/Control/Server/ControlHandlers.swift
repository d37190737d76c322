internal import BusMethods
internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

/// The server's data about the caller of a method.
struct ControlCaller {
  let client: ServedClient
  let row: ControlRow
  /// The time at which the call arrived.
  let now: MonotonicInstant
  let turns: Turns

  /// Throws if the caller does not have this right. Used for a right that only some calls of a method need. The row of
  /// the method must name this right.
  func require(_ right: AccessRight) throws {
    precondition(row.also == right, "\(row.method.fullName) does not name the right '\(right)'")
    try right.require(client.role)
  }
}

/// A call of the control socket, with its arguments.
typealias ServedCall<Arguments, Results> = TypedCall<Arguments, Results, ControlCaller>

extension ServedCall where Caller == ControlCaller {
  func refuse(_ refusal: Refusal) {
    call.fail(RefusalCoding.error(ControlError.refusedName, refusal))
  }

  /// Answers with the result of a part of the unit, possibly after the handler has returned. Requests a turn
  /// (``Turns``), because the call has possibly changed the state of the unit.
  @_semantics("optimize.sil.specialize.generic.never")
  func finish(_ result: Result<Results, Refusal>) {
    switch result {
    case .success(let results): reply(results)
    case .failure(let refusal): refuse(refusal)
    }
    caller.turns.request()
  }

  /// Answers with a result of the library.
  func finish(_ result: Result<Results, LibraryFailure>) { finish(result) { $0 } }

  /// Answers with a result of the library, which `results` converts.
  @_semantics("optimize.sil.specialize.generic.never")
  func finish<Value>(
    _ result: Result<Value, LibraryFailure>, _ results: (Value) -> Results
  ) {
    switch result {
    case .success(let value): reply(results(value))
    case .failure(let failure): refuse(Refusal(failure))
    }
  }
}

extension ServedCall where Caller == ControlCaller, Results == Void {
  /// Answers with a refusal. If the refusal is nil, answers that the request was carried out.
  func finish(_ refusal: Refusal?) { finish(refusal.map { .failure($0) } ?? .success(())) }

  /// Answers a short command, a method without results.
  func finish(_ answer: CommandAnswer) {
    if let error = AnswerCoding.error(answer) { call.fail(error) } else { reply() }
  }
}

/// The handlers of all methods of the control socket, and functions that send the followed values again.
struct ControlHandlers {
  private(set) var methods = MethodHandlers<ControlServer, ControlCaller>()
  /// Functions that send the present value of a subject to a client that has missed changes.
  private(set) var senders: [Subject: (ControlServer, ServedClient) -> Void] = [:]

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func on<Arguments, Results>(
    _ method: ControlMethod<Arguments, Results>,
    _ handler: @escaping (ControlServer, ServedCall<Arguments, Results>) throws -> Void
  ) {
    let also = method.also
    methods.on(
      method.method,
      check: { arguments, caller in
        if let also, also.isNeeded?(arguments) == true {
          try also.right.require(caller.client.role)
        }
      }, handler)
  }

  /// Adds the three methods of a followed value: get, subscribe and unsubscribe.
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func follow<Value>(
    _ value: FollowedValue<Value>, _ present: @escaping (ControlServer) -> Value
  ) {
    on(value.get) { server, call in call.reply(present(server)) }
    on(value.subscribe) { server, call in
      call.caller.client.subjects.insert(value.subject)
      call.reply(present(server))
    }
    on(value.unsubscribe) { _, call in
      call.caller.client.subjects.remove(value.subject)
      call.reply()
    }
    resend(value.subject, value.changed, present)
  }

  /// Adds the function that sends the present value of a subject again.
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func resend<Value>(
    _ subject: Subject, _ signal: BusSignal<Value>, _ present: @escaping (ControlServer) -> Value
  ) {
    senders[subject] = { server, client in
      client.emit(subject, signal, signal.carries.write(present(server)))
    }
  }
}
