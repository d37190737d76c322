internal import Console
internal import Control
internal import NowPlaying
internal import Reports
internal import SystemClock

// Turns commands of the console into calls to the daemon, and answers of the daemon into replies.
extension ControlBackend {
  /// The maximum number of trace entries in a reply. It fills a few screens.
  private static let traceEntries = 50

  /// The longest time for the daemon's diagnosis. Together with the time for the diagnosis without the daemon, it is
  /// shorter than the time limit of a command.
  private static let diagnosisTime = Duration.seconds(3.5)

  func perform(_ command: ConsoleCommand, _ answer: @escaping (ConsoleReply) -> Void) {
    let state = client.state
    guard state == .connected else { return performWithoutDaemon(command, state, answer) }
    switch command {
    case .status: status(answer)
    case .now: getState(answer) { .now($0, at: MonotonicInstant.now()) }
    case .part(let part): getState(answer) { .part(part, $0) }
    case .queue(let command): perform(command, answer)
    case .playlist(let command): perform(command, answer)
    case .request(let request): send(request, answer)
    case .diagnose(let diagnosis): diagnose(diagnosis, answer)
    case .audio: facts(.audio, answer)
    case .bluetooth(let command): perform(command, answer)
    case .keys: facts(.keys, answer)
    case .screen: facts(.screen, answer)
    case .devices: facts(.devices, answer)
    case .top: facts(.top, answer)
    case .report: report { answer(.report($0)) }
    case .boot: facts(.boot, answer)
    case .storage: facts(.storage, answer)
    case .version: facts(.version, answer)
    case .config(let command): perform(command, answer)
    case .library(let command): perform(command, answer)
    case .latency:
      client.call(Unit1.getLatency) { result in answer(Self.reply(result) { .latency($0) }) }
    case .trace(let what): trace(what, answer)
    case .log(let log): self.log(log, answer)
    case .service(let command): perform(command, answer)
    case .clock(let command): perform(command, answer)
    case .stick(let command): perform(command, answer)
    case .freeSpace(let deletes): freeSpace(deletes: deletes, answer)
    case .testSound:
      client.call(Unit1.testSound) { result in
        answer(
          Self.reply(result) {
            .done(
              ConsoleMessage(
                "sound-test", "A tone plays on the left, then a higher tone on the right."))
          })
      }
    case .chime: client.call(Unit1.playChime) { result in answer(Self.reply(result) { .done() }) }
    case .retry:
      client.call(Unit1.endSafeMode) { result in
        answer(Self.reply(result) { .done(ConsoleMessage("retry", "The daemon starts again.")) })
      }
    case .hold(let hold, .begin(let time)):
      // A console that runs a command for a script disconnects right after the command, so the hold must outlive the
      // connection.
      client.begin(hold, outlives: true, for: time) { answer(Self.reply($0) { .done() }) }
    case .hold(let hold, .end(let shouldResume)):
      client.end(hold, shouldResume: shouldResume) { answer(Self.reply($0) { .done() }) }
    case .reboot: power(.reboot, answer)
    case .poweroff: power(.poweroff, answer)
    case .shell: shell(answer)
    case .data(let what): storage(what, answer)
    }
  }

  private func diagnose(
    _ diagnosis: ConsoleCommand.Diagnosis, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    let request: DiagnosisRequest =
      switch diagnosis {
      case .summary, .details: .everything
      case .symptom(let symptom): .symptom(symptom)
      case .complaint(let complaint): .complaint(complaint)
      }
    client.call(Unit1.diagnose, request, timeout: Self.diagnosisTime) { [weak self] result in
      let reply = Self.reply(result) { .diagnosis($0, isBrief: diagnosis == .summary) }
      guard let self, case .unreachable(let state) = reply else { return answer(reply) }
      inspect(diagnosis, state, answer)
    }
  }

  /// Diagnoses the machine without the daemon.
  private func inspect(
    _ diagnosis: ConsoleCommand.Diagnosis, _ state: DaemonState,
    _ answer: @escaping (ConsoleReply) -> Void
  ) {
    let inspection = MachineInspection(state, machine, storageFiles) {
      answer(.diagnosis($0, isBrief: diagnosis == .summary))
    }
    work = inspection
    inspection.start(loop, journal: journal)
  }

  /// Executes a command without the daemon, if that is possible.
  func performWithoutDaemon(
    _ command: ConsoleCommand, _ state: DaemonState, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    switch command {
    case .version: answer(.done(ConsoleMessage("version", version)))
    case .diagnose(let diagnosis): inspect(diagnosis, state, answer)
    case .report: report { answer(.report($0)) }
    // Of the storage commands, only `data erase` needs the daemon.
    case .data(let what): storage(what, answer)
    case .log(.follow): log(.last(ConsoleCommand.Log.usualLines, nil), answer)
    case .log(let log): self.log(log, answer)
    case .service(let command): perform(command, answer)
    case .stick(let command): perform(command, answer)
    case .freeSpace(let deletes): freeSpace(deletes: deletes, answer)
    case .config(let command): answer(configWithoutDaemon(command, state))
    case .reboot: powerWithoutDaemon(.reboot, state, answer)
    case .poweroff: powerWithoutDaemon(.poweroff, state, answer)
    default: answer(.unreachable(state))
    }
  }

