internal import EventLoop
package import NowPlaying

// What is wanted from now on, also after the daemon was restarted.
extension ControlClient {
  /// Wants the state, from now on and after each coming back. It comes to ``onNowPlaying``.
  package func subscribe() {
    wantsState = true
    guard bus?.isReady == true, registration == nil else { return }
    subscribeNow()
  }

  private func subscribeNow() {
    ask(
      ControlInterface.nowPlaying, "Subscribe",
      then: { [weak self] (result: Result<Void, ControlError>) in
        if case .failure(.unreadable(let words)) = result { self?.onTrouble?(words) }
      }
    ) { [weak self] in try self?.show($0) }
  }

  /// Becomes a surface, now and after each coming back. The state comes to ``onNowPlaying``.
  /// - Parameter onToken: the loop-back (C7): call ``confirmShown(_:)`` with this as soon as the
  ///   surface has shown something. That commands arrive is proved by itself.
  package func register(
    as name: String, showsTemplate: Bool, onToken: @escaping (Int) -> Void
  ) {
    registration = Registration(name: name, showsTemplate: showsTemplate, onToken: onToken)
    if bus?.isReady == true { renewRegistration() }
  }

  /// Says that the surface has shown something since it was given the token.
  package func confirmShown(_ token: Int) {
    tell(ControlInterface.surface, "ConfirmShown", [.count(token)])
  }

  /// Says what the surface shows, where that can be read back (P12).
  package func observed(_ facts: DisplayedState) {
    tell(ControlInterface.surface, "Observed", [AnswerCoding.value(of: facts)])
  }

  func tokenCame(_ token: Int) {
    tell(ControlInterface.surface, "ReturnToken", [.count(token)])
    registration?.onToken(token)
  }

  private func renewRegistration() {
    guard let registration else { return }
    ask(
      ControlInterface.surface, "Register",
      [.string(registration.name), .boolean(registration.showsTemplate)],
      then: { [weak self] (result: Result<Void, ControlError>) in
        guard case .failure(let error) = result, let self else { return }
        // It is shown all the same.
        if case .unreachable = error { return }
        onTrouble?("not taken as a surface: \(error)")
        subscribeNow()
      }
    ) { [weak self] in try self?.show($0) }
  }

  /// After each coming back: whatever was wanted before.
  func renew() {
    if registration != nil {
      renewRegistration()
    } else if wantsState {
      subscribeNow()
    }
    if wantsPhones { subscribeToPhones() }
    if !follows.isEmpty { follow() }
  }

  /// Wants each new line of the log, entry of the trace, notice or move of the focus, or no more of
  /// them; also after each coming back.
  package func follow(
    log: Bool? = nil, trace: Bool? = nil, notices: Bool? = nil, focus: Bool? = nil
  ) {
    func follow(_ word: String, _ isWanted: Bool?) {
      guard let isWanted else { return }
      if isWanted { follows.insert(word) } else { follows.remove(word) }
    }
    follow("log", log)
    follow("trace", trace)
    follow("notices", notices)
    follow("focus", focus)
    tell(ControlInterface.unit, "Follow", [.strings(follows.sorted())])
  }
}
