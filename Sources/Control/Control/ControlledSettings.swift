package import NowPlaying
package import Reports

/// The settings of the driver. Control thread; no call blocks.
package protocol ControlledSettings: AnyObject {
  /// The number of ``state``. It grows with each change.
  var revision: Int { get }
  /// All settings, and the clock.
  var state: SettingsState { get }
  /// Sets a value, which applies at once if its effect is `now`. `completion` is called once, when the value is on the
  /// storage or when the change was refused. If only saving has failed, the value applies until the next start.
  func set(
    _ key: String, to value: String,
    completion: @escaping (Result<SettingReport, Refusal>) -> Void)
  /// Removes the value of the driver. See ``set(_:to:completion:)``.
  func reset(_ key: String, completion: @escaping (Result<SettingReport, Refusal>) -> Void)
  /// Sets the time of day, in seconds since 1970. `completion` gets nil when it is set.
  func setTime(_ seconds: Int, completion: @escaping (Refusal?) -> Void)
}
