internal import Glibc
internal import LibraryModel
internal import NowPlaying
internal import Reports
internal import Text

// Handles lines and commands, and continues with the next line after a reply.
extension ConsoleSession {
  // MARK: Lines

  func beginLine() {
    guard !isOver else { return }
    isLineJSON = false
    process(editor.begin(prompt: Self.prompt))
    endIfDrained()
  }

  /// Ends the session if the input has ended and all its lines were executed.
  func endIfDrained() {
    if inputHasEnded, running == nil, lockEnd == nil, editor.isDrained, pendingEvents.isEmpty {
      isOver = true
    }
  }

  /// Processes events in order. Further events that result from these events are processed too.
  func process(_ events: [LineEditor.Event]) {
    pendingEvents += events
    output.add(editor.takeOutput())
    guard !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    while !isOver, !pendingEvents.isEmpty { handle(pendingEvents.removeFirst()) }
  }

  func handle(_ event: LineEditor.Event) {
    switch event {
    case .line(let line):
      if let question = asked {
        asked = nil
        handle(line, for: question)
      } else {
        addToHistoryFile(line)
        let request = JSONRequest(line)
        isLineJSON = request.isJSON
        interpret { () throws(GrammarError) in try grammar.parse(request.line) }
      }
    case .tooLong:
      isLineJSON = false
      report(Refusal(.wrongLine, "the line is longer than \(LineBuffer.limit) characters"))
      outcome = max(outcome, .usage)
      beginLine()
    case .interrupt where options.endsOnInterrupt && running == nil && asked == nil:
      isOver = true
    case .interrupt where lockEnd != nil: break
    case .interrupt:
      asked = nil
      endSecret()
      if running != nil { backend.cancel() }
      running = nil
      beginLine()
    case .endOfInput:
      isOver = true
    case .suspend:
      suspend()
    case .needsNames(let completion): lookUpNames(completion)
    }
  }

  func lookUpNames(_ completion: Completion) {
    guard let request = completion.names else { return }
    backend.lookUp(request) { [weak self] answer in
      guard let self else { return }
      var completion = completion.adding(answer, request)
      completion.candidates = completion.candidates.map { style.sanitized($0) }
      process(editor.finish(completion))
    }
  }

  func addToHistoryFile(_ line: String) {
    if isInteractive, line.contains(where: { $0 != " " }) { historyFile?.append(line) }
  }

  func interpret(_ parse: () throws(GrammarError) -> ConsoleLine) {
    do throws(GrammarError) {
      switch try parse() {
      case .nothing: next()
      case .quit: isOver = true
      case .help(let name):
        let help = HelpText(grammar)
        show(.text(name.flatMap { help.topic($0) } ?? help.overview))
        next()
      case .command(let command, let isConfirmed):
        if let confirmation = command.confirmation, !isConfirmed {
          if let obstacle = backend.obstacle(to: command) {
            outcome = max(outcome, .failure)
            show(.refused(obstacle))
            next()
          } else {
            ask(command, confirmation)
          }
        } else {
          submit(command)
        }
      }
    } catch {
      show(error)
      outcome = max(outcome, .usage)
      next()
    }
  }

  /// Continues with the next line, or ends the session.
  func next() {
    if isOneShot { isOver = true } else { beginLine() }
  }

  func show(_ error: GrammarError) {
    if !writesJSON, terminal != nil,
      let carets = error.carets(
        indent: TextWidth.columns(of: Self.prompt), columns: editor.columns)
    {
      // The input line is already visible above the carets, after the prompt.
      return show([carets, error.message])
    }
    var lines: [String] = []
    if let carets = error.carets(indent: 2, columns: editor.columns) {
      lines = ["  " + style.sanitized(error.line), carets]
    }
    report(Refusal(.wrongLine, error.message), lines)
  }

  // MARK: Commands

  func ask(_ command: ConsoleCommand, _ confirmation: Confirmation) {
    guard isInteractive, !writesJSON else {
      report(
        Refusal(
          .needsConfirmation, "\(confirmation.name) needs --yes, because the console cannot ask"))
      outcome = max(outcome, .usage)
      return next()
    }
    asked = .confirmation(confirmation, of: command)
    show(confirmation.warning)
    process(editor.ask(confirmation.question))
  }

  func ask(_ question: EntryQuestion, then command: @escaping (LibraryRow) -> ConsoleCommand) {
    asked = .entry(question, then: command)
    show(question.warning(style))
    process(editor.ask(question.question(style)))
    endIfDrained()
  }

  func handle(_ answer: String, for question: AskedQuestion) {
    switch question {
    case .confirmation(let confirmation, let command):
      if confirmation.answers.contains(answer.lowercased()) { return submit(command) }
    case .entry(let question, let command):
      if let row = question.row(for: answer) { return submit(command(row)) }
      outcome = max(outcome, .failure)
    case .password(let command): return check(answer, for: command)
    }
    show(["Cancelled."])
    next()
  }

  func send(_ command: ConsoleCommand) {
    commandNumber += 1
    let number = commandNumber
    let deadline = command.isLong ? nil : milliseconds() + answerMilliseconds
    running = Running(command: command, number: number, deadline: deadline)
    backend.send(command) { [weak self] reply in
      guard let self, let running, running.number == number else { return }
      finish(running, reply)
    }
  }

  func finish(_ command: Running, _ reply: ConsoleReply) {
    running = nil
    if case .question(let question, let command) = reply, canAsk {
      return ask(question, then: command)
    }
    outcome = max(outcome, reply.outcome)
    if case .offer(_, let command) = reply, let confirmation = command.confirmation,
      isInteractive, !writesJSON
    {
      show(reply)
      return ask(command, confirmation)
    }
    if command.command == .trace(.on) { isTraceJSON = writesJSON }
    if case .shell(let path) = reply { runShell(path) }
    show(reply)
    if isOneShot, command.command == .trace(.on), reply.outcome == .success {
      // `trace on` as the only command of a session shows new entries until the user ends the program.
      running = Running(command: command.command, number: command.number, deadline: nil)
    } else {
      next()
    }
  }

  func runShell(_ path: String) {
    guard isInteractive else {
      outcome = max(outcome, .failure)
      return report(Refusal(.needsTerminal, "a shell needs a terminal"))
    }
    leaveTerminal()
    let status = ChildProcess.run(path)
    terminal?.enterForeground()
    // Discards signals that were meant for the shell.
    _ = signals.take()
    _ = terminal?.enter()
    if let status { reportError("\(path): \(status)") }
  }
}
