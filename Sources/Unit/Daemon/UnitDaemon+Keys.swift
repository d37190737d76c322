internal import AVRCPTarget
internal import Control
internal import EventLoop
internal import HeadUnit
internal import Input
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

// The machine's keys in the daemon.
extension UnitDaemon {
  /// Opens the keys. If this fails, the unit plays without keys and logs the error.
  func listenToKeys() {
    do throws(SystemError) {
      keys = try UnitKeys(
        loop, unit.center, settings, at: .now(), activity: { [turns] in turns.request() },
        press: { [weak self] in self?.bluetooth?.target.received($0) },
        focus: { [outbox] in outbox.put(.focus($0)) },
        jump: { [weak self] in self?.unitQueue.jump($0) },
        change: { [weak self] in self?.note($0) },
        unknown: { [weak self] key in
          guard let self else { return }
          outbox.put(.trace(.key("\(key.text) has no action", at: key.at.sinceOrigin)))
          guard key.count == 1 else { return }
          log(.keysUnknown, "\(key.text) has no action; see 'key' in autoharp.conf", at: key.at)
        })
    } catch {
      log(.keysFailed, "\(error)", at: .now())
    }
  }

  private func note(_ change: InputDevices.Change) {
    switch change {
    case .added(let name, let node, let bus):
      log(.keysAdded, "\(name) (\(node), \(bus))", at: .now())
    case .removed(let name): log(.keysRemoved, name, at: .now())
    case .refused(let path, let why): log(.keysRefused, "\(path): \(why)", at: .now())
    }
  }

  /// The facts about keys for `status`.
  var keyFacts: [FactsReport.Fact] {
    guard let report = keys?.report else {
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

  var keysReport: FactsReport {
    let details = keys.map { Self.details($0.report, .now()) } ?? []
    return FactsReport([.init("keys", keyFacts)] + details)
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
