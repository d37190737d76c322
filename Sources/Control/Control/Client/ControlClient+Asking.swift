internal import EventLoop

extension ControlClient {
  /// Calls a method, and reads what comes back.
  /// - Parameters:
  ///   - optional: how many of the last results an older daemon leaves out.
  ///   - read: of values of the method's types.
  @discardableResult
  func ask<Value>(
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
        // A newer daemon may say more behind it.
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

  /// Asks, and does not want to know what becomes of it.
  func tell(_ interface: BusInterface, _ member: String, _ arguments: [BusValue]) {
    if bus?.isReady == true {
      ask(interface, member, arguments, then: { (_: Result<Void, ControlError>) in }) { _ in }
    }
  }
}
