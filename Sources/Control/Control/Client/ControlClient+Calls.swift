internal import BusMethods
package import EventLoop
package import LibraryModel
package import Reports

// Calls to the daemon. A completion is called once, after the method has returned, on the loop's thread. It is not
// called after this object is deallocated.
extension ControlClient {
  /// Called with the result of a call.
  package typealias Completion<Value> = (Result<Value, ControlError>) -> Void

  /// A call that was sent. It can be cancelled.
  package typealias Ticket = PendingCall

  /// Calls a method: `client.call(Library1.getRows, request) { … }`.
  /// - Parameter timeout: nil for the timeout of the method.
  @discardableResult
  @_semantics("optimize.sil.specialize.generic.never")
  package func call<Arguments, Results>(
    _ method: ControlMethod<Arguments, Results>, _ arguments: Arguments, timeout: Duration? = nil,
    _ completion: @escaping Completion<Results>
  ) -> Ticket? {
    guard let bus, bus.isReady else {
      loop.defer { [weak self] in
        if let self { completion(.failure(.unreachable(state))) }
      }
      return nil
    }
    return bus.call(
      method.method, at: ControlInterface.path, arguments, timeout: timeout ?? method.timeout
    ) { [weak self] result, details in
      guard let self else { return }
      completion(result.mapError { ControlError($0, details: details, state) })
    }
  }

  /// Calls a method without arguments.
  @discardableResult
  package func call<Results>(
    _ method: ControlMethod<Void, Results>, _ completion: @escaping Completion<Results>
  ) -> Ticket? { call(method, (), completion) }

  /// Calls a method without waiting for its result. Does nothing if the daemon is unavailable.
  func post<Arguments>(_ method: ControlMethod<Arguments, Void>, _ arguments: Arguments) {
    if bus?.isReady == true { call(method, arguments) { _ in } }
  }

  /// Reads the state of the library, with the volumes.
  @discardableResult
  package func libraryState(_ completion: @escaping Completion<LibraryState>) -> Ticket? {
    call(Library1.state.get) { [weak self] result in
      switch result {
      case .failure(let error): completion(.failure(error))
      case .success(var state):
        self?.call(Sources1.sources.get) { result in
          completion(
            result.map { volumes in
              state.volumes = volumes
              return state
            })
        }
      }
    }
  }

  /// Begins a hold: an interruption or a duck of the sound.
  /// - Parameters:
  ///   - outlives: true if the hold continues after this client disconnects. Such a hold ends after `time`, or after
  ///     ``SoundHold/standardTime`` if `time` is nil.
  ///   - time: the time after which the hold ends. Nil for no time limit.
  @discardableResult
  package func begin(
    _ hold: SoundHold, outlives: Bool = false, for time: Duration? = nil,
    _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    call(
      hold.isDuck ? Unit1.beginDuck : Unit1.beginInterruption,
      HoldBegin(hold.name, outlives: outlives, for: time), completion)
  }

  /// Ends a hold.
  /// - Parameter shouldResume: false if the content that the interruption has paused must stay paused.
  @discardableResult
  package func end(
    _ hold: SoundHold, shouldResume: Bool = true, _ completion: @escaping Completion<Void>
  ) -> Ticket? {
    hold.isDuck
      ? call(Unit1.endDuck, hold.name, completion)
      : call(
        Unit1.endInterruption, InterruptionEnd(hold.name, shouldResume: shouldResume), completion)
  }
}
