import Console
import TestKit

/// A line editor with a virtual terminal. The terminal shows the result of the typed keys.
struct EditedScreen {
  var terminal: VirtualTerminal
  var editor: LineEditor
  private(set) var events: [LineEditor.Event] = []

  init(
    columns: Int = 40, known: Bool = true, rows: Int = 8, history: [String] = [],
    complete: @escaping LineEditor.Completer = { _ in Completion() }
  ) {
    terminal = VirtualTerminal(columns: columns, rows: rows)
    editor = LineEditor(
      mode: .drawn(columns: known ? columns : nil), history: History(history), complete: complete)
    events = editor.begin(prompt: "> ")
    flush()
  }

  /// Passes the editor's output to the terminal, and the terminal's answers to the editor.
  mutating func flush() {
    terminal.feed(editor.takeOutput())
    let answers = terminal.takeAnswers()
    if !answers.isEmpty { type(bytes: answers) }
  }

  mutating func type(bytes: some Collection<UInt8>, afterPause: Bool = false) {
    events += editor.feed(bytes, afterPause: afterPause)
    flush()
  }

  mutating func type(_ text: String, afterPause: Bool = false) {
    type(bytes: Array(text.utf8), afterPause: afterPause)
  }

  mutating func begin() {
    events += editor.begin(prompt: "> ")
    flush()
  }

  mutating func ask(_ question: String) {
    events += editor.ask(question)
    flush()
  }

  mutating func takeEvents() -> [LineEditor.Event] {
    defer { events = [] }
    return events
  }

  /// The row with the cursor. `▏` marks the cursor.
  var line: String {
    terminal.screenWithCursor.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init).first { $0.contains("▏") } ?? ""
  }
}

/// The byte sequences that a terminal sends for keys.
enum Keys {
  static let up = "\u{1B}[A"
  static let down = "\u{1B}[B"
  static let right = "\u{1B}[C"
  static let left = "\u{1B}[D"
  static let home = "\u{1B}[H"
  static let end = "\u{1B}[F"
  static let delete = "\u{1B}[3~"
  static let wordLeft = "\u{1B}[1;5D"
  static let wordRight = "\u{1B}[1;5C"
  static func control(_ letter: Character) -> String {
    String(UnicodeScalar((letter.asciiValue ?? 0) & 0x1F))
  }
}
