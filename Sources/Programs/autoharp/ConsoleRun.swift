import Console
import Glibc
import Text

/// `autoharp console`: runs a console session. `backend` connects the session to the daemon.
func runConsole(_ options: ConsoleOptions, backend: any ConsoleBackend) -> ExitStatus {
  let signals = SignalPipe(
    catching: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP])
  let environment = ConsoleEnvironment(
    canMoveCursor: TerminalEnvironment.allowsDrawing(term: TerminalEnvironment.term),
    hasColor: TerminalEnvironment.allowsColor
      && TerminalEnvironment.allowsDrawing(term: TerminalEnvironment.term),
    hasUnicode: TerminalEnvironment.allowsUnicode)
  let session = ConsoleSession(
    options, backend: backend, signals: signals, environment: environment)
  return switch session.run() {
  case .success: .success
  case .failure: .failure
  case .usage: .usage
  case .unreachable: .unreachable
  }
}
