import AudioCodecs
import Glibc
import LocalPlayer

/// `autoharp probe`: what is in files, and whether it is whole.
struct ProbeCommand {
  private let options: ProbeOptions
  private let signals: SignalPipe

  init(_ options: ProbeOptions) {
    self.options = options
    signals = SignalPipe(catching: [SIGINT, SIGTERM])
  }

  func run() -> ExitStatus {
    do {
      return try probe()
    } catch {
      Console.complain(about: error)
      return .trouble
    }
  }

  private func probe() throws(OutputError) -> ExitStatus {
    let scan = MusicScan(paths: options.paths)
    var trouble = !scan.unplayable.isEmpty
    var json = JSONWriter()
    if options.json { json.beginArray() }
    for (index, file) in scan.files.enumerated() {
      let report = ProbeReport(path: file.path, verify: options.verify) { done in
        showProgress(file.fileName, done)
        return signals.take().isEmpty
      }
      if options.verify { clearProgress() }
      guard !report.isInterrupted else { return .trouble }
      trouble = trouble || report.hasTrouble
      if options.json {
        report.write(to: &json)
        try Console.write(json.take(), to: STDOUT_FILENO)
      } else {
        if index > 0 { try Console.print("") }
        for line in report.lines { try Console.print(line) }
      }
    }
    for file in scan.unplayable {
      if options.json {
        json.beginObject()
        json.member("path", file.path)
        json.member("error", file.reason)
        json.endObject()
      } else {
        Console.complain("\(file.path): \(file.reason)")
      }
    }
    if options.json {
      json.endArray()
      try Console.print(json.take())
    } else if scan.files.isEmpty, scan.unplayable.isEmpty {
      Console.complain("no music found")
      trouble = true
    }
    return trouble ? .trouble : .success
  }

  private func showProgress(_ name: String, _ fraction: Double) {
    guard TerminalEnvironment.canDraw(on: STDERR_FILENO) else { return }
    let name = TextWidth.truncated(TextWidth.sanitized(name, limit: 200), to: 40)
    try? Console.write(
      "\r\(ProgressBar.text(fraction: fraction, cells: 24)) \(Int(fraction * 100)) % \(name)"
        + "\u{1B}[K", to: STDERR_FILENO)
  }

  private func clearProgress() {
    if TerminalEnvironment.canDraw(on: STDERR_FILENO) {
      try? Console.write("\r\u{1B}[K", to: STDERR_FILENO)
    }
  }
}
