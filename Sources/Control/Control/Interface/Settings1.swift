internal import BusMethods
internal import EventLoop
package import Reports

/// The settings that the driver of the car can change, and the time of day.
package enum Settings1 {
  package static let interface = MethodTable(
    "Settings1", state.rows + [set.row, reset.row, repair.row, setTime.row],
    signals: [state.changed.declaration])

  package static let state: FollowedValue<SettingsState> = .init(
    "Settings1", .settings, get: "GetSettings", changed: "Changed", .one("state", .settings))

  /// Sets a value, in the syntax of the configuration. The daemon first sends the signal with the new state. It sends
  /// the answer after the value was saved to the storage. A setting that only root can change needs the right
  /// `vehicle`.
  package static let set: ControlMethod<SettingChange, SettingReport> = .init(
    "Settings1.Set", .settings, also: .ifHandlerRequires(.vehicle),
    takes: .record(SettingChange("", to: "")) { field, change in
      try field("key", &change.key, .typedName)
      try field("value", &change.value, .text)
    }, returns: .one("setting", .setting))

  /// Removes the value that the driver has set, so that the default applies.
  package static let reset: ControlMethod<String, SettingReport> = .init(
    "Settings1.Reset", .settings, also: .ifHandlerRequires(.vehicle),
    takes: .one("key", .typedName),
    returns: .one("setting", .setting))

  /// Moves the damaged file of the driver's settings away, and writes the values that are in use to a new file. The
  /// result is the name that the damaged file has now.
  package static let repair: ControlMethod<Void, String> = .init(
    "Settings1.Repair", .settings, returns: .one("kept", .text))

  /// Sets the time of day, in seconds since 1970.
  package static let setTime: ControlMethod<Int, Void> = .init(
    "Settings1.SetTime", .settings, takes: .one("seconds", .signed))
}

/// A new value of a setting.
package struct SettingChange: Equatable, Sendable {
  /// The key of the setting. Its length is limited: after an unknown key, the daemon searches for similar keys, and
  /// this search takes more time for a longer key.
  package var key: String
  package var value: String

  package init(_ key: String, to value: String) {
    self.key = key
    self.value = value
  }
}

extension WireType<SettingsState> {
  fileprivate static var settings: Self {
    Self("a{sv}", SettingsCoding.value(of:), read: SettingsCoding.state)
  }
}

extension WireType<SettingReport> {
  fileprivate static var setting: Self {
    Self("a{sv}", { SettingsCoding.value(of: $0) }) { value, name in
      guard let setting = try SettingsCoding.setting(value) else {
        throw WireError("\(name).kind", "unknown")
      }
      return setting
    }
  }
}

extension WireType<Int> {
  fileprivate static var signed: Self {
    Self("x", { .int64(Int64($0)) }) { value, _ in value.integer ?? 0 }
  }
}
