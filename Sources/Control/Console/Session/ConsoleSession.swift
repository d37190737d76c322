internal import Glibc
internal import LibraryModel
internal import NowPlaying
internal import Reports
package import Text
internal import Threads

/// A console session, from its first prompt to its end. Its loop connects a user or a script with a ``ConsoleBackend``.
///
/// On a terminal the session blocks only in `poll`. Writing to a pipe or a file can block, as in any filter. The
/// session passes commands to the backend and shows the replies. It does not know what a command does in the daemon.
package final class ConsoleSession {
  enum AskedQuestion {
    case confirmation(Confirmation, of: ConsoleCommand)
    case entry(EntryQuestion, then: (LibraryRow) -> ConsoleCommand)
    case password(of: ConsoleCommand)
  }

  struct Running {
    let command: ConsoleCommand
    let number: Int
    /// The deadline, on the clock of `milliseconds()`. Nil for a command without a time limit.
    let deadline: Int?
  }

  /// The time limit for an answer. It is longer than the two seconds within which a source must answer.
  package static let answerMilliseconds = 5000
  /// If no key arrives for this time, the next key redraws the whole line, because a kernel message has possibly
  /// overwritten the line.
  private static let pauseMilliseconds = 1000
  /// Input that arrives within this time after other input was not typed by a person.
  private static let pasteMilliseconds = 50
  static let prompt = "autoharp> "
  /// The text after the number in the message about omitted events.
  package static let omissionText = "events were omitted because this terminal is slow"

  let options: ConsoleOptions
  let backend: any ConsoleBackend
  let grammar: Grammar
  let streams: ConsoleStreams
  let environment: ConsoleEnvironment
  let signals: SignalPipe
  let answerMilliseconds: Int
  let wrongPasswordMilliseconds: Int
  let historyFile: HistoryFile?

  var terminal: RawTerminal?
  var editor: LineEditor
  var output: OutputQueue
  var pendingEvents: [LineEditor.Event] = []
  var isProcessing = false
  var running: Running?
  var commandNumber = 0
  /// The question that the user must answer now. Nil if no question is asked.
  var asked: AskedQuestion?
  /// While a password is typed on a terminal that shows its input by itself.
  var echo: EchoOff?
  /// The end of the wait after a wrong password, on the clock of `milliseconds()`. Nil if the console does not wait.
  var lockEnd: Int?
  private var omittedEvents = 0
  private var lastInput = 0
  var inputHasEnded = false
  var isOver = false
  var outcome = ConsoleOutcome.success

  /// - Parameters:
  ///   - answerMilliseconds: see ``answerMilliseconds``.
  ///   - wrongPasswordMilliseconds: see ``wrongPasswordMilliseconds``.
  package init(
    _ options: ConsoleOptions, backend: any ConsoleBackend, signals: SignalPipe,
    grammar: Grammar = .autoharp, streams: ConsoleStreams = ConsoleStreams(),
    environment: ConsoleEnvironment, answerMilliseconds: Int = answerMilliseconds,
    wrongPasswordMilliseconds: Int = wrongPasswordMilliseconds
  ) {
    self.options = options
    self.backend = backend
    self.signals = signals
    self.grammar = grammar
    self.streams = streams
    self.environment = environment
    self.answerMilliseconds = answerMilliseconds
    self.wrongPasswordMilliseconds = wrongPasswordMilliseconds
    historyFile = options.historyFile.map { HistoryFile(path: $0) }
    output = OutputQueue(streams.output, blocks: true)

    isTerminal = isatty(streams.input) == 1 && isatty(streams.output) == 1
    var mode = LineEditor.Mode.plain(showsPrompt: isTerminal)
    if options.words.isEmpty, isTerminal, environment.canMoveCursor {
      let terminal = RawTerminal(streams.input)
      self.terminal = terminal
      mode = .drawn(columns: terminal.columns)
      output = OutputQueue(
        terminal.descriptor, blocks: false, largestWrite: terminal.largestWrite)
    }
    editor = LineEditor(
      mode: mode, history: History(historyFile?.load() ?? []), complete: { grammar.complete($0) })
    isInteractive = options.words.isEmpty && isTerminal
  }

  private let isTerminal: Bool
  /// True if the session shows a prompt.
  let isInteractive: Bool
  /// True if the session can ask the user which entry of the library is meant. This is also possible if the session
  /// runs only one command.
  var canAsk: Bool { isTerminal && !writesJSON }
  /// True if the present line requests JSON.
  var isLineJSON = false
  /// True if the entries of the trace are written as JSON, because the line `trace on` has requested JSON.
  var isTraceJSON = false
  /// True if replies are written as JSON.
  var writesJSON: Bool { options.json || isLineJSON }
  var isOneShot: Bool { !options.words.isEmpty }

  var style: ReplyStyle {
    ReplyStyle(
      columns: editor.columns, hasColor: environment.hasColor && isatty(streams.output) == 1,
      hasUnicode: environment.hasUnicode)
  }

  /// Runs the session until its end and then restores the terminal.
  package func run() -> ConsoleOutcome {
    if let number = terminal?.enter() {
      reportError("the terminal cannot be set up: \(systemWords(number))")
      return .failure
    }
    backend.onEvent = { [unowned self] in show($0) }
    if isOneShot {
      isLineJSON = options.words.count > 1 && options.words.last == JSONRequest.word
      let words = isLineJSON ? options.words.dropLast() : options.words
      interpret { () throws(GrammarError) in try grammar.parse(words: words) }
    } else {
      showWelcome()
      beginLine()
    }
    while !isOver, !output.isClosed { wait() }
    backend.onEvent = nil
    if running != nil { backend.cancel() }
    // The user has not answered the question, so the command was not executed.
    if asked != nil { outcome = max(outcome, .failure) }
    leaveTerminal()
    return isInteractive ? .success : outcome
  }

  private func showWelcome() {
    guard isInteractive, !options.json else { return }
    show(["autoharp: 'help' lists the commands, Tab completes."])
    // A missing permission is shown at once, because it does not change. For other states, see ``DaemonPresence``.
    if case .noPermission = backend.state { show(.daemon(backend.state)) }
  }

  func leaveTerminal() {
    endSecret()
    editor.leave()
    output.add(editor.takeOutput())
    // If the output was stopped with Ctrl-S, it must not block the exit.
    output.flush()
    if !output.isEmpty, !output.isClosed {
      output.wait(milliseconds: 200)
      output.flush()
    }
    terminal?.leave(dropsInput: editor.awaitsAnswer)
  }

  // MARK: Waiting

  func wait() {
    let backendTime = backend.prepare()
    guard !isOver else { return }
    let reads = (!isOneShot || asked != nil) && !inputHasEnded && editor.acceptsInput
    let input = terminal?.descriptor ?? streams.input
    // While no input is read, the end of the connection to a terminal must still be detected.
    let watches = reads || (terminal != nil && !isOneShot)
    var entries = [
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: backend.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watches ? input : -1, events: reads ? Int16(POLLIN) : 0, revents: 0),
      pollfd(fd: -1, events: Int16(POLLOUT), revents: 0),
    ]
    if let terminal, !output.isEmpty { entries[3].fd = terminal.descriptor }
    let count = poll(&entries, nfds_t(entries.count), timeout(backendTime))
    if count < 0 { return }
    if entries[3].revents & Int16(POLLOUT) != 0 { output.flush() }
    if entries[0].revents != 0 { handleSignals() }
    if entries[1].revents != 0 || (backendTime >= 0 && count == 0) { backend.turn() }
    if entries[2].revents != 0 {
      readInput(input, hasHungUp: entries[2].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0)
    }
    expire()
    unlock()
    showOmissions()
  }

  func timeout(_ backendTime: Int32) -> Int32 {
    guard let deadline = running?.deadline ?? lockEnd else { return backendTime }
    let left = Int32(clamping: max(0, deadline - milliseconds()))
    return backendTime < 0 ? left : min(left, backendTime)
  }

  func milliseconds() -> Int { Int(MonotonicClock.nanoseconds / 1_000_000) }

  private func readInput(_ descriptor: Int32, hasHungUp: Bool) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || (errno == EAGAIN && !hasHungUp) { return }
    guard count > 0 else {
      // The serial line or terminal was closed, its driver was removed (EIO), or the file has ended. Commands before
      // the end of a file are still executed.
      inputHasEnded = true
      if terminal != nil {
        isOver = true
      } else {
        process(editor.endInput())
        endIfDrained()
      }
      return
    }
    let now = milliseconds()
    let pause = now - lastInput
    lastInput = now
    process(
      editor.feed(
        bytes[..<count], afterPause: pause > Self.pauseMilliseconds,
        isPasted: pause <= Self.pasteMilliseconds))
  }

  func handleSignals() {
    for number in signals.take() {
      switch number {
      case SIGWINCH:
        if let columns = terminal?.columns { editor.resize(columns: columns) }
      case SIGTSTP: suspend()
      case SIGINT where isInteractive && terminal == nil:
        // The terminal has echoed `^C`, so output continues on the next row.
        output.add("\n")
        process([.interrupt])
      case SIGINT:
        if let running, running.deadline != nil { outcome = max(outcome, .failure) }
        isOver = true
      default: isOver = true
      }
    }
    output.add(editor.takeOutput())
  }

  /// Ends a command whose time limit has passed, with a message that the daemon does not answer.
  func expire() {
    guard let running, let deadline = running.deadline, milliseconds() >= deadline else { return }
    backend.cancel()
    let state = backend.state
    finish(
      running,
      .unreachable(
        state == .connected ? .hangs(since: .milliseconds(answerMilliseconds)) : state))
  }

  func suspend() {
    leaveTerminal()
    asked = nil
    signals.suspend()
    _ = terminal?.enter()
    if let columns = terminal?.columns { editor.resize(columns: columns) }
    if running == nil, lockEnd == nil { beginLine() }
  }
}

