internal import EventLoop
internal import NowPlaying
internal import Reports

// Calls that read or change the head unit itself.
extension ControlServer {
  /// The maximum size of the log in one answer, in bytes. It is well below the limit of a message.
  private static let logBytes = 512 << 10
  private static let lineLimit = 1000

  func unit(_ call: MethodCall, _ client: ServedClient, _ now: MonotonicInstant) throws {
    var arguments = call.arguments
    switch call.member {
    case "GetFacts":
      let word = try arguments.string()
      guard let topic = FactsTopic(rawValue: word) else {
        throw WireError(
          "topic",
          "'\(BusText.harmless(word, limit: 100))' is unknown; expected one of: \(Self.topics)")
      }
      unit.facts(topic) { call.reply([ReportCoding.value(of: $0)]) }
    case "GetLatency": call.reply(ReportCoding.values(of: unit.latency()))
    case "Diagnose":
      try diagnose(try arguments.string(), now) { call.reply(ReportCoding.values(of: $0)) }
    case "GetTrace":
      let entries = trace(limit: try arguments.integer())
      call.reply([.list(entries.map(TraceCoding.value))])
    case "GetLog": call.reply([log(limit: try arguments.integer())])
    case "Follow":
      let words = try arguments.strings()
      guard words.allSatisfy({ ["log", "trace", "notices", "focus", "vehicle"].contains($0) })
      else {
        throw WireError(
          "what", "only 'log', 'trace', 'notices', 'focus' and 'vehicle' can be followed")
      }
      if words.contains("log") || words.contains("trace") { try require(.log, client) }
      client.receivesFocus = words.contains("focus")
      client.receivesNotices = words.contains("notices")
      client.receivesLog = words.contains("log")
      client.receivesTrace = words.contains("trace")
      client.receivesVehicle = words.contains("vehicle")
      call.reply()
      if client.receivesNotices {
        if let notice = unit.standingNotice { send(notice, to: client) }
        for notice in unit.takeNotices() { send(notice, to: client) }
      }
      if client.receivesVehicle {
        client.emit(.vehicle, [VehicleCoding.value(of: unit.vehicle)])
      }
    case "IsShellAllowed":
      let isAllowed = AccessRight.rights(of: client.role).contains(.shell)
      call.reply([.boolean(isAllowed && unit.isShellAllowed)])
    default: try perform(call, client, &arguments)
    }
  }

  private static let topics = FactsTopic.allCases.map(\.rawValue).joined(separator: ", ")

  private func perform(_ call: MethodCall, _ client: ServedClient, _ arguments: inout BodyReader)
    throws
  {
    switch call.member {
    case "PlayChime": try finish(call, unit.playChime())
    case "BeginInterruption", "BeginDuck", "EndInterruption", "EndDuck":
      try hold(call, client, &arguments)
    case "SetParked":
      try finish(call, unit.setParked(try VehicleCoding.isParked(try arguments.string())))
    case "EndSafeMode": try finish(call, unit.endSafeMode())
    case "Reboot": try finish(call, unit.power(.reboot))
    case "PowerOff": try finish(call, unit.power(.poweroff))
    case "ErasePersonalData":
      // A driver must not do this by an accidental touch. As for the settings, an unknown state permits it.
      if client.role == .screen, unit.vehicle.isParked == false {
        throw Refusal(.notParked, "the car is not parked")
      }
      unit.erasePersonalData(completion: answer(call))
    default: throw BusErrorReply(BusErrorName.unknownMethod, call.member)
    }
  }

  private func diagnose(
    _ symptom: String, _ now: MonotonicInstant, completion: @escaping (DiagnosisReport) -> Void
  ) throws {
    let inspection = unit.center.inspection(at: now)
    guard !symptom.isEmpty else {
      // Music without a cover is not a fault, and the checks already mention the missing cover. So
      // a path with this result is left out here. It is part of the answer only if the caller
      // requests the symptom of missing covers.
      let paths = DecisionTree.walk(inspection).filter { $0.pattern != .noPicture }
      return unit.findings { others in
        completion(
          DiagnosisReport(checks: Checks.run(inspection), paths: paths, others: others))
      }
    }
    if symptom == DiagnosisReport.phones {
      return unit.findings { others in
        completion(
          DiagnosisReport(checks: [], paths: [], others: others.filter(\.isAboutPhones)))
      }
    }
    guard let symptom = DecisionTree.Symptom(rawValue: symptom) else {
      let known =
        DecisionTree.Symptom.allCases.map { "'\($0.rawValue)'" } + ["'\(DiagnosisReport.phones)'"]
      throw WireError("symptom", "unknown; expected one of: \(known.joined(separator: ", "))")
    }
    completion(
      DiagnosisReport(
        checks: Checks.run(inspection),
        paths: [DecisionTree.walk(symptom, inspection)].compactMap { $0 }))
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
    return all.suffix(min(max(limit, 0), Self.lineLimit)).map(\.element.1)
  }

  private func log(limit: Int) -> BusValue {
    var bytes = 0
    var lines: [BusValue] = []
    for line in unit.recentLog(limit: min(max(limit, 0), Self.lineLimit)).reversed() {
      bytes += min(line.text.utf8.count, WireText.line) + 24
      if bytes > Self.logBytes { break }
      lines.append(.structure(ReportCoding.values(of: line)))
    }
    return .array(of: "(xys)", lines.reversed())
  }
}
