internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

// Facts, diagnosis, log and power of the head unit itself.
extension ControlServer {
  static func addUnit(to handlers: inout ControlHandlers) {
    handlers.on(Unit1.getFacts) { server, call in
      server.unit.facts(call.arguments) { call.reply($0) }
    }
    handlers.on(Unit1.getLatency) { server, call in call.reply(server.unit.latency()) }
    handlers.on(Unit1.diagnose) { $0.diagnose($1) }
    handlers.on(Unit1.getTrace) { server, call in call.reply(server.trace(limit: call.arguments)) }
    handlers.on(Unit1.getLog) { server, call in call.reply(server.log(limit: call.arguments)) }
    handlers.on(Unit1.follow) { $0.follow($1) }
    handlers.resend(.unit(.vehicle), Unit1.vehicleChanged, \.unit.vehicle)
    handlers.on(Unit1.isShellAllowed) { server, call in
      let rights = AccessRight.rights(of: call.caller.client.role)
      call.reply(rights.contains(.shell) && server.unit.isShellAllowed)
    }
    handlers.on(Unit1.playChime) { server, call in call.finish(server.unit.playChime()) }
    handlers.on(Unit1.setParked) { server, call in
      call.finish(server.unit.setParked(call.arguments))
    }
    handlers.on(Unit1.endSafeMode) { server, call in call.finish(server.unit.endSafeMode()) }
    handlers.on(Unit1.reboot) { server, call in call.finish(server.unit.power(.reboot)) }
    handlers.on(Unit1.powerOff) { server, call in call.finish(server.unit.power(.poweroff)) }
    handlers.on(Unit1.erasePersonalData) { server, call in
      // A driver must not do this by an accidental touch. As for the settings, an unknown state permits it.
      if call.caller.client.role == .screen, server.unit.vehicle.isParked == false {
        throw Refusal(.notParked, "the car is not parked")
      }
      server.unit.erasePersonalData { call.finish($0) }
    }
  }

  private func follow(_ call: ServedCall<Set<UnitSubject>, Void>) {
    let client = call.caller.client
    for subject in UnitSubject.allCases { client.subjects.remove(.unit(subject)) }
    client.subjects.formUnion(call.arguments.map { .unit($0) })
    call.reply()
    if call.arguments.contains(.notices) {
      if let notice = unit.standingNotice { send(notice, to: client) }
      for notice in unit.takeNotices() { send(notice, to: client) }
    }
    if call.arguments.contains(.vehicle) { resend(.unit(.vehicle), to: client) }
  }

  private func diagnose(_ call: ServedCall<DiagnosisRequest, DiagnosisReport>) {
    let inspection = unit.center.inspection(at: call.caller.now)
    switch call.arguments {
    case .everything:
      // Music without a cover is not a fault, and the checks already mention the missing cover. So
      // a path with this result is left out here. It is part of the answer only if the caller
      // requests the symptom of missing covers.
      let paths = DecisionTree.walk(inspection).filter { $0.pattern != .noPicture }
      unit.findings { others in
        call.reply(DiagnosisReport(checks: Checks.run(inspection), paths: paths, others: others))
      }
    case .phones:
      unit.findings { others in
        call.reply(
          DiagnosisReport(checks: [], paths: [], others: others.filter(\.isAboutPhones)))
      }
    case .symptom(let symptom):
      call.reply(
        DiagnosisReport(
          checks: Checks.run(inspection),
          paths: [DecisionTree.walk(symptom, inspection)].compactMap { $0 }))
    }
  }

  /// The last entries about commands, publications and sound events, in the order of time.
  private func trace(limit: Int) -> [TraceEntry] {
    let commands = unit.center.trace.records.map { ($0.received, TraceEntry.command(.init($0))) }
    let states = unit.center.publications.map { ($0.at, TraceEntry($0)) }
    let sound = unit.soundTrace.compactMap { entry -> (MonotonicInstant, TraceEntry)? in
      guard case .sink(_, let at) = entry else { return nil }
      return (MonotonicInstant(awake: at), entry)
    }
    let all = (commands + states + sound).enumerated().sorted {
      ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }
    return all.suffix(limit).map(\.element.1)
  }

  /// The maximum size of the log in one answer, in bytes. It is well below the limit of a message.
  private static let logBytes = 512 << 10

  private func log(limit: Int) -> [LogLine] {
    var bytes = 0
    let lines = unit.recentLog(limit: limit).reversed().prefix { line in
      bytes += min(line.text.utf8.count, WireText.line) + 24
      return bytes <= Self.logBytes
    }
    return lines.reversed()
  }
}
