internal import EventLoop
package import NowPlaying

// Subscriptions. The client renews them after a restart of the daemon.
extension ControlClient {
  /// Subscribes to the state, also after each reconnection. The state is passed to
  /// ``onNowPlaying``.
  package func subscribe() {
    subscribesToState = true
    guard bus?.isReady == true, registration == nil else { return }
    subscribeNow()
  }

  private func subscribeNow() {
    subscribe(to: ControlInterface.nowPlaying) { try $0.show($1) }
  }

  /// Subscribes to an interface. `show` takes the present state. A state that cannot be read is reported to
  /// ``onProblem``.
  func subscribe(
    to interface: BusInterface,
    _ show: @escaping (ControlClient, [BusValue]) throws -> Void
  ) {
    call(
      interface, "Subscribe",
      then: { [weak self] (result: Result<Void, ControlError>) in
        if case .failure(.unreadable(let reason)) = result { self?.onProblem?(reason) }
      }
    ) { [weak self] values in
      if let self { try show(self, values) }
    }
  }

  /// Registers as a surface, also after each reconnection. The state is passed to ``onNowPlaying``.
  /// - Parameter onToken: called with a token, for the loop-back test (C7). The client returns the
  ///   token to the daemon by itself, which proves that commands reach the daemon. Call
  ///   ``confirmShown(_:)`` with the token as soon as the surface has drawn its next picture.
  package func register(
    as name: String, showsTemplate: Bool, onToken: @escaping (Int) -> Void
  ) {
    registration = Registration(name: name, showsTemplate: showsTemplate, onToken: onToken)
    if bus?.isReady == true { renewRegistration() }
  }

  /// Ends the registration as a surface. After ``subscribe()``, the state is still passed to
  /// ``onNowPlaying``.
  package func unregister() {
    guard registration != nil else { return }
    registration = nil
    callIgnoringResult(ControlInterface.surface, "Unregister", [])
    if bus?.isReady == true, subscribesToState { subscribeNow() }
  }

  /// Confirms that the surface has drawn a picture after it received the token.
  package func confirmShown(_ token: Int) {
    callIgnoringResult(ControlInterface.surface, "ConfirmShown", [.count(token)])
  }

  /// Reports what the surface shows (P12). Only a surface that can read back what it shows calls
  /// this method.
  /// - Parameter onSettling: called if there is a difference that does not count yet, because the
  ///   surface got its state just before. The surface must report again after
  ///   `SurfaceGuard.settlingTime`.
  package func observed(_ facts: DisplayedState, onSettling: @escaping () -> Void = {}) {
    guard bus?.isReady == true else { return }
    call(
      ControlInterface.surface, "Observed", [AnswerCoding.value(of: facts)],
      then: { (result: Result<Bool, ControlError>) in
        if case .success(true) = result { onSettling() }
      }
    ) { AnswerCoding.isSettling($0[0].text ?? "") }
  }

  func tokenReceived(_ token: Int) {
    callIgnoringResult(ControlInterface.surface, "ReturnToken", [.count(token)])
    registration?.onToken(token)
  }

  private func renewRegistration() {
    guard let registration else { return }
    call(
      ControlInterface.surface, "Register",
      [.string(registration.name), .boolean(registration.showsTemplate)],
      then: { [weak self] (result: Result<Void, ControlError>) in
        guard case .failure(let error) = result, let self else { return }
        // If the registration is refused, a subscription still provides the state.
        if case .unreachable = error { return }
        onProblem?("the daemon refused the registration as a surface: \(error)")
        subscribeNow()
      }
    ) { [weak self] in try self?.show($0) }
  }

  /// Renews all subscriptions after a reconnection.
  func renew() {
    if registration != nil {
      renewRegistration()
    } else if subscribesToState {
      subscribeNow()
    }
    if subscribesToPhones { subscribeToPhones() }
    if subscribesToLibrary { subscribeToLibrary() }
    if subscribesToSettings { subscribeToSettings() }
    if !follows.isEmpty { follow() }
  }

  /// Starts (true) or stops (false) following the log, the trace, notices, the focus or the
  /// vehicle, also after each reconnection. Nil changes nothing.
  package func follow(
    log: Bool? = nil, trace: Bool? = nil, notices: Bool? = nil, focus: Bool? = nil,
    vehicle: Bool? = nil
  ) {
    func follow(_ word: String, _ isWanted: Bool?) {
      guard let isWanted else { return }
      if isWanted { follows.insert(word) } else { follows.remove(word) }
    }
    follow("log", log)
    follow("trace", trace)
    follow("notices", notices)
    follow("focus", focus)
    follow("vehicle", vehicle)
    callIgnoringResult(ControlInterface.unit, "Follow", [.strings(follows.sorted())])
  }
}
