package import Reports

/// What the console knows about the settings without the daemon. The program provides it.
package struct SettingsGuide: Sendable {
  /// A setting.
  package struct Entry: Sendable {
    package var key: String
    /// The default as it is written in a file. Empty for *none*.
    package var standard: String
    /// The permitted values, in words.
    package var permitted: String
    package var meaning: String
    package var effect: SettingReport.Effect
    /// True if the driver can change the setting.
    package var isOfDriver: Bool
    /// True if of all drivers only root can change the setting.
    package var isForRoot: Bool

    package init(
      key: String, standard: String, permitted: String, meaning: String,
      effect: SettingReport.Effect = .now, isOfDriver: Bool = false, isForRoot: Bool = false
    ) {
      self.key = key
      self.standard = standard
      self.permitted = permitted
      self.meaning = meaning
      self.effect = effect
      self.isOfDriver = isOfDriver
      self.isForRoot = isForRoot
    }
  }

  package var entries: [Entry]
  /// Reads the files of the configuration. The result has the form of the daemon's facts about it.
  package var files: @Sendable () -> FactsReport

  /// Reads the password for dangerous commands from these files. Nil if there is none.
  package var password: @Sendable () -> String?

  package init(
    _ entries: [Entry] = [], files: @escaping @Sendable () -> FactsReport = { FactsReport([]) },
    password: @escaping @Sendable () -> String? = { nil }
  ) {
    self.entries = entries
    self.files = files
    self.password = password
  }
}
