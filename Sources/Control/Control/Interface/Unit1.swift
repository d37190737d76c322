internal import BusMethods
internal import EventLoop
internal import NowPlaying
package import Reports

/// Facts, diagnosis, log, trace and power of the head unit.
package enum Unit1 {
  package static let interface = MethodTable(
    "Unit1",
    [
      getFacts.row, getLatency.row, diagnose.row, getTrace.row, getLog.row, follow.row,
      playChime.row, testSound.row, beginInterruption.row, endInterruption.row, beginDuck.row,
      endDuck.row,
      setParked.row, isShellAllowed.row, endSafeMode.row, erasePersonalData.row, reboot.row,
      powerOff.row,
    ],
    signals: [
      logLine.declaration, traceRecord.declaration, notice.declaration,
      filesUnplayable.declaration, focusMoved.declaration, vehicleChanged.declaration,
    ])

  // MARK: Reading

  package static let getFacts: ControlMethod<FactsTopic, FactsReport> = .init(
    "Unit1.GetFacts", .look, takes: .one("topic", .listedWord), returns: .one("sections", .facts))

  package static let getLatency: ControlMethod<Void, LatencyTable> = .init(
    "Unit1.GetLatency", .look,
    returns: .record(LatencyTable()) { field, table in
      var (bounds, rows) = ReportCoding.values(of: table)
      try field("bounds", &bounds, .any("ax"))
      try field("rows", &rows, .any(ReportCoding.latencySignature))
      if field.isReading { table = try ReportCoding.latency(bounds, rows) }
    })

  /// Runs the checks and walks the decision tree, as far as the ``DiagnosisRequest`` requests it.
  package static let diagnose: ControlMethod<DiagnosisRequest, DiagnosisReport> = .init(
    "Unit1.Diagnose", .look, takes: .one("symptom", .symptom),
    returns: .record(DiagnosisReport(findings: [], paths: [])) { field, report in
      var (findings, paths) = ReportCoding.values(of: report)
      try field("findings", &findings, .any(ReportCoding.findingsSignature))
      try field("walks", &paths, .any(ReportCoding.pathsSignature))
      if field.isReading { report = try ReportCoding.diagnosis(findings, paths) }
    })

  /// Reads the last entries of the trace, oldest first. A client skips entries of a kind that it does not know.
  package static let getTrace: ControlMethod<Int, [TraceEntry]> = .init(
    "Unit1.GetTrace", .log, takes: .one("limit", .number(0...1000)),
    returns: .one("entries", .entries))

  /// Reads the last lines of the log, oldest first.
  package static let getLog: ControlMethod<Int, [LogLine]> = .init(
    "Unit1.GetLog", .log, takes: .one("limit", .number(0...1000)), returns: .one("lines", .lines))

  /// Sets the subjects that the client follows. Subjects that are not in the argument are no longer followed.
  package static let follow: ControlMethod<Set<UnitSubject>, Void> = .init(
    "Unit1.Follow", .look, also: .when(.log) { !$0.isDisjoint(with: [.log, .trace]) },
    takes: .one("what", .words()))

  /// True if the caller is permitted to start a shell.
  package static let isShellAllowed: ControlMethod<Void, Bool> = .init(
    "Unit1.IsShellAllowed", .look, returns: .one("allowed", .flag))

  // MARK: Changing

  /// Plays a tone on each channel, one after the other, over the music.
  package static let testSound: ControlMethod<Void, Void> = .init("Unit1.TestSound", .act)

  /// Plays the chime over the music, to test the loudspeaker.
  package static let playChime: ControlMethod<Void, Void> = .init("Unit1.PlayChime", .act)

  package static let beginInterruption: ControlMethod<HoldBegin, Void> = .init(
    "Unit1.BeginInterruption", .act,
    takes: .record(HoldBegin("")) { field, hold in try hold.code(&field) })
  package static let endInterruption: ControlMethod<InterruptionEnd, Void> = .init(
    "Unit1.EndInterruption", .act,
    takes: .record(InterruptionEnd("")) { field, end in
      try field("name", &end.name, .holdName)
      try field.options("options")
      try field.flag("shouldResume", &end.shouldResume, isUsually: true)
    })
  package static let beginDuck: ControlMethod<HoldBegin, Void> = .init(
    "Unit1.BeginDuck", .act,
    takes: .record(HoldBegin("")) { field, hold in try hold.code(&field) })
  package static let endDuck: ControlMethod<String, Void> = .init(
    "Unit1.EndDuck", .act, takes: .one("name", .holdName))

  /// Tells the unit whether the car is parked. Nil if unknown.
  package static let setParked: ControlMethod<Bool?, Void> = .init(
    "Unit1.SetParked", .vehicle, takes: .one("state", .parked))

  /// Ends safe mode: the daemon ends, and the service manager starts it normally.
  package static let endSafeMode: ControlMethod<Void, Void> = .init("Unit1.EndSafeMode", .retry)
  /// Reboots the machine, and erases the personal data before the daemon starts again.
  package static let erasePersonalData: ControlMethod<Void, Void> = .init(
    "Unit1.ErasePersonalData", .erase)
  package static let reboot: ControlMethod<Void, Void> = .init("Unit1.Reboot", .power)
  package static let powerOff: ControlMethod<Void, Void> = .init("Unit1.PowerOff", .power)

  // MARK: Signals

  static let logLine = BusSignal<LogLine>(
    "Unit1.LogLine",
    carries: .record(LogLine(at: .zero, severity: .info, text: "")) { field, line in
      var values = ReportCoding.values(of: line)
      try field("at", &values[0], .any("x"))
      try field("severity", &values[1], .any("y"))
      try field("text", &values[2], .any("s"))
      if field.isReading { line = try ReportCoding.logLine(values) }
    })
  /// Nil if the kind of entry is unknown. A newer daemon can send such an entry.
  static let traceRecord = BusSignal<TraceEntry?>(
    "Unit1.TraceRecord", carries: .one("entry", .entry))
  /// Nil if the kind of notice is unknown. A newer daemon can send such a notice.
  static let notice = BusSignal<UnitNotice?>(
    "Unit1.Notice",
    carries: .record(nil) { field, notice in
      var (kind, about) = (notice?.kind.rawValue ?? "", notice?.about ?? "")
      try field("kind", &kind, .text)
      try field("about", &about, .line)
      if field.isReading {
        notice = UnitNotice.Kind(rawValue: kind).map { UnitNotice($0, about: about) }
      }
    })
  static let filesUnplayable = BusSignal<UnitNotice>(
    "Unit1.FilesUnplayable", carries: .one("files", .unplayable))
  /// Nil if the kind of move is unknown. A newer daemon can send such a move.
  static let focusMoved = BusSignal<FocusMove?>(
    "Unit1.FocusMoved",
    carries: .record(nil) { field, move in
      var (kind, times) = (move?.kind.rawValue ?? "", move?.times ?? 1)
      try field("kind", &kind, .text)
      try field("times", &times, .number())
      if field.isReading {
        move = FocusMove.Kind(rawValue: kind).map { FocusMove($0, times: times) }
      }
    })
  static let vehicleChanged = BusSignal<VehicleState>(
    "Unit1.VehicleChanged", carries: .one("state", .vehicle))
}
