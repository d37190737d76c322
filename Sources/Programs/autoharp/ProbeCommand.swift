import AudioCodecs
import Glibc
import LocalPlayer
internal import MusicFiles
import Text
import Threads

/// `autoharp probe`: shows the contents of files and checks whether they are complete.
///
/// The program has nothing to clean up except the progress line. So signals end the program directly, including SIGPIPE
/// for a closed output. Only for SIGINT and SIGTERM, a signal handler first removes the progress line.
struct ProbeCommand {
  private let options: ProbeOptions

  init(_ options: ProbeOptions) { self.options = options }

  func run() -> ExitStatus {
    ProgressLine.clearOnSignals([SIGINT, SIGTERM])
    do {
      return try probe()
    } catch {
      StandardStreams.printError(about: error)
      // A closed pipe is also detected during decoding, while nothing is written. Then the program must end in the same
      // way as after a write to the pipe. If SIGPIPE is ignored, because the parent process ignored it, `raise`
      // returns, and the exit status is `failure`.
      if error == .readerClosed { raise(SIGPIPE) }
      return .failure
    }
  }

  private func probe() throws(OutputError) -> ExitStatus {
    let findings = try scan()
    var output = ProbeOutput(json: options.json)
    var hasProblems = findings.isEmpty
    for finding in findings {
      switch finding {
      case .music(let file, _):
        let report = try report(on: file)
        hasProblems = hasProblems || report.hasProblems
        try output.write(report)
      case .unplayable(let file):
        hasProblems = true
        try output.write(file)
      }
    }
    try output.finish()
    if findings.isEmpty { StandardStreams.printError("no music found") }
    return hasProblems ? .failure : .success
  }

  private func scan() throws(OutputError) -> [MusicScan.Finding] {
    var progress = ProgressLine()
    var reader = RateLimiter(from: MonotonicClock.seconds)
    let scan = MusicScan(paths: options.paths) { count in
      progress.show("Reading folders… \(count) files")
      return !reader.isDue(at: MonotonicClock.seconds) || StandardStreams.hasReader(STDOUT_FILENO)
    }
    progress.clear()
    if scan.wasStopped { throw .readerClosed }
    return scan.findings
  }

  private func report(on file: MusicFile) throws(OutputError) -> ProbeReport {
    var progress = ProgressLine()
    let report = ProbeReport(path: file.path, verify: options.verify) { part in
      let bar = ProgressBar.text(fraction: part, cells: 24)
      progress.show("\(bar) \(Int(part * 100)) % \(file.fileName)")
      return StandardStreams.hasReader(STDOUT_FILENO)
    }
    progress.clear()
    if report.isInterrupted { throw .readerClosed }
    return report
  }
}

/// Writes all reports: as blocks of lines, or as one JSON array.
private struct ProbeOutput {
  private let isJSON: Bool
  private var json = JSONWriter()
  private var isFirst = true

  init(json isJSON: Bool) {
    self.isJSON = isJSON
    if isJSON { json.beginArray() }
  }

  mutating func write(_ report: ProbeReport) throws(OutputError) {
    if isJSON {
      report.write(to: &json)
      try StandardStreams.write(json.take(), to: STDOUT_FILENO)
    } else {
      let lines = (isFirst ? [] : [""]) + report.lines
      isFirst = false
      try StandardStreams.print(lines.joined(separator: "\n"))
    }
  }

  mutating func write(_ file: UnplayableFile) throws(OutputError) {
    guard isJSON else { return StandardStreams.printError("\(file.path): \(file.reason)") }
    json.beginObject()
    json.member("path", file.path)
    json.member("error", file.reason)
    if case .format(let format) = file.cause { json.member("format", format.rawValue) }
    json.endObject()
    try StandardStreams.write(json.take(), to: STDOUT_FILENO)
  }

  mutating func finish() throws(OutputError) {
    guard isJSON else { return }
    json.endArray()
    try StandardStreams.print(json.take())
  }
}