  /// Converts the result of a call to a reply.
  static func reply<Value>(
    _ result: Result<Value, ControlError>, _ success: (Value) -> ConsoleReply
  ) -> ConsoleReply {
    switch result {
    case .success(let value): success(value)
    case .failure(.unreachable(let state)): .unreachable(state)
    case .failure(.noAnswer): .unreachable(.hangs(since: Commands1.send.timeout))
    case .failure(let error): .refused(error.refusal)
    }
  }

  /// Sends a command. If the command changes the volume, repeat, shuffle or the rate, the reply contains the new value.
  /// For example, the command `mute` switches the sound off or on, and the reply shows which of the two. If an
  /// interruption silences what is to play, the reply says so.
  private func send(
    _ request: CommandRequest, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    client.call(Commands1.send, SentCommand(request, from: Self.surface)) { [weak self] result in
      guard let self, case .success(let outcome) = result, outcome.answer == .success else {
        return answer(Self.reply(result) { .answer($0.answer) })
      }
      if let part = Self.part(request) {
        getState(answer) {
          let facts = NowPlayingFacts($0, at: MonotonicInstant.now())
          return .done(ConsoleMessage("setting-changed", facts.part(part)))
        }
      } else if case .media(let media) = request, [.play, .togglePlayPause].contains(media.kind) {
        getState(answer) { Self.reply(outcome.answer, $0.hold) }
      } else {
        answer(.answer(outcome.answer))
      }
    }
  }

  private static func reply(_ answer: CommandAnswer, _ hold: PlaybackHold?) -> ConsoleReply {
    guard case .interruption(let reason)? = hold else { return .answer(answer) }
    return .done(
      ConsoleMessage(
        "interrupted",
        "It is silent because of '\(reason)'; 'interrupt end \(reason)' ends this."))
  }

  private static func part(_ request: CommandRequest) -> ConsoleCommand.Part? {
    switch request {
    case .volume: .volume
    case .media(.changeRepeatMode): .repeatMode
    case .media(.changeShuffleMode): .shuffleMode
    case .media(.changePlaybackRate): .rate
    default: nil
    }
  }

  private func getState(
    _ answer: @escaping (ConsoleReply) -> Void,
    _ success: @escaping (NowPlayingState) -> ConsoleReply
  ) {
    client.call(NowPlaying1.state.get) { result in answer(Self.reply(result, success)) }
  }

  func facts(_ topic: FactsTopic, _ answer: @escaping (ConsoleReply) -> Void) {
    client.call(Unit1.getFacts, topic) { result in answer(Self.reply(result) { .facts($0) }) }
  }

  private func status(_ answer: @escaping (ConsoleReply) -> Void) {
    client.call(NowPlaying1.state.get) { [client] result in
      guard case .success(let state) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      client.call(Unit1.getFacts, .status) { result in
        answer(Self.reply(result) { .status(state, at: MonotonicInstant.now(), $0) })
      }
    }
  }

  private func trace(_ what: ConsoleCommand.Trace, _ answer: @escaping (ConsoleReply) -> Void) {
    guard what != .show else {
      client.call(Unit1.getTrace, Self.traceEntries) { result in
        answer(Self.reply(result) { .trace($0) })
      }
      return
    }
    isTracing = what == .on
    client.follow(trace: isTracing)
    answer(
      .done(
        isTracing
          ? ConsoleMessage("trace-on", "New commands, states and sound events are shown.") : nil))
  }

  /// Shows the last lines, and new lines until the command is cancelled. After a restart of the daemon, its new lines
  /// are shown too.
  func followLog(_ answer: @escaping (ConsoleReply) -> Void) {
    // A line that is logged between the two calls is part of the answer. Its signal arrives before the answer and is
    // ignored, because `logFollow` is `waiting`.
    client.follow(log: true)
    logFollow = .waiting
    client.call(Unit1.getLog, ConsoleCommand.Log.usualLines) { [weak self] result in
      guard case .success(let lines) = result else {
        return answer(Self.reply(result) { .text($0.map(LogText.line)) })
      }
      guard let self, logFollow == .waiting else { return }
      logFollow = .showing
      for line in lines { onEvent?(.log(LogText.line(line))) }
    }
  }

  private func shell(_ answer: @escaping (ConsoleReply) -> Void) {
    client.call(Unit1.isShellAllowed) { result in
      answer(
        Self.reply(result) { isAllowed in
          isAllowed
            ? .shell(path: Shell.path)
            : .refused(
              Refusal(
                .shellNotAllowed, "A shell is not allowed here.",
                remedy: "'console-shell = yes' in autoharp.conf on the boot partition allows it"))
        })
    }
  }
}
