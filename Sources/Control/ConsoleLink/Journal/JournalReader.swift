internal import Console
internal import EventLoop
internal import NowPlaying
internal import Reports

/// Reads the lines of a query from the journal.
final class JournalReader {
  typealias Completion = (Result<LogReport, Refusal>) -> Void

  private let query: JournalQuery
  private var export = JournalExport()
  /// The lines, newest first.
  private var lines: [LogReport.Line] = []
  private var program: ProgramOutput?
  private var completion: Completion?

  /// Starts journalctl. Returns nil if the program cannot be started.
  /// - Parameters:
  ///   - program: the program and its first arguments. The arguments of the query follow.
  ///   - timeLimit: after this time, the lines that have arrived are the result.
  ///   - completion: called once by the loop.
  init?(
    _ loop: EventLoop, _ program: [String], _ query: JournalQuery, timeLimit: Duration,
    _ completion: @escaping Completion
  ) {
    self.query = query
    self.completion = completion
    self.program = ProgramOutput(
      loop, program + query.arguments, timeLimit: timeLimit,
      onBytes: { [weak self] in self?.add($0) ?? false }
    ) { [weak self] in self?.finish($0) }
    if self.program == nil { return nil }
  }

  private func add(_ bytes: [UInt8]) -> Bool {
    for entry in export.feed(bytes) where lines.count < query.limit && query.accepts(entry) {
      lines.append(entry.line)
    }
    return lines.count < query.limit && !export.isBroken
  }

  private func finish(_ ending: ProgramOutput.Ending) {
    let handler = completion
    completion = nil
    if lines.isEmpty, export.isBroken || export.remark != nil {
      let reason = export.remark ?? "its output is not in the expected format"
      handler?(.failure(.noJournal(reason)))
    } else {
      let isComplete = ending == .ended && !export.isBroken
      handler?(.success(LogReport(lines.reversed(), isComplete: isComplete)))
    }
  }
}

extension Refusal {
  static func noJournal(_ reason: String) -> Refusal {
    Refusal(.noJournal, "the journal cannot be read: \(reason)")
  }
}
