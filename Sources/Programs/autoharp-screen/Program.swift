import Glibc
import ScreenOptions

/// Executes the command line. This function is not in main.swift, because closures in main.swift belong to the main
/// actor. Their run-time checks would link Dispatch into the program.
func runProgram() -> Int32 {
  let invocation: Invocation
  do {
    invocation = try parseCommandLine(Array(CommandLine.arguments.dropFirst()))
  } catch {
    reportError("\(error.message)\nTry 'autoharp-screen --help'.")
    return 2
  }
  switch invocation {
  case .help:
    print(helpText, terminator: "")
    return 0
  case .run(let options): return run(options)
  case .picture(let options, let picture, let path): return paint(options, picture, to: path)
  case .saveState(let options, let path): return saveState(options, to: path)
  }
}

/// Writes a message to the descriptor of standard error. Swift 6 does not permit access to the C variable `stderr`.
/// Errors are ignored.
func reportError(_ text: String) {
  let bytes = Array("autoharp-screen: \(text)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
