internal import Input
internal import NowPlaying
internal import Reports
internal import SystemClock

// The facts about keys.
extension UnitKeys {
  /// The facts about keys for `status`.
  var facts: [FactsReport.Fact] {
    guard let report else {
      return [.init("keys", "could not be opened; see 'log'", .note)]
    }
    let now = MonotonicInstant.now()
    var facts: [FactsReport.Fact] = [.init("keys", Self.count(report))]
    if let problem = report.problem { facts.append(.init("watching", problem, .note)) }
    if !report.refused.isEmpty {
      let text = "\(report.refused.count), the first: \(report.refused[0].why); see 'keys'"
      facts.append(.init("cannot be read", text, .note))
    }
    if let press = report.lastPress {
      let ago = UnitFacts.time(now.wholeTime(since: press.at))
      facts.append(.init("last press", "\(press.code) of \(press.device), \(ago) ago"))
    }
    return facts
  }

  /// The facts about keys and the details of the devices, for `keys`.
  var factsReport: FactsReport {
    let details = report.map { Self.details($0, .now()) } ?? []
    return FactsReport([.init("keys", facts)] + details)
  }

  private static func count(_ report: InputReport) -> String {
    let phones = report.devices.count { $0.isPassThrough }
    let count = report.devices.count
    return count == 0
      ? "no devices"
      : phones == 0 ? "devices: \(count)" : "devices: \(count), including \(phones) of phones"
  }

  private static func details(_ report: InputReport, _ now: MonotonicInstant)
    -> [FactsReport.Section]
  {
    let devices = report.devices.map { device in
      let kind = device.isPassThrough ? "a phone's" : device.bus
      let presses = device.presses == 1 ? "1 press" : "\(device.presses) presses"
      return FactsReport.Fact(
        device.node, "\(device.name); \(kind), \(device.known) known keys, \(presses)")
    }
    let others =
      report.refused.map { FactsReport.Fact($0.node, "cannot be read: \($0.why)", .note) }
      + report.unused.map { FactsReport.Fact($0.node, "\($0.name); not read: \($0.why)") }
    let unknown = report.unknown.reversed().map { key in
      let times = key.count == 1 ? "once" : "\(key.count) times"
      return FactsReport.Fact(
        "\(key.code)",
        "\(key.text), \(times), last \(UnitFacts.time(now.wholeTime(since: key.at))) ago")
    }
    return [
      .init("devices", devices), .init("not read", others),
      .init("pressed unknown keys", Array(unknown)),
    ].filter { !$0.facts.isEmpty }
  }
}
