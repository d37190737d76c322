package import EventLoop

extension Bus {
  /// Calls a method of a peer. The completion is called once, after this function has returned. The completion also
  /// receives the details of an error. If the answer cannot be decoded, the error is a ``WireError``.
  @discardableResult
  package func call<Arguments, Results>(
    _ method: BusMethod<Arguments, Results>, at path: String, _ arguments: Arguments,
    timeout: Duration,
    completion: @escaping (Result<Results, any Error>, _ details: [String]) -> Void
  ) -> PendingCall {
    let returns = method.returns
    return callForDetails(
      nil, path, method.row.interface, method.row.name, method.takes.write(arguments),
      timeout: timeout
    ) { result, details in
      switch result {
      case .failure(let error): completion(.failure(error), details)
      case .success(let body): completion(Result { try returns.read(body.values) }, details)
      }
    }
  }

  /// Calls a method of a peer without requesting an answer.
  package func post<Arguments>(
    _ method: BusMethod<Arguments, Void>, at path: String, _ arguments: Arguments
  ) throws(BusError) {
    try post(nil, path, method.row.interface, method.row.name, method.takes.write(arguments))
  }

  /// Calls the handler with the values of the signal, each time the peer sends this signal.
  package func match<Values>(
    _ signal: BusSignal<Values>, at path: String,
    _ handler: @escaping (Result<Values, any Error>) -> Void
  ) throws(BusError) -> BusMatch {
    let carries = signal.carries
    return try match(MatchRule(path: path, interface: signal.interface, member: signal.name)) {
      message in
      handler(Result { try carries.read(try message.body().values) })
    }
  }

  /// Sends a signal to this peer.
  package func emit<Values>(_ signal: BusSignal<Values>, at path: String, _ values: Values)
    throws(BusError)
  {
    try emit(path, signal.interface, signal.name, signal.carries.write(values))
  }
}
