import Glibc
import Text

/// A failed call on the terminal. `number` is the `errno` value. EIO and EPIPE mean that the terminal was closed, so
/// further drawing is useless.
struct TerminalError: Error, Equatable {
  var call: String
  var number: Int32
}

/// A terminal on which a block of lines is redrawn in place. Messages are printed above the block and scroll.
///
/// Use this type on one thread only. `enter()` changes the terminal and `leave()` restores it. Code that ends the
/// program directly, for example with `exit`, must call `leave()` first. Call `leave()` before a suspension (SIGTSTP),
/// and `enter()` after the suspension (SIGCONT). Ctrl-C still causes a signal.
struct TerminalScreen {
  /// The size of a terminal in character cells.
  struct Size: Equatable {
    var columns: Int
    var rows: Int
  }

  /// The maximum wait in milliseconds for a terminal that accepts no bytes.
  private static let writeTimeout: Int32 = 2000

  private let input: Int32
  private let output: Int32
  private var block = LiveBlock()
  private var isEntered = false
  /// The settings that `leave()` restores. Nil if the settings were not changed.
  private var savedSettings: termios?

  /// Creates a screen on two file descriptors, by default standard input and output. Does not change the terminal.
  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    self.input = input
    self.output = output
  }

  /// The current size. 80 by 24 if the terminal does not report one, as on a serial line.
  func size() -> Size {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return Size(columns: 80, rows: 24) }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Hides the cursor. If the input is a terminal, keys are delivered one by one and without echo. A second call has no
  /// effect.
  ///
  /// - Throws: `TerminalError`; the terminal is then unchanged.
  mutating func enter() throws(TerminalError) {
    guard !isEntered else { return }
    if isatty(input) == 1 {
      var settings = termios()
      guard tcgetattr(input, &settings) == 0 else {
        throw TerminalError(call: "tcgetattr", number: errno)
      }
      let saved = settings
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      // Without flow control, Ctrl-S is an ordinary key and does not freeze the view.
      settings.c_iflag &= ~tcflag_t(IXON)
      withUnsafeMutableBytes(of: &settings.c_cc) { characters in
        characters[Int(VMIN)] = 1
        characters[Int(VTIME)] = 0
      }
      guard tcsetattr(input, TCSANOW, &settings) == 0 else {
        throw TerminalError(call: "tcsetattr", number: errno)
      }
      savedSettings = saved
    }
    isEntered = true
    block = LiveBlock()
    do {
      try write("\u{1B}[?25l")
    } catch {
      leave()
      throw error
    }
  }

  /// Leaves the block visible, moves the cursor below it, shows the cursor and restores the settings. Can be called at
  /// any time and repeatedly. Errors are ignored, because the caller could not act on them.
  mutating func leave() {
    guard isEntered else { return }
    isEntered = false
    // If a redraw has failed half-way, line wrap can still be off and colours can still be on.
    try? write(block.finish() + "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h")
    if var settings = savedSettings {
      // TCSAFLUSH discards unread keys, which the shell would otherwise receive.
      _ = tcsetattr(input, TCSAFLUSH, &settings)
      savedSettings = nil
    }
  }

  /// Replaces the block by `lines` and rewrites only the changed lines. If `lines` is empty, the block is removed.
  ///
  /// - Parameter size: the size for which the lines were made.
  /// - Throws: `TerminalError` if the terminal did not accept everything.
  mutating func draw(_ lines: [String], size: Size) throws(TerminalError) {
    try write(block.redraw(lines, size: size))
  }

  /// Writes `line`, made safe for a terminal, permanently above the block.
  ///
  /// - Throws: `TerminalError` if the terminal did not accept everything.
  mutating func printAbove(_ line: String) throws(TerminalError) {
    try write(block.insertAbove(line, size: size()))
  }

  /// Writes the whole text, with one system call if the kernel accepts all of it.
  private func write(_ text: String) throws(TerminalError) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let written = bytes[done...].withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if written >= 0 {
        done += written
        continue
      }
      switch errno {
      case EINTR:
        continue
      case EAGAIN:
        // Another process that shares the terminal can make the descriptor non-blocking.
        var wait = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        if poll(&wait, 1, Self.writeTimeout) == 0 {
          throw TerminalError(call: "write", number: EAGAIN)
        }
      case let number:
        throw TerminalError(call: "write", number: number)
      }
    }
  }
}

/// The control sequences that keep a block of lines in place. This type does no I/O: each update returns one string.
///
/// Between updates the cursor is in the first column of the block's last line.
struct LiveBlock {
  private var drawn: [String] = []
  private var size = TerminalScreen.Size(columns: 0, rows: 0)

  /// Updates the block to `lines`. The result is empty if nothing changes. Lines beyond the height of the screen are
  /// omitted, because the cursor could not return to them.
  mutating func redraw(_ lines: [String], size: TerminalScreen.Size) -> String {
    let lines = Array(lines.prefix(max(1, size.rows)))
    guard lines != drawn || size != self.size else { return "" }
    defer {
      drawn = lines
      self.size = size
    }
    if lines.isEmpty || drawn.isEmpty || size != self.size {
      return clear(columns: size.columns) + Self.text(of: lines)
    }

    var frame = Self.wrapOff + Self.up(drawn.count - 1)
    for (index, line) in lines.enumerated() {
      if index > 0 { frame += "\r\n" }
      if index >= drawn.count || drawn[index] != line { frame += line + Self.clearRestOfLine }
    }
    if lines.count < drawn.count { frame += "\r\n" + Self.clearBelow + Self.up(1) }
    return frame + "\r" + Self.wrapOn
  }

  /// Writes a permanent line, made safe for a terminal, into the rows of the block. The block is drawn again below this
  /// line.
  mutating func insertAbove(_ line: String, size: TerminalScreen.Size) -> String {
    defer { self.size = size }
    drawn = Array(drawn.prefix(max(1, size.rows)))
    return clear(columns: size.columns) + TextWidth.sanitized(line) + "\r\n" + Self.text(of: drawn)
  }

  /// Leaves the block visible and moves the cursor to the line below it.
  mutating func finish() -> String {
    defer { drawn = [] }
    return drawn.isEmpty ? "" : "\r\n"
  }

  /// Moves the cursor to the beginning of the block and clears the block.
  ///
  /// If the terminal has become narrower, it has wrapped the lines that no longer fit. The block then has more rows
  /// than when it was drawn.
  private func clear(columns: Int) -> String {
    guard !drawn.isEmpty else { return "\r" }
    let rowsAbove = drawn.dropLast().reduce(0) { rows, line in
      let width = TextWidth.columns(ofStyled: line)
      return rows + (columns > 0 ? max(1, (width + columns - 1) / columns) : 1)
    }
    return "\r" + Self.up(rowsAbove) + Self.clearBelow
  }

  private static func text(of lines: [String]) -> String {
    lines.isEmpty ? "" : wrapOff + lines.joined(separator: "\r\n") + "\r" + wrapOn
  }

  // With line wrap off, a line stays one row even if the terminal computes a greater width for the line.
  private static let wrapOff = "\u{1B}[?7l"
  private static let wrapOn = "\u{1B}[?7h"
  private static let clearRestOfLine = "\u{1B}[K"
  private static let clearBelow = "\u{1B}[J"

  private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
}