// Writes replies, events and errors.
extension ConsoleSession {
  // MARK: Showing

  func show(_ reply: ConsoleReply) {
    if writesJSON {
      var json = JSONWriter(onOneLine: true)
      reply.write(to: &json)
      return show([json.take()])
    }
    let lines = reply.lines(style)
    switch reply {
    case .refused, .unreachable, .question:
      if isInteractive { show(lines) } else { reportError(lines.joined(separator: " ")) }
    case .answer(let answer) where answer != .success:
      if isInteractive { show(lines) } else { reportError(lines.joined(separator: " ")) }
    default: show(lines)
    }
  }

  func show(_ event: ConsoleEvent) {
    // The terminal is slow. Further events are dropped, so that the waiting output does not fill the memory.
    guard !output.isFull else {
      omittedEvents += 1
      return
    }
    if isJSON(event) {
      // At the prompt, a line has one answer, so messages about its progress are left out.
      if case .notice = event, !options.json { return }
      var json = JSONWriter(onOneLine: true)
      event.write(to: &json)
      show([json.take()])
    } else {
      show(event.lines(style))
    }
  }

  private func isJSON(_ event: ConsoleEvent) -> Bool {
    if case .trace = event, isTraceJSON { return true }
    return writesJSON
  }

  private func showOmissions() {
    guard omittedEvents > 0, output.isEmpty else { return }
    show(["(\(omittedEvents) \(Self.omissionText))"])
    omittedEvents = 0
  }

  /// Prints lines above the edited line. The lines must be safe for a terminal.
  func show(_ lines: [String]) {
    editor.printAbove(lines)
    output.add(editor.takeOutput())
    if terminal != nil { output.flush() }
  }

  /// Reports that a line cannot be carried out. The lines show the place of the error.
  func report(_ refusal: Refusal, _ lines: [String] = []) {
    if writesJSON { show(.refused(refusal)) } else { reportError(refusal.sentence, lines) }
  }

  /// Prints an error. In an interactive session, the error is shown like a reply. Otherwise it is written to standard
  /// error.
  func reportError(_ message: String, _ lines: [String] = []) {
    if isInteractive { return show(lines + [style.sanitized(message)]) }
    var errors = OutputQueue(streams.errors, blocks: true)
    errors.add((["autoharp: \(style.sanitized(message))"] + lines).map { $0 + "\n" }.joined())
  }
}
