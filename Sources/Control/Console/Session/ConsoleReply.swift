package import LibraryModel
package import NowPlaying
package import Reports
package import Text

/// The result of a command.
package enum ConsoleReply: Sendable {
  /// The command was executed, with an optional message.
  case done(ConsoleMessage? = nil)
  /// The answer of a source to a command of a surface.
  case answer(CommandAnswer)
  /// The reply to the command `now`. `at` is the present time, on the same clock as the times in the state.
  case now(NowPlayingState, at: MonotonicInstant)
  /// The reply to `volume`, `rate`, `repeat`, `shuffle` or `stars` without a value.
  case part(ConsoleCommand.Part, NowPlayingState)
  case queue(QueueReport)
  case recent([RecentReport])
  /// The reply to `status`: the state of Now Playing, and the facts about the unit.
  case status(NowPlayingState, at: MonotonicInstant, FactsReport)
  case facts(FactsReport)
  /// The reply to `bt phones`. `at` is the present time, on the same clock as the times in the state.
  case phones(PhonesState, at: MonotonicInstant)
  case library(LibraryState)
  case listing(LibraryListing)
  case letters([LetterGroup])
  case findings(LibraryFindings)
  case doubts(LibraryDoubts)
  /// No entry of the library has the name in the command, or several entries have this name. `then` returns the command
  /// for the entry that the user chooses.
  case question(EntryQuestion, then: @Sendable (LibraryRow) -> ConsoleCommand)
  case diagnosis(DiagnosisReport, isBrief: Bool = false)
  case latency(LatencyTable)
  case trace([TraceEntry])
  case log(LogReport)
  case services([ServiceReport])
  /// One service, and its last lines.
  case service(ServiceReport, LogReport)
  case report(UnitReport)
  /// Facts, and a command that the user can confirm after reading them.
  case offer(FactsReport, ConsoleCommand)
  /// Lines of text, such as the reply to `log`.
  case text([String])
  /// A shell is permitted; `path` is the program to start.
  case shell(path: String)
  /// The command was refused. The refusal contains the reason and the remedy.
  case refused(Refusal)
  /// The daemon could not be reached.
  case unreachable(DaemonState)
}

/// An event that is not a reply to a command.
package enum ConsoleEvent: Sendable {
  /// An entry of the trace, after `trace on`.
  case trace(TraceEntry)
  /// A line of the log, during `log -f`.
  case log(String)
  /// A message for the user.
  case notice(ConsoleMessage)
  /// The daemon answers again, or this user has no permission to use it.
  case daemon(DaemonState)
  /// The daemon is unavailable or does not answer, see ``DaemonPresence``.
  case away(DaemonPresence.Step, DaemonState)
}

extension ConsoleReply {
  /// The effect of the reply on the exit status.
  package var outcome: ConsoleOutcome {
    switch self {
    case .answer(let answer): answer == .success ? .success : .failure
    case .services(let services): services.contains { $0.grade == .bad } ? .failure : .success
    case .service(let service, _): service.grade == .bad ? .failure : .success
    case .status(_, _, let facts), .facts(let facts): facts.hasProblem ? .failure : .success
    case .diagnosis(let report, _): report.isWell ? .success : .failure
    case .refused, .question: .failure
    case .unreachable: .unreachable
    default: .success
    }
  }

  /// Lines for a person. Except for the sequences for colours, the lines contain nothing that a terminal would execute.
  package func lines(_ style: ReplyStyle) -> [String] {
    switch self {
    case .done(let message): message.map { [style.sanitized($0.text)] } ?? []
    case .answer(.success): []
    case .answer(let answer):
      Self.lines(answer.description, remedy: answer.refusal?.remedy, style)
    case .now(let state, let now):
      FactsReport([.init("", NowPlayingFacts(state, at: now).section.facts)]).lines(style)
    case .part(let part, let state):
      [style.plain(NowPlayingFacts(state, at: Self.noTime).part(part))]
    case .queue(let report): report.lines(style)
    case .recent(let lists): lists.lines(style)
    case .status(let state, let now, let facts):
      FactsReport([NowPlayingFacts(state, at: now).summary] + facts.sections).lines(style)
    case .facts(let facts), .offer(let facts, _): facts.lines(style)
    case .log(let report): report.lines(style)
    case .services(let services): services.lines(style)
    case .service(let service, let log): [service].lines(style) + log.lines(style)
    case .report(let report): report.lines(style)
    case .phones(let phones, let now): phones.lines(style, at: now)
    case .library(let state): state.lines(style)
    case .listing(let listing): listing.lines(style)
    case .letters(let groups): groups.lines(style)
    case .findings(let found): found.lines(style)
    case .doubts(let doubts): doubts.lines(style)
    case .question(let question, _):
      question.lines(style)
        + Self.lines(question.refusal.sentence, remedy: question.refusal.remedy, style)
    case .diagnosis(let report, let isBrief):
      isBrief ? report.briefLines(style) : report.lines(style)
    case .latency(let table): table.lines(style)
    case .trace(let entries):
      entries.isEmpty ? ["No command has arrived yet."] : entries.map { $0.line(style) }
    case .text(let lines): lines.map { style.sanitized($0, limit: ReplyStyle.logLimit) }
    case .shell: []
    case .refused(let refusal): Self.lines(refusal.sentence, remedy: refusal.remedy, style)
    case .unreachable(let state):
      [state.finding, state.remedy].compactMap { $0 }.map { style.sanitized($0) }
    }
  }

  /// Returns a line for the sentence and a line for the remedy. The remedy has the same form as in a diagnosis.
  private static func lines(_ sentence: String, remedy: String?, _ style: ReplyStyle) -> [String] {
    [style.paint(style.sanitized(sentence), .bad)]
      + [remedy].compactMap { $0 }.map { style.sanitized("→ \($0)") }
  }

