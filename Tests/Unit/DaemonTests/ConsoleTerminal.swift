import Foundation
import TestKit

/// `autoharp console` as a process on its own terminal. The test types the keys.
final class ConsoleTerminal {
  private static let prompt = "autoharp> ▏"

  /// The expected output did not appear in time.
  struct Failure: Error {
    let description: String
  }

  private let process = ChildProcess()
  private let terminal: PseudoTerminal
  /// The settings of the terminal before the console started.
  private let flags: [UInt32]

  /// Starts the console and waits for its prompt. The terminal is so large that it does not wrap or scroll.
  init(_ home: ServeProcess.Home) throws {
    terminal = try PseudoTerminal(columns: 240, rows: 400)
    flags = terminal.flags
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The console runs in its own session. So only the console gets the signals of typed keys, such as Ctrl-C, and it
    // ends when the terminal hangs up.
    process.arguments = [
      "setsid", "--ctty", "--wait", ServeProcess.program.path, "console", "--socket", home.socket,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(Self.quiet(home)) { $1 }
    let end = FileHandle(fileDescriptor: terminal.descriptor, closeOnDealloc: false)
    process.standardInput = end
    process.standardOutput = end
    process.standardError = end
    try process.run()
    guard terminal.waits(forEnd: Self.prompt) else {
      throw Failure(description: "no prompt:\n\(terminal.screen.screen)")
    }
  }

  deinit {
    terminal.hangUp()
    if process.isRunning { process.terminate() }
  }

  /// An environment without settings of this machine or its user.
  private static func quiet(_ home: ServeProcess.Home) -> [String: String] {
    [
      "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "vt102", "HOME": home.folder.path(""),
      "XDG_STATE_HOME": home.folder.path(""), "SHELL": home.folder.path("shell"),
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.folder.path("no-bus"))",
    ]
  }

  /// The parts of the output that a plain terminal does not support.
  var faults: [String] { terminal.screen.faults }

  /// Types a line. Returns this line and the output that follows.
  /// - Parameter end: the text to wait for: the next prompt, a question, a line.
  func ask(_ line: String, prompt end: String = prompt) throws -> ArraySlice<String> {
    // Notices that arrive while the line is typed are printed above the line. So the result begins at the row of the
    // line.
    try press(line + "\r", from: { $0.firstIndex(of: "autoharp> \(line)") }, until: end)
  }

  /// Types keys that do not form a command line, such as an answer or Ctrl-C.
  func press(_ keys: String, until end: String = prompt) throws -> ArraySlice<String> {
    try press(keys, from: { $0.startIndex }, until: end)
  }

  private func press(
    _ keys: String, from begin: (ArraySlice<String>) -> Int?, until end: String
  ) throws -> ArraySlice<String> {
    let start = terminal.screen.row
    // A prompt that was shown before the keys were typed does not count.
    let wasShown = terminal.screen.screenWithCursor.hasSuffix(end)
    terminal.type(keys)
    let isShown = terminal.waits { screen in
      guard screen.row > start || !wasShown else { return false }
      let rows = Self.rows(screen.screenWithCursor, from: start)
      return begin(rows).map { rows[$0...].joined(separator: "\n").contains(end) } ?? false
    }
    let rows = Self.rows(terminal.screen.screen, from: start)
    guard isShown, let first = begin(rows) else {
      throw Failure(description: "waited for '\(end)':\n\(terminal.screen.screenWithCursor)")
    }
    return rows[first..<max(first, terminal.screen.row)]
  }

  private static func rows(_ screen: String, from start: Int) -> ArraySlice<String> {
    screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .dropFirst(start)
  }

  /// Types a line, and then Tab until the console completes the line to `shown`. Then clears the line. Returns false if
  /// the line was not completed.
  func completes(_ line: String, to shown: String) -> Bool {
    terminal.type(line)
    func isCompleted(_ screen: VirtualTerminal) -> Bool {
      Self.rows(screen.screen, from: screen.row).first?.hasPrefix("autoharp> \(shown)") ?? false
    }
    // On a busy machine, the names can arrive after the time that the console waits for them.
    for _ in 0..<5 {
      let bells = terminal.screen.bells
      terminal.type("\t")
      guard terminal.waits(for: { isCompleted($0) || $0.bells > bells }) else { break }
      if isCompleted(terminal.screen) { break }
    }
    let result = isCompleted(terminal.screen)
    // The next line must begin empty, also after a failure.
    terminal.type("\u{15}")
    return terminal.waits(forEnd: Self.prompt) && result
  }

  /// Waits until these words are anywhere on the screen.
  func waits(for words: String) -> Bool { terminal.waits { $0.screen.contains(words) } }

  /// Types keys that end the console. True if the console exited with 0 and restored the terminal.
  func ends(_ keys: String) -> Bool {
    terminal.type(keys)
    process.waitUntilExit()
    return process.terminationStatus == 0 && terminal.flags == flags
  }
}
