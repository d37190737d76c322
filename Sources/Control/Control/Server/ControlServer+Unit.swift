internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports
internal import SystemClock

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
    handlers.on(Unit1.testSound) { server, call in call.finish(server.unit.testSound()) }
    handlers.on(Unit1.playChime) { server, call in call.finish(server.unit.playChime()) }
    handlers.on(Unit1.setParked) { server, call in
      call.finish(server.unit.setParked(call.arguments))
    }
    handlers.on(Unit1.endSafeMode) { server, call in call.finish(server.unit.endSafeMode()) }
    handlers.on(Unit1.reboot) { server, call in call.finish(server.unit.power(.reboot)) }
    handlers.on(Unit1.powerOff) { server, call in call.finish(server.unit.power(.poweroff)) }
    handlers.on(Unit1.erasePersonalData) { server, call in
      // A driver must not erase the data with an accidental touch. If it is unknown whether the car is parked, erasing
      // is permitted, like a change of the settings.
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
    let center = unit.center
    let screens = center.probeScreens(at: call.caller.now)
    for client in clients.values where client.surface.map({ screens.contains($0.id) }) ?? false {
      resend(.nowPlaying, to: client)
    }
    switch call.arguments {
    case .everything:
      unit.findings { others in
        let inspection = center.inspection(at: .now())
        call.reply(
          DiagnosisReport(
            checks: Checks.run(inspection), paths: DecisionTree.walk(inspection), others: others))
      }
    case .complaint(let complaint):
      unit.findings { others in
        let inspection = center.inspection(at: .now())
        var report = DiagnosisReport(checks: Checks.run(inspection), paths: [], others: others)
        report.findings = report.findings.filter(complaint.concerns)
        call.reply(report)
      }
    case .symptom(let symptom):
      unit.findings { others in
        let inspection = center.inspection(at: .now())
        call.reply(
          DiagnosisReport(
            checks: Checks.run(inspection),
            paths: [DecisionTree.walk(symptom, inspection)].compactMap { $0 },
            others: others.filter { $0.isAbout(symptom) }))
      }
    }
  }

  /// The last entries of the trace, in the order of time: commands, publications and events of the sound.
  private func trace(limit: Int) -> [TraceEntry] {
    let commands = unit.center.trace.records.map { ($0.received, TraceEntry.command(.init($0))) }
    let states = unit.center.publications.map { ($0.at, TraceEntry($0)) }
    let changes = unit.center.soundChanges.map { ($0.at, TraceEntry($0)) }
    let sound = unit.soundTrace.compactMap { entry -> (MonotonicInstant, TraceEntry)? in
      guard case .sink(_, let at) = entry else { return nil }
      return (MonotonicInstant(awake: at), entry)
    }
    let all = (commands + states + changes + sound).enumerated().sorted {
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

// The settings that the driver of the car can change.
extension ControlServer {
  static func addSettings(to handlers: inout ControlHandlers) {
    handlers.follow(Settings1.state) { $0.unit.driverSettings.state }
    handlers.on(Settings1.set) { server, call in
      let change = call.arguments
      try server.requireRight(to: change.key, call.caller)
      server.unit.driverSettings.set(change.key, to: change.value) { call.finish($0) }
    }
    handlers.on(Settings1.reset) { server, call in
      try server.requireRight(to: call.arguments, call.caller)
      server.unit.driverSettings.reset(call.arguments) { call.finish($0) }
    }
    handlers.on(Settings1.repair) { server, call in
      server.unit.driverSettings.repair { call.finish($0) }
    }
    handlers.on(Settings1.setTime) { server, call in
      server.unit.driverSettings.setTime(call.arguments) { call.finish($0) }
    }
  }

  private func requireRight(to key: String, _ caller: ControlCaller) throws {
    if unit.driverSettings.state.setting(key)?.isForRoot == true { try caller.require(.vehicle) }
  }
}

// Holds: interruptions and ducks of clients. A hold ends when the client that has begun it disconnects, unless the
// client requested a hold that outlives the connection. Any client with the right `act` can end a hold.
extension ControlServer {
  static func addHolds(to handlers: inout ControlHandlers) {
    handlers.on(Unit1.beginInterruption) { server, call in
      server.begin(.interruption(.init(call.arguments.name)), call)
    }
    handlers.on(Unit1.beginDuck) { server, call in server.begin(.duck(call.arguments.name), call) }
    handlers.on(Unit1.endInterruption) { server, call in
      let end = call.arguments
      call.finish(
        server.end(.interruption(.init(end.name)), shouldResume: end.shouldResume))
    }
    handlers.on(Unit1.endDuck) { server, call in
      call.finish(server.end(.duck(call.arguments), shouldResume: true))
    }
  }

  private func begin(_ hold: SoundHold, _ call: ServedCall<HoldBegin, Void>) {
    let begin = call.arguments
    let refusal = unit.begin(
      hold, for: begin.time ?? (begin.outlives ? SoundHold.standardTime : nil),
      outlives: begin.outlives)
    if refusal == nil {
      // An earlier hold with the same name has possibly ended at its time limit. Its client no longer owns this name.
      forget(hold)
      if !begin.outlives { call.caller.client.holds.insert(hold) }
    }
    call.finish(refusal)
  }

  private func end(_ hold: SoundHold, shouldResume: Bool) -> Refusal? {
    let refusal = unit.end(hold, shouldResume: shouldResume)
    if refusal == nil { forget(hold) }
    return refusal
  }

  /// Removes the hold from its client. Otherwise a later hold with the same name would end when this client
  /// disconnects.
  private func forget(_ hold: SoundHold) {
    for client in clients.values { client.holds.remove(hold) }
  }
}

// Phones.
extension ControlServer {
  static func addPhones(to handlers: inout ControlHandlers) {
    handlers.follow(Bluetooth1.phones) { $0.unit.phones?.state ?? PhonesState() }
    handlers.on(Bluetooth1.openPairing) { server, call in
      call.finish(try server.phones().openPairing(for: call.arguments))
    }
    handlers.on(Bluetooth1.closePairing) { server, call in
      try server.phones().closePairing()
      call.finish(nil)
    }
    handlers.on(Bluetooth1.find) { server, call in
      call.finish(try server.phones().find(for: call.arguments))
    }
    handlers.on(Bluetooth1.acceptPairing) { server, call in
      call.finish(try server.phones().answerPairing(call.arguments, accepts: true))
    }
    handlers.on(Bluetooth1.rejectPairing) { server, call in
      call.finish(try server.phones().answerPairing(call.arguments, accepts: false))
    }
    handlers.on(Bluetooth1.setFirstChoice) { server, call in
      call.finish(try server.phones().setFirstChoice(call.arguments))
    }
    // The results of the following calls arrive from BlueZ later.
    handlers.on(Bluetooth1.add) { server, call in
      try server.phones().add(call.arguments) { call.finish($0) }
    }
    handlers.on(Bluetooth1.connect) { server, call in
      try server.phones().connect(call.arguments) { call.finish($0) }
    }
    handlers.on(Bluetooth1.disconnect) { server, call in
      try server.phones().disconnect(call.arguments) { call.finish($0) }
    }
    handlers.on(Bluetooth1.rename) { server, call in
      try server.phones().rename(call.arguments.subject, to: call.arguments.name) {
        call.finish($0)
      }
    }
    handlers.on(Bluetooth1.forget) { server, call in
      try server.phones().forget(call.arguments) { call.finish($0) }
    }
  }

  private func phones() throws(Refusal) -> any ControlledPhones {
    if let phones = unit.phones { return phones }
    throw Refusal(.noBluetooth, "this unit runs without Bluetooth")
  }
}
