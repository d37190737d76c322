internal import NowPlaying
internal import Reports
internal import Settings

// Converts the settings of the driver, and refusals to change them, to the form in which clients of the control socket
// get them.

extension Refusal {
  /// - Parameter key: the name of the setting.
  init(_ refusal: DriverRefusal, _ key: String) {
    switch refusal {
    case .unknownKey(let near):
      self.init(
        .unknownSetting, "there is no setting '\(key)'",
        remedy: near.map { "did you mean '\($0)'?" } ?? "'config' lists the settings")
    case .notOfDriver:
      self.init(
        .notOfDriver, "'\(key)' cannot be changed on the unit",
        remedy: "write it into autoharp.conf on the boot partition, on a computer")
    case .fixed(let origin):
      self.init(
        .settingFixed, "'\(key)' is fixed by the configuration, in \(origin)",
        remedy: "remove the line, on a computer or in the root shell, then 'service restart daemon'"
      )
    case .invalidValue(let reason): self.init(.invalidSetting, "\(key): \(reason)")
    }
  }
}

extension SettingReport {
  /// Creates the report about the present value of a key.
  init(_ key: SettingKey, _ configuration: Configuration) {
    let settings = configuration.settings
    let number = key.numericValue(settings)
    let step = key.driver?.step ?? 1
    let kind: Kind =
      switch key.domain {
      case .choice(let words): .choice(words)
      case .number(let range, let unit, let special):
        .number(
          Numbers(
            minimum: range.lowerBound, maximum: range.upperBound, step: step, unit: unit,
            current: number, special: special))
      case .timeOfDay:
        .timeOfDay(
          Numbers(
            minimum: 0, maximum: 1439, step: step, unit: "", current: number, special: nil))
      case .text(let bytes, let mayBeEmpty): .text(maximumBytes: bytes, mayBeEmpty: mayBeEmpty)
      }
    let origin = configuration.origin(of: key)
    let source: Source =
      switch configuration.layer(of: key) {
      case nil: .standard
      case .driver: .driver
      case .shipped: .shipped
      case .owner: .owner
      }
    self.init(
      key: key.name, value: key.text(settings), standard: key.text(Settings()), source: source,
      location: source == .shipped || source == .owner ? origin.description : "",
      effect: key.effect == .restart ? .restart : .now,
      isForRoot: key.driver?.isForRoot ?? false, kind: kind)
  }
}
