import EventLoop
import Glibc
import NowPlayingClient
import Threads

/// Executes the command line. This function is not in main.swift, because closures in main.swift belong to the main
/// actor. Their run-time checks would link Dispatch into the program.
func runProgram() -> Int32 {
  do {
    switch try parseCommandLine(Array(CommandLine.arguments.dropFirst())) {
    case .help:
      print(helpText, terminator: "")
      return 0
    case .run(let options): return run(options)
    }
  } catch {
    reportError("\(error.message)\nTry 'autoharp-app --help'.")
    return 2
  }
}

private func run(_ options: Options) -> Int32 {
  guard let path = find(options.program[0]) else {
    reportError("there is no program \(UsageError.quoted(options.program[0]))")
    return 127
  }
  Heap.keepSmall()
  // A signal that arrives before the event loop runs must not end this process, because PROGRAM would go on.
  SignalSource.block([SIGTERM, SIGINT, SIGHUP])
  let application = Application(id: options.id, name: options.name)
  application.resumes = options.start == .play
  do {
    let wrapper = try Wrapper(options, path: path, application)
    let hangUp = try SignalSource(application.loop, signal: SIGHUP) { application.stop() }
    let status = try application.run()
    wrapper.shutDown()
    withExtendedLifetime(hangUp) {}
    return status
  } catch {
    reportError("\(error)")
    return 1
  }
}

/// The path of an executable file: the name itself if it contains a slash, otherwise a file in a folder of `PATH`.
private func find(_ name: String) -> String? {
  let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  let paths =
    name.contains("/")
    ? [name]
    : folders.split(separator: ":", omittingEmptySubsequences: false).map {
      $0.isEmpty ? name : "\($0)/\(name)"
    }
  return paths.first { path in
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
