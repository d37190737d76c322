internal import Console
internal import Control
internal import EventLoop
internal import NowPlaying
internal import Reports

// Reboot and power-off, through the daemon or without it.
extension ControlBackend {
  /// Requests the action from the daemon. If the daemon cannot be reached, or does not answer
  /// within `answerTimeout` of the policy, the action is requested from the service manager
  /// instead.
  func power(_ action: PowerAction, _ answer: @escaping (ConsoleReply) -> Void) {
    var isAnswered = false
    func finish(_ reply: ConsoleReply) {
      if !isAnswered { answer(reply) }
      isAnswered = true
    }
    powerTimer = TimerSource(loop, accuracy: .milliseconds(50)) { [weak self] in
      guard let self, !isAnswered else { return }
      isAnswered = true
      let state = client.state
      powerWithoutDaemon(
        action, state == .connected ? .hangs(since: client.policy.answerTimeout) : state, answer)
    }
    powerTimer?.set(after: client.policy.answerTimeout)
    client.call(action == .reboot ? Unit1.reboot : Unit1.powerOff) { [weak self] result in
      self?.powerTimer?.stop()
      switch result {
      case .success: finish(.done(Self.message(action)))
      case .failure(.unreachable(let state)):
        guard !isAnswered else { return }
        isAnswered = true
        self?.powerWithoutDaemon(action, state, answer)
      case .failure(let error): finish(.refused(error.refusal))
      }
    }
  }

  /// Requests the action from the service manager, because the daemon cannot be reached or does not
  /// answer.
  func powerWithoutDaemon(
    _ action: PowerAction, _ state: DaemonState, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    let finding = state.finding ?? "The daemon does not answer."
    guard let request = powerRequest else {
      return answer(
        .refused(
          Refusal(
            .noService, "\(finding) This console has no permission to do it itself.",
            remedy: "run 'systemctl \(action.rawValue)' as root")))
    }
    if let refusal = request.submit(action) {
      return answer(
        .refused(
          Refusal(refusal.code, "\(finding) \(refusal.sentence)", remedy: refusal.remedy)))
    }
    let message = Self.message(action)
    answer(
      .done(
        ConsoleMessage(
          "\(message.code)-without-daemon",
          "\(finding) The console sent the request to the service manager instead. \(message.text)")
      ))
  }

  private static func message(_ action: PowerAction) -> ConsoleMessage {
    switch action {
    case .reboot: ConsoleMessage("reboot", "The machine restarts.")
    case .poweroff: ConsoleMessage("poweroff", "The machine switches off.")
    }
  }
}
