internal import EventLoop

extension ControlClient {
  /// Calls a method and parses its results.
  /// - Parameters:
  ///   - optional: how many of the last results an older daemon does not send.
  ///   - read: parses the results. Called only if the results have the expected types.
  @discardableResult
  func call<Value>(
    _ interface: BusInterface, _ member: String, _ arguments: [BusValue] = [],
    timeout: Duration = timeout, optional: Int = 0, then completion: @escaping Completion<Value>,
    read: @escaping ([BusValue]) throws -> Value
  ) -> Ticket? {
    guard let bus, bus.isReady else {
      loop.defer { [weak self] in
        if let self { completion(.failure(.unreachable(state))) }
      }
      return nil
    }
    return bus.callForDetails(
      nil, ControlInterface.path, interface.name, member, arguments, timeout: timeout
    ) { [weak self] result, details in
      guard let self else { return }
      switch result {
      case .failure(let error):
        completion(.failure(ControlError(error, details: details, state)))
      case .success(let body):
        let method = interface.methods.first { $0.name == member }
        let expected = method?.results.dropLast(optional).map(\.signature).joined() ?? ""
        let found = body.values.map(\.signature).joined()
        // A newer daemon may add further results.
        guard found.hasPrefix(expected) else {
          return completion(.failure(.unreadable("expected \(expected), found \(found)")))
        }
        do {
          completion(.success(try read(body.values)))
        } catch {
          completion(.failure(.unreadable("\(error)")))
        }
      }
    }
  }

  /// Calls a method and ignores its result.
  func callIgnoringResult(_ interface: BusInterface, _ member: String, _ arguments: [BusValue]) {
    if bus?.isReady == true {
      call(interface, member, arguments, then: { (_: Result<Void, ControlError>) in }) { _ in }
    }
  }
}
