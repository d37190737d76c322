internal import Console
internal import Files
internal import NowPlaying
internal import Reports
internal import Text

/// The diagnosis without the daemon: what the image and the kernel report about the machine.
struct MachineDiagnosis {
  typealias Finding = DiagnosisReport.Finding

  /// The daemon's own service.
  private static let service = "autoharp.service"
  /// The number of error lines that are shown.
  static let shownErrors = 3
  private static let maximumFailedUnits = 20
  private static let sizeLimit = 64 << 10

  /// The state of the daemon. It is not `connected`.
  let daemon: DaemonState
  let files: MachineFiles
  let storage: StorageFiles
  /// The units of the image, or the reason why they are not known.
  var units: Result<SystemUnits, Refusal>
  /// The last error lines of the journal, the newest last.
  var errors: [LogReport.Line] = []

  /// The report. The reason why the daemon does not answer comes first. Reads small files of the kernel and of the
  /// image, which are not on a medium that can be slow.
  var report: DiagnosisReport {
    // If the daemon was never started, a failed service that it needs is the cause.
    let others = failedUnits
    let isCause = others.contains { $0.code.hasPrefix("unit.data.") } && !hasRun
    let first = isCause ? others + [daemonFinding] : [daemonFinding] + others
    return DiagnosisReport(
      findings: first + unitsFinding + storageFindings + sticks + [card] + errorLines, paths: [])
  }

  // MARK: The daemon and the services

  private var list: [SystemUnits.Unit] { (try? units.get())?.units ?? [] }

  private var own: SystemUnits.Unit? { list.first { $0.name == Self.service } }

  /// True if the daemon was started, or if this is not known.
  private var hasRun: Bool { own.map { $0.active != "inactive" } ?? true }

  private var daemonFinding: Finding {
    let (found, remedy) = daemonWords
    let last = errors.last { $0.isOfDaemon }
    return Finding(
      "daemon.\(daemon.word)", "daemon", .bad, found,
      meaning: last.map { "no music plays; its last error: \($0.text)" }
        ?? "no music plays, and most commands are refused",
      remedy: remedy)
  }

  /// What is wrong with the daemon, and what to do. The service manager knows more than the socket.
  private var daemonWords: (found: String, remedy: String?) {
    let known = daemon.finding ?? "it does not answer"
    guard let own, own.active != "active" else { return (known, daemon.remedy) }
    if own.load == "masked" {
      return (
        "it is switched off",
        "remove 'systemd.mask=\(Self.service)' from the kernel's command line, on a computer"
      )
    }
    var found =
      switch (own.active, own.sub) {
      case ("failed", _): "it does not run: it \(own.end.text)"
      case (_, "auto-restart"), (_, "auto-restart-queued"): "it \(own.end.text)"
      case ("activating", _): "it starts"
      case ("deactivating", _): "it stops"
      case _ where own.changedMicroseconds != nil: "it was stopped"
      default: "it was not started"
      }
    if own.restarts > 0 {
      found += "; started again \(own.restarts) \(own.restarts == 1 ? "time" : "times")"
    }
    return (found, "'service log daemon' shows why; 'service restart daemon' starts it again")
  }

  private var failedUnits: [Finding] {
    list.filter { unit in
      unit.name != Self.service && unit.load != "not-found"
        && (unit.active == "failed" || unit.sub.hasPrefix("auto-restart"))
    }.prefix(Self.maximumFailedUnits).map { .unit($0, "failed", $0.end.text) }
  }

  private var unitsFinding: [Finding] {
    switch units {
    case .success(let list):
      failedUnits.isEmpty
        ? [Finding("units.good", "units", .good, "\(list.units.count) units, and no other failed")]
        : []
    case .failure(let refusal) where refusal.code == .noImage:
      [Finding("units.none", "units", .note, "this machine does not run the image")]
    case .failure: [.silentServiceManager]
    }
  }

  // MARK: Storage, sticks, sound card

  private var storageFindings: [Finding] {
    guard storage.isOfImage else { return [] }
    let notices = storage.notices
    return notices.isEmpty
      ? [Finding("storage.good", "storage", .good, "no problem was reported")]
      : notices.map {
        Finding($0.identifier, "storage", $0.grade, $0.sentence, remedy: $0.remedy)
      }
  }

  private var sticks: [Finding] {
    let sticks = MountedSticks(files: files)
    let unmounted = sticks.unmountedDisks.map(Finding.notMounted)
    let refused = sticks.notices.map {
      Finding($0.identifier, "stick", $0.grade, $0.sentence, remedy: $0.remedy)
    }
    let mounted = sticks.all.map(\.device)
    return unmounted + refused + [
      mounted.isEmpty
        ? Finding("sticks.none", "sticks", .good, "no stick is mounted")
        : Finding("sticks.mounted", "sticks", .good, "mounted: \(mounted.joined(separator: ", "))")
    ]
  }

  private var card: Finding {
    // A line of a card: ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`.
    let text = KernelFile.bytes(files.cards, atMost: Self.sizeLimit).map(FileName.text) ?? ""
    let names = text.split(separator: "\n").compactMap { line -> String? in
      guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close
      else { return nil }
      return line[line.index(after: open)..<close].split(separator: " ").joined(separator: " ")
    }
    return names.isEmpty
      ? Finding(
        "card.none", "sound card", .note, "the kernel has no sound card",
        remedy: "check the plug of the card; 'log kernel' shows what was found")
      : Finding("card.found", "sound card", .good, names.joined(separator: ", "))
  }

  // MARK: The journal

  private var errorLines: [Finding] {
    errors.isEmpty
      ? []
      : errors.suffix(Self.shownErrors).map {
        Finding("log.error", "last errors", .note, $0.text, remedy: "'log' shows more")
      }
  }
}

extension LogReport.Line {
  /// True if the daemon has written the line. Only its lines begin with an event.
  fileprivate var isOfDaemon: Bool {
    guard let end = text.utf8.firstRange(ofText: "error: ")?.upperBound else { return false }
    let event = text[end...].prefix { $0 != ":" }
    return LogEvent(rawValue: String(event)) != nil
  }
}
