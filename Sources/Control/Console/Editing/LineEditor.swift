internal import Text

/// A line that is edited on a terminal: bytes in, events and bytes out. It reads and writes
/// nothing itself, has no clock, and never waits.
///
/// It is either *editing* (the prompt is shown) or *resting* (a command is being carried out). Every
/// event makes it rest; ``begin(prompt:)`` makes it edit again. What is typed meanwhile is kept, so
/// that pasted lines are carried out one after another, each behind its prompt; Ctrl-C throws it
/// away.
///
///     var editor = LineEditor(mode: .drawn(columns: nil), history: History())
///     var events = editor.begin(prompt: "> ")
///     events += editor.feed(bytes)
///     write(editor.takeOutput())
package struct LineEditor {
  /// What somebody did with the line.
  package enum Event: Equatable, Sendable {
    /// Gave it.
    case line(String)
    /// Gave one that is longer than ``LineBuffer/limit``; it is lost.
    case tooLong
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D on an empty line, or the end of a file.
    case endOfInput
    /// Ctrl-Z. The line is kept.
    case suspend
  }

  /// What the input is.
  package enum Mode: Equatable, Sendable {
    /// A terminal that can move its cursor, in raw mode. Where nobody knows how wide it is, it is
    /// asked, and taken to be 80 columns wide until it answers.
    case drawn(columns: Int?)
    /// Lines: a terminal that cannot move its cursor, which edits and echoes them itself, and gets
    /// a prompt; or a pipe or file, which gets none.
    case plain(showsPrompt: Bool)
  }

  /// How to complete the text before the cursor.
  package typealias Completer = (String) -> Completion

  /// How many bytes wait while a command is carried out; more are refused.
  package static let pendingLimit = 64 << 10
  static let bell = "\u{7}"
  static let newLine = "\r\n"

  let mode: Mode
  let complete: Completer
  /// The lines given so far.
  package internal(set) var history: History

  var buffer = LineBuffer()
  var decoder = KeyStrokeDecoder()
  var picture: RenderedLine
  var prompt = ""
  var isEditing = false
  /// A question: its answer is no part of the history, and has nothing to complete.
  var isQuestion = false
  var isTooLong = false
  /// Nobody but the terminal knows how wide it is.
  let asksWidth: Bool
  var hasAsked = false
  /// The answer may still be on its way.
  var awaitsReport = false
  var endsCarriageReturn = false
  var pending: [UInt8] = []
  var output = ""
  var ringsBell = false

  /// Rests, until ``begin(prompt:)``.
  package init(
    mode: Mode, history: History = History(), complete: @escaping Completer = { _ in Completion() }
  ) {
    self.mode = mode
    self.history = history
    self.complete = complete
    if case .drawn(let columns) = mode {
      asksWidth = columns == nil
      picture = RenderedLine(columns: columns ?? RenderedLine.usualColumns)
    } else {
      asksWidth = false
      picture = RenderedLine()
    }
  }

  /// False while so much waits that nothing more should be read.
  package var wantsInput: Bool { pending.count < Self.pendingLimit / 2 }
  /// The terminal was asked for its width and has not answered.
  package var awaitsAnswer: Bool { awaitsReport }
  /// How wide the terminal is, as far as is known.
  package var columns: Int { picture.columns }

  var isDrawn: Bool {
    if case .drawn = mode { return true }
    return false
  }

  // MARK: In

  /// Shows the prompt, and goes on with what was typed since.
  package mutating func begin(prompt: String) -> [Event] { begin(prompt, isQuestion: false) }

  /// Shows a question; the answer comes as a line.
  package mutating func ask(_ question: String) -> [Event] { begin(question, isQuestion: true) }

  mutating func begin(_ prompt: String, isQuestion: Bool) -> [Event] {
    self.prompt = prompt
    self.isQuestion = isQuestion
    isEditing = true
    if isDrawn {
      // Whatever a command left on the row, and an echo of what was typed.
      picture.forget()
      // Once: one that does not answer the first time need not be asked with every prompt.
      if !hasAsked { askWidth() }
    } else if case .plain(true) = mode {
      output += prompt
    }
    return process()
  }

  /// Takes what was typed.
  ///
  /// - Parameter afterPause: nothing was typed for a while. A message of the kernel may have torn
  ///   the line meanwhile, so the next key draws it whole.
  package mutating func feed(_ bytes: some Collection<UInt8>, afterPause: Bool = false) -> [Event] {
    if afterPause { picture.forget() }
    let room = Self.pendingLimit - pending.count
    if bytes.count > room { ringsBell = true }
    pending += bytes.prefix(max(room, 0))
    return process()
  }

  /// The end of a file: what stands behind the last line break is a line too.
  package mutating func endInput() -> [Event] {
    if !isDrawn, !pending.isEmpty, pending.last != UInt8(ascii: "\n") {
      pending.append(UInt8(ascii: "\n"))
    }
    return process()
  }

  /// Nothing waits to be worked on.
  package var isDrained: Bool { pending.isEmpty }

  /// The terminal has another width.
  package mutating func resize(columns: Int) {
    guard isDrawn, columns > 0 else { return }
    picture.resize(columns: columns)
    if isEditing { draw() }
  }

  // MARK: Out

  /// What to write since the last call.
  package mutating func takeOutput() -> String {
    defer { output = "" }
    if ringsBell, isDrawn { output += Self.bell }
    ringsBell = false
    return output
  }

  /// Writes lines above the one that is edited, which is then drawn anew. They must be harmless.
  package mutating func printAbove(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    guard isDrawn else {
      output += lines.map { $0 + "\n" }.joined()
      return
    }
    if isEditing { output += picture.erase() }
    output += lines.map { $0 + Self.newLine }.joined()
    picture.beginRow()
    if isEditing { draw() }
  }

  /// Leaves the line, as the program goes or is suspended. What was typed so far stays in sight.
  package mutating func leave() {
    guard isEditing else { return }
    isEditing = false
    guard isDrawn else { return }
    buffer.moveToEnd()
    draw()
    output += Self.newLine
    picture.beginRow()
  }
}
