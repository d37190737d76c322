internal import EventLoop
package import Reports

// Calls about the settings of the driver. `ControlClient+Calls.swift` states when a completion is
// called.
extension ControlClient {
  /// Reads all settings once.
  @discardableResult
  package func getSettings(_ completion: @escaping Completion<SettingsState>) -> Ticket? {
    call(ControlInterface.settings, "GetSettings", then: completion) {
      try SettingsCoding.state($0[0])
    }
  }

  /// Subscribes to the settings, also after each reconnection. The state is passed to
  /// ``onSettings``.
  package func subscribeToSettings() {
    subscribesToSettings = true
    guard bus?.isReady == true else { return }
    subscribe(to: ControlInterface.settings) { try $0.showSettings($1) }
  }

  func showSettings(_ values: [BusValue]) throws(WireError) {
    guard let value = values.first else { throw WireError("settings", "empty") }
    let state = try SettingsCoding.state(value)
    settings = state
    onSettings?(state)
  }

  /// Sets a value, written as in the configuration. The answer comes when the value is on the
  /// storage. ``onSettings`` gets the new state before.
  @discardableResult
  package func setSetting(
    _ key: String, to value: String, _ completion: @escaping Completion<SettingReport>
  ) -> Ticket? {
    change("Set", [.string(key), .string(value)], completion)
  }

  /// Removes the value that the driver has set.
  @discardableResult
  package func resetSetting(
    _ key: String, _ completion: @escaping Completion<SettingReport>
  ) -> Ticket? {
    change("Reset", [.string(key)], completion)
  }

  private func change(
    _ member: String, _ arguments: [BusValue], _ completion: @escaping Completion<SettingReport>
  ) -> Ticket? {
    call(ControlInterface.settings, member, arguments, then: completion) { values in
      guard let setting = try SettingsCoding.setting(values[0]) else {
        throw WireError("setting.kind", "unknown")
      }
      return setting
    }
  }

  /// Sets the time of day, in seconds since 1970.
  @discardableResult
  package func setTime(_ seconds: Int, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.settings, "SetTime", [.int64(Int64(seconds))], then: completion) { _ in }
  }

  /// Tells the unit whether the car is parked. Nil for unknown.
  @discardableResult
  package func setParked(_ isParked: Bool?, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(
      ControlInterface.unit, "SetParked", [.string(VehicleCoding.word(isParked: isParked))],
      then: completion
    ) { _ in }
  }
}
