internal import NowPlaying
internal import Reports

// Asks for the password of the console before a command that erases something or opens a shell.
extension ConsoleSession {
  /// The time for which the console waits after a wrong password.
  package static let wrongPasswordMilliseconds = 3000

  /// Sends a command. Asks for the password first if the command needs one.
  func submit(_ command: ConsoleCommand) {
    guard command.needsPassword, backend.password != nil else { return send(command) }
    guard canAsk else {
      outcome = max(outcome, .failure)
      report(
        Refusal(.needsPassword, "this command needs the password, and this console cannot ask"))
      return next()
    }
    asked = .password(of: command)
    echo = terminal == nil ? EchoOff(streams.input) : nil
    process(editor.ask("Password of the console: ", isSecret: true))
    endIfDrained()
  }

  /// Sends the command if the password is right. Otherwise waits, which limits the number of attempts.
  func check(_ password: String, for command: ConsoleCommand) {
    if endSecret() { output.add("\n") }
    // The password is read again, because a file can have changed since the question.
    guard let right = backend.password, password != right else { return send(command) }
    outcome = max(outcome, .failure)
    show([
      "The password is wrong. The console waits for \(wrongPasswordMilliseconds / 1000) s."
    ])
    lockEnd = milliseconds() + wrongPasswordMilliseconds
  }

  /// Continues after a wrong password when the wait is over.
  func unlock() {
    guard let end = lockEnd, milliseconds() >= end else { return }
    lockEnd = nil
    next()
  }

  /// Restores the echo of a terminal in plain mode. Returns true if it was off.
  @discardableResult
  func endSecret() -> Bool {
    defer { echo = nil }
    return echo != nil
  }
}
