import ALSASink
import Console
import ConsoleLink
import Glibc
import Text

/// Executes the command line. The program sets no locale, because all messages are in English, and because the program
/// computes the widths of characters itself.
///
/// This function is not in main.swift, because closures in main.swift belong to the main actor. Their run-time checks
/// would link Dispatch into the program.
func runProgram() -> ExitStatus {
  StandardStreams.holdMissingStreams()
  let invocation: Invocation
  do {
    invocation = try parseCommandLine(programArguments())
  } catch {
    try? StandardStreams.write(error.report, to: STDERR_FILENO)
    return .usage
  }
  switch invocation {
  case .play(let options): return PlayCommand(options).run()
  case .probe(let options): return ProbeCommand(options).run()
  case .serve(let options): return ServeCommand(options).run()
  case .config(let options): return ConfigCommand(options).run()
  case .console(let options):
    return runConsole(
      options,
      backend: ControlBackend(socket: options.socket, version: Version.text, guide: .standard))
  case .listOutputs: return answer(outputList())
  case .version: return answer(Version.text + "\n")
  case .help(let topic): return answer(topic.text)
  }
}

private func answer(_ text: String) -> ExitStatus {
  do {
    try StandardStreams.write(text, to: STDOUT_FILENO)
    return .success
  } catch {
    StandardStreams.printError(about: error)
    return .failure
  }
}

private func outputList() -> String {
  ALSASink.prepareProcess()
  var lines = ["null", "    discards the sound, in real time"]
  lines += ["wav:FILE", "    a WAV file, written as fast as possible"]
  for output in ALSAOutputs.list() where output.name != "null" {
    lines.append(TextWidth.sanitized(output.name))
    for line in output.description.split(separator: "\n") {
      lines.append("    \(TextWidth.sanitized(String(line)))")
    }
  }
  return lines.joined(separator: "\n") + "\n"
}
