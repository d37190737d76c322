package import Console
internal import Control
internal import EventLoop
internal import Glibc
internal import LibraryModel
package import NowPlaying
internal import Reports
internal import SystemClock
internal import Text
internal import Threads

// Commands that the console carries out with the helpers and the journal of the image. They need no daemon.
extension ControlBackend {
  /// The longest time for reading the journal. It is shorter than the time limit of a command.
  private static let journalTime = Duration.seconds(4)
  /// The longest time for a search. A search reads the whole journal, and the user can cancel it.
  private static let searchTime = Duration.seconds(20)
  private static let listTime = Duration.seconds(4)
  /// A service has at most 90 s to end and to start.
  private static let restartTime = Duration.seconds(100)
  /// The helper counts for at most 5 s.
  private static let countTime = Duration.seconds(10)
  private static let freeTime = Duration.seconds(120)

  /// The storage cannot be formatted if this machine has none. The report needs a stick.
  package func obstacle(to command: ConsoleCommand) -> Refusal? {
    switch command {
    case .data(.format): obstacleToFormat
    case .stick(.report(let name)): obstacleToReport(onStick: name)
    default: nil
    }
  }

  private var obstacleToFormat: Refusal? {
    guard storageFiles.isOfImage else { return Self.noImage }
    guard storageFiles.hasNoPartition else { return nil }
    return Refusal(
      .storage("no-partition"), "The unit has no partition for its storage.",
      remedy: "write the image to the medium again, on a computer")
  }

  // MARK: The log

  func log(_ log: ConsoleCommand.Log, _ answer: @escaping Answer) {
    switch log {
    case .follow: followLog(answer)
    case .last(let count, let topic?):
      journal(.topic(topic, limit: count), answer)
    case .last(let count, nil): lastLines(count, containing: nil, answer)
    case .search(let word, let topic?):
      journal(
        .topic(topic, limit: ConsoleCommand.Log.usualLines).containing(word),
        within: Self.searchTime, answer)
    case .search(let word, nil):
      lastLines(ConsoleCommand.Log.usualLines, containing: word, answer)
    case .kept(let number): answer(keptLog(number))
    }
  }

  /// Shows the last lines. In the image, the journal contains the lines of all services. Elsewhere the journal belongs
  /// to other programs too, so the lines come from the memory of the daemon.
  private func lastLines(_ count: Int, containing word: String?, _ answer: @escaping Answer) {
    guard storageFiles.isOfImage || client.state != .connected else {
      let limit = word == nil ? count : Self.memoryLines
      client.call(Unit1.getLog, limit) { result in
        answer(
          Self.reply(result) { lines in
            let all = lines.map { LogReport.Line(LogText.line($0), $0.severity) }
            let wanted = word?.lowercased()
            let found = all.filter { line in
              wanted.map { line.text.lowercased().includes($0) } ?? true
            }
            var report = LogReport(found.suffix(count))
            // The daemon counts the time on this clock.
            report.now = MonotonicInstant.now().sinceOrigin
            return .log(report)
          })
      }
      return
    }
    var query =
      storageFiles.isOfImage
      ? JournalQuery.all(limit: count) : .unit("autoharp.service", limit: count)
    if let word { query = query.containing(word) }
    journal(query, within: word == nil ? Self.journalTime : Self.searchTime) { [weak self] reply in
      // Outside of the image, a daemon that no service manager has started has no lines in the journal.
      if let self, case .log(let report) = reply, report.lines.isEmpty, !storageFiles.isOfImage {
        answer(.unreachable(client.state))
      } else {
        answer(reply)
      }
    }
  }

  /// The maximum number of lines that the daemon keeps in memory.
  private static let memoryLines = 1000

  private func journal(
    _ query: JournalQuery, within time: Duration = journalTime, _ answer: @escaping Answer
  ) {
    read(query, within: time) { result in
      switch result {
      case .success(let report): answer(.log(report))
      case .failure(let refusal): answer(.refused(refusal))
      }
    }
  }

  private func read(
    _ query: JournalQuery, within time: Duration = journalTime,
    _ completion: @escaping JournalReader.Completion
  ) {
    let reader = JournalReader(loop, journal, query, timeLimit: time) { result in
      completion(
        result.map { report in
          var report = report
          // The journal counts the time on this clock.
          report.now = .nanoseconds(MonotonicClock.nanoseconds)
          return report
        })
    }
    guard let reader else {
      return completion(.failure(.noJournal("\(journal.first ?? "") is missing")))
    }
    work = reader
  }

  /// Shows the state of a service and its last lines. Without the journal, the state is still useful, because
  /// the service can be the journal itself.
  private func show(_ service: ServiceReport, _ answer: @escaping Answer) {
    read(.unit(service.name, limit: Self.serviceLines)) { result in
      switch result {
      case .success(let report): answer(.service(service, report))
      case .failure(let refusal):
        answer(.service(service, LogReport([.init(refusal.sentence, .error)], isComplete: false)))
      }
    }
  }