  /// One JSON text for a program.
  package func write(to json: inout JSONWriter) {
    switch self {
    case .now(let state, let now): NowPlayingFacts(state, at: now).write(to: &json)
    case .part(_, let state): NowPlayingFacts(state, at: Self.noTime).write(to: &json)
    case .queue(let report): report.write(to: &json)
    case .recent(let lists): lists.write(to: &json)
    case .status(let state, let now, let facts):
      json.beginObject()
      json.key("nowPlaying")
      NowPlayingFacts(state, at: now).write(to: &json)
      json.key("facts")
      facts.write(to: &json)
      json.endObject()
    case .facts(let facts), .offer(let facts, _): facts.write(to: &json)
    case .log(let report): report.write(to: &json)
    case .services(let services): services.write(to: &json)
    case .service(let service, let log): service.write(with: log, to: &json)
    case .report(let report): report.write(to: &json)
    case .phones(let phones, _): phones.write(to: &json)
    case .library(let state): state.write(to: &json)
    case .listing(let listing): listing.write(to: &json)
    case .letters(let groups): groups.write(to: &json)
    case .findings(let found): found.write(to: &json)
    case .doubts(let doubts): doubts.write(to: &json)
    case .question(let question, _):
      json.beginObject()
      Self.writeMembers(false, question.refusal.sentence, question.refusal, to: &json)
      question.write(to: &json)
      json.endObject()
    case .diagnosis(let report, _): report.write(to: &json)
    case .latency(let table): table.write(to: &json)
    case .trace(let entries):
      json.beginArray()
      for entry in entries { entry.write(to: &json) }
      json.endArray()
    case .text(let lines):
      json.beginObject()
      json.key("lines")
      json.beginArray()
      for line in lines { json.value(line) }
      json.endArray()
      json.endObject()
    case .done(let message):
      Self.write(true, message?.text, code: message?.code, to: &json)
    case .answer(let answer):
      Self.write(answer == .success, answer.description, answer.refusal, to: &json)
    case .shell(let path): Self.write(true, path, to: &json)
    case .refused(let refusal): Self.write(false, refusal.sentence, refusal, to: &json)
    case .unreachable(let state):
      Self.write(false, state.finding, state.refusal, daemon: state.word, to: &json)
    }
  }

  private static func write(
    _ isDone: Bool, _ text: String?, _ refusal: Refusal? = nil, code: String? = nil,
    daemon: String? = nil, to json: inout JSONWriter
  ) {
    json.beginObject()
    writeMembers(isDone, text, refusal, code: code, daemon: daemon, to: &json)
    json.endObject()
  }

  private static func writeMembers(
    _ isDone: Bool, _ text: String?, _ refusal: Refusal? = nil, code: String? = nil,
    daemon: String? = nil, to json: inout JSONWriter
  ) {
    json.member("ok", isDone)
    json.member("daemon", daemon)
    json.member("text", text)
    json.member("code", code ?? refusal?.code.rawValue)
    json.member("remedy", refusal?.remedy)
  }

  /// The time for replies that do not depend on the time.
  private static let noTime = MonotonicInstant(awake: .zero)
}

extension ConsoleEvent {
  /// Lines for a person.
  package func lines(_ style: ReplyStyle) -> [String] {
    switch self {
    case .trace(let entry): [entry.line(style)]
    case .log(let line): [style.sanitized(line, limit: ReplyStyle.logLimit)]
    case .notice(let message): [style.paint(style.sanitized(message.text), .note)]
    case .daemon(.connected): [style.paint("The daemon is running.", .good)]
    case .daemon(let state): Self.lines(state, style)
    case .away(.starting, _): [style.paint("The daemon is starting.", .note)]
    case .away(.restarting, let state) where state.restartsByItself:
      ["The daemon has stopped, and restarts by itself.", state.finding].compactMap { $0 }
        .map { style.paint(style.sanitized($0), .bad) }
    case .away(_, let state): Self.lines(state, style)
    }
  }

  private static func lines(_ state: DaemonState, _ style: ReplyStyle) -> [String] {
    [state.finding, state.remedy].compactMap { $0 }.map { style.paint(style.sanitized($0), .bad) }
  }

  /// One JSON text for a program.
  package func write(to json: inout JSONWriter) {
    switch self {
    case .trace(let entry): entry.write(to: &json)
    case .log(let line):
      json.beginObject()
      json.member("kind", "log")
      json.member("text", line)
      json.endObject()
    case .notice(let message):
      json.beginObject()
      json.member("kind", "notice")
      json.member("code", message.code)
      json.member("text", message.text)
      json.endObject()
    case .daemon(let state): Self.write(state, nil, to: &json)
    case .away(let step, let state): Self.write(state, step, to: &json)
    }
  }

  private static func write(
    _ state: DaemonState, _ step: DaemonPresence.Step?, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("kind", "daemon")
    json.member("state", state.word)
    json.member("step", step?.rawValue)
    json.member("text", state.finding)
    json.endObject()
  }
}

/// The result of a console session. The raw value is the exit status.
package enum ConsoleOutcome: Int32, Sendable, Comparable {
  case success = 0
  /// A command was refused, or a check found a fault.
  case failure = 1
  /// A line was not a valid command.
  case usage = 2
  /// The daemon could not be reached, or did not answer.
  case unreachable = 3

  /// Compares two outcomes. The greater outcome is the worse one.
  package static func < (left: ConsoleOutcome, right: ConsoleOutcome) -> Bool {
    left.rawValue < right.rawValue
  }
}
