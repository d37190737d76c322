package import EventLoop
package import NowPlaying
package import Reports

/// Reads the state over the control socket, as each client does, and compares it with the state of
/// the center. So an error in the server, in the coding or in the client has a finding. The
/// connection exists only while the state is read.
///
/// Thread: the thread of the loop, which is also the thread of the daemon. Nothing here blocks.
package final class StateReadBack {
  /// Maximum time until the state has been read.
  private static let limit = Duration.milliseconds(500)

  private let client: ControlClient
  private let center: NowPlayingCenter
  private let loop: EventLoop
  private var completion: ((DiagnosisReport.Finding) -> Void)?
  private var timer: TimerSource?

  /// Reads the state. `completion` is called once, at the latest after half a second.
  package static func read(
    _ loop: EventLoop, path: String, _ center: NowPlayingCenter,
    completion: @escaping (DiagnosisReport.Finding) -> Void
  ) {
    StateReadBack(loop, path, center, completion).start()
  }

  private init(
    _ loop: EventLoop, _ path: String, _ center: NowPlayingCenter,
    _ completion: @escaping (DiagnosisReport.Finding) -> Void
  ) {
    var policy = ClientPolicy()
    policy.pingInterval = nil
    policy.serviceName = nil
    client = ControlClient(loop, path: path, policy: policy)
    self.loop = loop
    self.center = center
    self.completion = completion
  }

  private func start() {
    // The timer keeps this object until the end.
    timer = TimerSource(loop) { self.end(Self.unread("no answer")) }
    timer?.set(after: Self.limit)
    client.onState = { [weak self] state in
      if state == .connected { self?.ask() }
    }
    client.start()
  }

  private func ask() {
    client.call(NowPlaying1.state.get) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let read):
        let state = center.state
        // The center has published another state in the meantime.
        if read.revision < state.revision { return ask() }
        end(Self.finding(read, state))
      case .failure(let error): end(Self.unread("\(error)"))
      }
    }
  }

  private func end(_ finding: DiagnosisReport.Finding) {
    guard let completion else { return }
    self.completion = nil
    // The caller may be the client or the timer, so both are released later.
    loop.defer { self.timer = nil }
    timer?.stop()
    completion(finding)
  }

  // MARK: Findings

  private static let subject = "control socket"

  private static func unread(_ reason: String) -> DiagnosisReport.Finding {
    DiagnosisReport.Finding(
      "wire.unread", subject, .note, "the state could not be read back: \(reason)",
      remedy: "run 'diagnose' again; 'log' shows clients that were refused")
  }

  /// The finding about a state that was read, and the state that the center has published.
  private static func finding(_ read: NowPlayingState, _ state: NowPlayingState)
    -> DiagnosisReport.Finding
  {
    let differences = differences(read, state)
    guard !differences.isEmpty else {
      return DiagnosisReport.Finding(
        "wire.same", subject, .good, "the state arrives as it was published")
    }
    return DiagnosisReport.Finding(
      "wire.differs", subject, .bad, differences.joined(separator: "; "),
      meaning: "the screen and other programs show what is not so",
      remedy: "install the same version of all programs, and restart the daemon")
  }

  private static func differences(_ read: NowPlayingState, _ state: NowPlayingState) -> [String] {
    // Elapsed times are compared at one moment, so they are equal if the anchors are.
    let moment = state.playback?.timestamp ?? MonotonicInstant(awake: .zero)
    let shown = AnswerCoding.restored(DisplayedState(of: read, at: moment), from: state)
    var found = DisplayedState(of: state, at: moment).differences(from: shown).map(\.description)
    func compare(_ name: String, _ isSame: Bool) { if !isSame { found.append("\(name) differs") } }
    compare("session", read.session == state.session)
    compare("content", read.content?.id == state.content.map { WireText.identityText($0.id) })
    compare("mute", read.volume.isMuted == state.volume.isMuted)
    compare("commands", read.commands.map(\.kind) == state.commands.map(\.kind))
    compare("transport", read.transport == state.transport)
    compare("buttons", read.template.buttons.count == state.template.buttons.count)
    compare("up next", read.upNext.count == state.upNext.count)
    return found
  }
}