  private func keptLog(_ number: Int) -> ConsoleReply {
    let logs = KeptLogs(folder: machine.keptLogs)
    guard let list = logs.list else {
      return .refused(
        errno == ENOENT
          ? Refusal(.noKeptLog, "No log was kept: there is no \(machine.keptLogs).")
          : Refusal(.noKeptLog, "\(machine.keptLogs): \(systemWords(errno))"))
    }
    guard !list.isEmpty else {
      return .refused(Refusal(.noKeptLog, "No log was kept, because no service has failed."))
    }
    guard list.indices.contains(number - 1) else {
      return .refused(
        Refusal(
          .noKeptLog, "There is no kept log \(number).", remedy: "'log --previous' lists them"))
    }
    guard var report = logs.report(of: list[number - 1].name) else {
      return .refused(Refusal(.noKeptLog, "\(list[number - 1].name): \(systemWords(errno))"))
    }
    report.kept = list
    report.shown = number - 1
    return .log(report)
  }

  /// Collects the report. It begins with the names of the phones, which are replaced in all parts.
  func report(_ completion: @escaping (UnitReport) -> Void) {
    client.call(Bluetooth1.phones.get) { [weak self] result in
      guard let self else { return }
      let collection = ReportCollection(
        phones: try? result.get(), logs: KeptLogs(folder: machine.keptLogs)
      ) { [weak self] command, away, completion in
        guard let self else { return }
        if let away {
          performWithoutDaemon(command, away, completion)
        } else {
          perform(command, completion)
        }
      } _: { [weak self] report in
        self?.collection = nil
        completion(report)
      }
      self.collection = collection
      collection.proceed()
    }
  }

  // MARK: Services

  func perform(_ command: ConsoleCommand.Service, _ answer: @escaping Answer) {
    services { [weak self] result in
      guard let self else { return }
      do throws(Refusal) {
        let list = try result.get()
        switch command {
        case .list: answer(.services(list.services))
        case .one(let name): show(try list.service(name), answer)
        case .restart(let name): restart(try list.service(name).name, answer)
        case .log(let name):
          journal(.unit(try list.service(name).name, limit: Self.serviceLines), answer)
        }
      } catch {
        answer(.refused(error))
      }
    }
  }

  private static let serviceLines = 40

  /// Asks the helper for the services.
  func services(_ completion: @escaping (Result<ServiceList, Refusal>) -> Void) {
    exchange(machine.serviceSocket, "list", within: Self.listTime) { result in
      completion(
        HelperResult.units(result).map { ServiceList($0, now: MonotonicClock.nanoseconds / 1000) })
    }
  }

  func restart(_ unit: String, _ answer: @escaping Answer) {
    exchange(machine.serviceSocket, "restart \(unit)", within: Self.restartTime) {
      Self.answer($0, "service", "service-restarted", answer)
    }
  }

  /// Sends a request to a helper. The request ends when ``work`` is replaced.
  func exchange(
    _ socket: String, _ request: String, _ body: [UInt8] = [], within time: Duration,
    _ completion: @escaping HelperRequest.Completion
  ) {
    guard
      let request = HelperRequest(
        loop, socket: socket, line: request, body: body, timeLimit: time, completion: completion)
    else { return completion(.failure(.unreachable(socket, errno))) }
    work = request
  }

  /// Replies with the result of a helper.
  private static func answer(
    _ result: Result<String, Refusal>, _ prefix: String, _ code: String, _ answer: Answer
  ) {
    do throws(Refusal) {
      let done = try HelperResult(result.get(), prefix)
      answer(.done(ConsoleMessage(code, done.text)))
    } catch {
      answer(.refused(error))
    }
  }

  // MARK: Space

  func freeSpace(deletes: Bool, _ answer: @escaping Answer) {
    if deletes {
      return exchange(machine.freeSpaceSocket, "free", within: Self.freeTime) { result in
        do throws(Refusal) {
          let done = try HelperResult(result.get(), "space")
          // The text begins with the number of bytes, and the word `bytes`.
          let parts = done.text.split(separator: " ", maxSplits: 2).map(String.init)
          let bytes = parts.count > 2 ? Int(parts[0]) : nil
          let text = bytes.map { "\(ByteText.words($0)) \(parts[2])" } ?? done.text
          answer(.done(ConsoleMessage("space-freed", text)))
        } catch {
          answer(.refused(error))
        }
      }
    }
    exchange(machine.freeSpaceSocket, "usage", within: Self.countTime) { result in
      do throws(Refusal) {
        answer(.offer(try Self.usage(result.get()), .freeSpace(deletes: true)))
      } catch {
        answer(.refused(error))
      }
    }
  }

  /// The lines `folder BYTES FILES PATH` as facts, the largest folder first. A result follows.
  private static func usage(_ text: String) throws(Refusal) -> FactsReport {
    var rows: [(bytes: Int, files: Int, path: String)] = []
    for line in text.split(separator: "\n").prefix(100) {
      let parts = line.split(separator: " ", maxSplits: 3)
      if parts.count == 4, parts[0] == "folder", let bytes = Int(parts[1]),
        let files = Int(parts[2])
      {
        rows.append((bytes, files, String(parts[3])))
      }
    }
    let result = try HelperResult(text, "space")
    rows.sort { ($1.bytes, $0.path) < ($0.bytes, $1.path) }
    let facts = rows.map { row in
      FactsReport.Fact(
        row.path,
        "\(ByteText.words(row.bytes)), \(row.files) \(row.files == 1 ? "file" : "files")")
    }
    let note = result.identifier == "partial" ? [FactsReport.Fact("note", result.text, .note)] : []
    return FactsReport([.init("storage", FactsReport.numbered(facts) + note)])
  }
}
