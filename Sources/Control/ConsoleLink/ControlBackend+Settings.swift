internal import Console
internal import Control
internal import NowPlaying
internal import Reports
internal import SystemClock

// Commands for the settings.
extension ControlBackend {
  func perform(_ command: ConsoleCommand.Config, _ answer: @escaping Answer) {
    let isLost = storageFiles.notices.contains(where: \.keepsNothing)
    let done: (Result<SettingReport, ControlError>) -> Void = { result in
      answer(
        Self.reply(result) {
          .done(
            isLost
              ? ConsoleMessage(
                "setting-kept-in-memory",
                "\($0.words); lost at the next start, because /data is kept in memory")
              : ConsoleMessage("setting-changed", $0.words))
        })
    }
    switch command {
    case .show: facts(.config, answer)
    case .one(let name):
      client.call(Unit1.getFacts, .config) { [weak self] result in
        guard let self, case .success(let report) = result else {
          return answer(Self.reply(result) { .facts($0) })
        }
        answer(one(name, report))
      }
    case .repair:
      client.call(Settings1.repair) { result in
        answer(
          Self.reply(result) { kept in
            .done(
              ConsoleMessage(
                "settings-repaired",
                "The settings in use are in a new file. The damaged file is kept as \(kept)."))
          })
      }
    case .set(let key, let value): client.call(Settings1.set, SettingChange(key, to: value), done)
    case .reset(let key): client.call(Settings1.reset, key, done)
    }
  }

  /// Shows settings without the daemon: reads the files that the daemon reads.
  func configWithoutDaemon(_ command: ConsoleCommand.Config, _ state: DaemonState) -> ConsoleReply {
    switch command {
    case .show: .facts(guide.files())
    case .one(let name): one(name, guide.files())
    case .set, .reset, .repair: .unreachable(state)
    }
  }

  /// One setting, with its permitted values.
  private func one(_ name: String, _ report: FactsReport) -> ConsoleReply {
    let facts = report.sections.flatMap(\.facts)
    guard let entry = guide.entries.first(where: { $0.key == name }),
      let fact = facts.first(where: { $0.label == name })
    else {
      let near = guide.entries.map(\.key).first { $0.hasPrefix(name) }
      return .refused(
        Refusal(
          .unknownSetting, "there is no setting '\(name)'",
          remedy: near.map { "did you mean '\($0)'?" } ?? "'config' lists the settings"))
    }
    // The value is followed by its origin in brackets if it is not the default.
    var (value, origin) = (fact.value, "the default")
    if fact.value.hasSuffix(")"), let open = Self.lastOrigin(in: fact.value) {
      value = String(fact.value[..<open])
      origin = String(fact.value[open...].dropFirst(3).dropLast())
    }
    return .facts(
      FactsReport([
        .init(
          name,
          [
            .init("value", value), .init("set by", origin),
            .init("default", entry.standard.isEmpty ? "-" : entry.standard),
            .init("permitted", entry.permitted),
            .init("changed by", Self.changedBy(entry, origin: origin)),
            .init("takes effect", entry.effect == .now ? "at once" : "at the next start"),
            .init("meaning", entry.meaning),
          ])
      ]))
  }

  /// The position of the two spaces and the bracket before the origin.
  private static func lastOrigin(in value: String) -> String.Index? {
    var index = value.endIndex
    while index > value.startIndex {
      index = value.index(before: index)
      if value[index...].hasPrefix("  (") { return index }
    }
    return nil
  }

  private static func changedBy(_ entry: SettingsGuide.Entry, origin: String) -> String {
    if origin.hasPrefix("owner,") || origin.hasPrefix("shipped,") {
      return "only this file, because it fixes the value"
    }
    guard entry.isOfDriver else {
      return "only a file: autoharp.conf on the boot partition, on a computer"
    }
    return "'config set \(entry.key) VALUE'" + (entry.isForRoot ? ", only in the root shell" : "")
  }
}

extension SettingReport {
  /// The text that the console shows after a change of the setting.
  fileprivate var words: String {
    "\(key) = \(value.isEmpty ? "none" : value)" + (source == .driver ? "" : " (the default)")
      + (effect == .restart ? "; takes effect at the next start" : "")
  }
}

// Commands for the time of day.
extension ControlBackend {
  func perform(_ command: ConsoleCommand.Clock, _ answer: @escaping Answer) {
    client.call(Settings1.state.get) { [weak self] result in
      guard let self, case .success(let state) = result else {
        return answer(Self.reply(result) { _ in .done() })
      }
      let zone = ClockZone.named(state.setting("time-zone")?.value) ?? .utc
      switch command {
      case .show: answer(.facts(Self.report(state, zone, at: clock())))
      case .set(let text): setTime(text, zone, answer)
      }
    }
  }

  private func setTime(_ text: String, _ zone: ClockZone, _ answer: @escaping Answer) {
    guard let given = ClockText(text), let seconds = given.seconds(in: zone, now: clock()) else {
      return answer(
        .refused(
          Refusal(
            .invalidTime, "'\(text)' is not a time",
            remedy: "write 'clock set 14:05' or 'clock set 2026-11-30 14:05'")))
    }
    client.call(Settings1.setTime, seconds) { result in
      answer(
        Self.reply(result) {
          .done(
            ConsoleMessage("clock-set", "The clock is set: \(zone.localTime(at: seconds).words)."))
        })
    }
  }

  private static func report(
    _ state: SettingsState, _ zone: ClockZone, at seconds: Int
  ) -> FactsReport {
    let (keeper, grade): (String, Grade) =
      switch state.clock {
      case .unknown: ("nothing; the time is not known", .note)
      case .chip: ("a clock chip", .good)
      case .person: ("a person, until the machine stops", .good)
      case .network: ("the network", .good)
      }
    return FactsReport([
      .init(
        "clock",
        [
          .init("time", zone.localTime(at: seconds).words), .init("time zone", zone.name),
          .init("kept by", keeper, grade),
          .init(
            "set it",
            state.canSetTime
              ? "'clock set 14:05', 'clock set 2026-11-30 14:05'" : "not possible on this machine"),
        ])
    ])
  }
}

extension ClockZone {
  fileprivate static func named(_ name: String?) -> ClockZone? { all.first { $0.name == name } }
}

extension LocalTime {
  fileprivate var words: String { "\(minutes) \(zone)" }
}
