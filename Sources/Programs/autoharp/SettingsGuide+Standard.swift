import ConsoleLink
import Reports
import Settings

extension SettingsGuide {
  /// The settings of the unit, and the files that the daemon reads.
  static let standard = SettingsGuide(
    SettingKey.all.map { key in
      Entry(
        key: key.name, standard: key.text(Settings()), permitted: key.constraint,
        meaning: key.about, effect: key.effect == .now ? .now : .restart,
        isOfDriver: key.driver != nil, isForRoot: key.driver?.isForRoot ?? false)
    },
    files: files,
    password: { Configuration(checks: .standard).settings.consolePassword })

  @Sendable private static func files() -> FactsReport {
    let configuration = Configuration(checks: .standard)
    let facts = configuration.rows.map { name, values, origin in
      let value = values.isEmpty ? "-" : values.joined(separator: ", ")
      return FactsReport.Fact(
        name, origin == .standard ? value : "\(value)  (\(configuration.originText(name)))")
    }
    let notices = configuration.notices.enumerated().map {
      FactsReport.Fact("\($0 + 1)", $1.description, $1.kind == .remark ? .plain : .bad)
    }
    return FactsReport([.init("configuration", facts), .init("notices", notices)])
  }
}
