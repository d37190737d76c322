internal import Text

/// A line that is edited on a terminal. The editor converts received bytes to events and to bytes for the terminal. It
/// does no I/O, uses no clock and does not block.
///
/// The editor is either *editing* (the prompt is shown) or *resting* (a command runs). After each event except
/// ``Event/needsNames(_:)``, the editor rests. ``begin(prompt:)`` starts editing again. Input that arrives while the
/// editor rests is kept. So if several lines are pasted, they run one after another, each after its own prompt. Ctrl-C
/// discards this input.
///
///     var editor = LineEditor(mode: .drawn(columns: nil), history: History())
///     var events = editor.begin(prompt: "> ")
///     events += editor.feed(bytes)
///     write(editor.takeOutput())
package struct LineEditor {
  /// An action of the user that ends or suspends the editing.
  package enum Event: Equatable, Sendable {
    /// The user entered the line.
    case line(String)
    /// The user entered a line longer than ``LineBuffer/limit``. The line is lost.
    case tooLong
    /// The user pressed Ctrl-C.
    case interrupt
    /// The user pressed Ctrl-D on an empty line.
    case endOfInput
    /// The user pressed Ctrl-Z. The text of the line is kept.
    case suspend
    /// The user pressed Tab, and names of the library can complete the word. The editor keeps further input until it
    /// gets the names (``LineEditor/finish(_:)``).
    case needsNames(Completion)
  }

  /// The kind of input.
  package enum Mode: Equatable, Sendable {
    /// A terminal in raw mode that can move its cursor. If `columns` is nil, the editor requests the width from the
    /// terminal, and uses 80 columns until the terminal answers.
    case drawn(columns: Int?)
    /// Input in whole lines, from a terminal that cannot move its cursor, from a pipe or from a file. Such a terminal
    /// edits and echoes each line itself, and the editor shows only a prompt. For a pipe or a file, no prompt is shown.
    case plain(showsPrompt: Bool)
  }

  /// Returns the completions for the text before the cursor.
  package typealias Completer = (String) -> Completion

  /// The maximum number of bytes that are kept while a command runs. Further bytes are refused.
  package static let pendingLimit = 64 << 10
  static let bell = "\u{7}"
  static let newLine = "\r\n"

  let mode: Mode
  let complete: Completer
  /// The lines entered so far.
  package internal(set) var history: History

  var buffer = LineBuffer()
  var decoder = TerminalKeyDecoder()
  var renderedLine: RenderedLine
  var prompt = ""
  var isEditing = false
  /// True while the names for a completion are looked up.
  package internal(set) var awaitsNames = false
  /// True while a question is asked. The answer to the question is not added to the history, and Tab does nothing.
  var isQuestion = false
  /// True while a password is typed. The typed text is not shown.
  var isSecret = false
  var isTooLong = false
  /// True if the width must be requested from the terminal.
  let isWidthUnknown: Bool
  var hasRequestedWidth = false
  /// True while the terminal's report of its width can still arrive.
  var awaitsReport = false
  var endsCarriageReturn = false
  /// True if the last input of a terminal in plain mode ended with a line end after other characters.
  var endsLine = false
  var pending: [UInt8] = []
  var output = ""
  var ringsBell = false

  /// Creates a resting editor. Call ``begin(prompt:)`` to start editing.
  package init(
    mode: Mode, history: History = History(), complete: @escaping Completer = { _ in Completion() }
  ) {
    self.mode = mode
    self.history = history
    self.complete = complete
    if case .drawn(let columns) = mode {
      isWidthUnknown = columns == nil
      renderedLine = RenderedLine(columns: columns ?? RenderedLine.defaultColumns)
    } else {
      isWidthUnknown = false
      renderedLine = RenderedLine()
    }
  }

  /// True if the caller should read more input. False if too much input is waiting.
  package var acceptsInput: Bool { pending.count < Self.pendingLimit / 2 }
  /// True if the width was requested from the terminal, and the terminal has not answered.
  package var awaitsAnswer: Bool { awaitsReport }
  /// The width of the terminal. While the width is unknown, the assumed width.
  package var columns: Int { renderedLine.columns }

  var isDrawn: Bool {
    if case .drawn = mode { return true }
    return false
  }

  // MARK: In

  /// Shows the prompt and processes the input received since the last event.
  package mutating func begin(prompt: String) -> [Event] { begin(prompt, isQuestion: false) }

  /// Shows a question. The answer is reported as a line.
  ///
  /// - Parameter isSecret: true if the answer is not shown. A terminal in plain mode echoes by itself, so the caller
  ///   must switch its echo off.
  package mutating func ask(_ question: String, isSecret: Bool = false) -> [Event] {
    begin(question, isQuestion: true, isSecret: isSecret)
  }

  mutating func begin(_ prompt: String, isQuestion: Bool, isSecret: Bool = false) -> [Event] {
    self.prompt = prompt
    self.isQuestion = isQuestion
    self.isSecret = isSecret
    isEditing = true
    awaitsNames = false
    if isDrawn {
      // The row can contain output of a command, or an echo of the input.
      renderedLine.invalidate()
      // The width is requested only once. A terminal that does not answer the first request does not answer later
      // requests.
      if !hasRequestedWidth { requestWidth() }
    } else if case .plain(true) = mode {
      output += prompt
    }
    return process()
  }

  /// Processes input.
  ///
  /// - Parameters:
  ///   - afterPause: true if no input arrived for a while before `bytes`. In this time, a kernel message has possibly
  ///     overwritten the line, so the whole line is drawn again.
  ///   - isPasted: true if `bytes` arrived so soon after the input before that no person has typed them.
  package mutating func feed(
    _ bytes: some Collection<UInt8>, afterPause: Bool = false, isPasted: Bool = false
  ) -> [Event] {
    if case .plain(true) = mode {
      // The terminal turns CR LF of a pasted text into two line ends, and delivers each of them as a line of its own.
      let isLineEnd = bytes.elementsEqual([UInt8(ascii: "\n")])
      let isSecondHalf = isLineEnd && isPasted && endsLine
      endsLine = !isLineEnd && bytes.reduce(0) { $1 } == UInt8(ascii: "\n")
      if isSecondHalf { return [] }
    }
    if afterPause { renderedLine.invalidate() }
    let room = Self.pendingLimit - pending.count
    if bytes.count > room { ringsBell = true }
    pending += bytes.prefix(max(room, 0))
    return process()
  }

  /// Processes the end of a file. Text after the last line break counts as a line.
  package mutating func endInput() -> [Event] {
    if !isDrawn, !pending.isEmpty, pending.last != UInt8(ascii: "\n") {
      pending.append(UInt8(ascii: "\n"))
    }
    return process()
  }

  /// True if all received input was processed.
  package var isDrained: Bool { pending.isEmpty }

  /// Adapts to a new width of the terminal.
  package mutating func resize(columns: Int) {
    guard isDrawn, columns > 0 else { return }
    renderedLine.resize(columns: columns)
    if isEditing { draw() }
  }

  // MARK: Out

  /// Returns the output that was added since the last call. The caller must write this output to the terminal.
  package mutating func takeOutput() -> String {
    defer { output = "" }
    if ringsBell, isDrawn { output += Self.bell }
    ringsBell = false
    return output
  }

  /// Prints lines above the edited line, which is then redrawn. The lines must be safe for a terminal.
  package mutating func printAbove(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    guard isDrawn else {
      output += lines.map { $0 + "\n" }.joined()
      return
    }
    if isEditing { output += renderedLine.erase() }
    output += lines.map { $0 + Self.newLine }.joined()
    renderedLine.beginRow()
    if isEditing { draw() }
  }

  /// Ends the editing of the line, because the program ends or is suspended. The typed text stays visible.
  package mutating func leave() {
    guard isEditing else { return }
    isEditing = false
    awaitsNames = false
    guard isDrawn else { return }
    buffer.moveToEnd()
    draw()
    output += Self.newLine
    renderedLine.beginRow()
  }
}
