package import NowPlaying
package import Reports

/// The settings that the driver of the car can change. Control thread; no call blocks.
package protocol ControlledSettings: AnyObject {
  /// The number of the present ``state``. Each change increases it.
  var revision: Int { get }
  /// All settings, and the clock.
  var state: SettingsState { get }
  /// Sets a value. The value applies immediately if the effect of the setting (``SettingReport``) is `now`.
  /// `completion` is called once, after the value was saved to the storage or after the change was refused. If only
  /// saving has failed, the value applies until the next start.
  func set(
    _ key: String, to value: String,
    completion: @escaping (Result<SettingReport, Refusal>) -> Void)
  /// Removes the value that the driver has set, so that the default applies. See ``set(_:to:completion:)``.
  func reset(_ key: String, completion: @escaping (Result<SettingReport, Refusal>) -> Void)
  /// Moves the damaged file of the driver's settings away, and writes the values in use to a new file. `completion`
  /// gets the new name of the damaged file, or the refusal if the file is not damaged or cannot be moved.
  func repair(completion: @escaping (Result<String, Refusal>) -> Void)
  /// Sets the time of day, in seconds since 1970. `completion` gets nil after the time was set.
  func setTime(_ seconds: Int, completion: @escaping (Refusal?) -> Void)
}
