import ALSASink
import Glibc

// The command line to its command. Messages are in English whatever the locale, and widths are
// computed, so no locale is set.
do {
  switch try parseCommandLine(programArguments()) {
  case .play(let options):
    exit(PlayCommand(options).run().rawValue)
  case .probe(let options):
    exit(ProbeCommand(options).run().rawValue)
  case .listOutputs:
    exit(listOutputs().rawValue)
  case .version:
    Console.print(Version.text)
  case .help(let topic):
    Console.write(topic.text, to: STDOUT_FILENO)
  }
} catch {
  Console.write(error.report, to: STDERR_FILENO)
  exit(ExitStatus.usage.rawValue)
}

private func listOutputs() -> ExitStatus {
  ALSASink.prepareProcess()
  Console.print("null\n    nowhere, in real time")
  Console.print("wav:FILE\n    a WAV file, as fast as it can be written")
  for output in ALSAOutputs.list() where output.name != "null" {
    Console.print(TextWidth.sanitized(output.name))
    for line in output.description.split(separator: "\n") {
      Console.print("    \(TextWidth.sanitized(String(line)))")
    }
  }
  return .success
}
