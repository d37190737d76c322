// The findings about the machine that the daemon and the console share. The console reports them if the daemon does not
// answer.
extension DiagnosisReport.Finding {
  /// A systemd unit that does not do its work.
  /// - Parameters:
  ///   - kind: the last word of the code: `failed`, `masked` or `stopped`.
  ///   - words: what happened, as the end of a sentence about the unit.
  package static func unit(
    _ unit: SystemUnits.Unit, _ kind: String, _ words: String, meaning: String? = nil,
    remedy: String? = nil
  ) -> Self {
    let (name, label) = (unit.shortName, SystemUnits.Unit.label(of: unit.name))
    let restarts = unit.restarts > 1 ? "; started again \(unit.restarts) times" : ""
    return Self(
      "unit.\(name).\(kind)", name, .bad, "\(unit.name) \(words)\(restarts)", meaning: meaning,
      remedy: remedy
        ?? "'service log \(label)' shows why; "
        + (unit.isRestartable
          ? "'service restart \(label)' starts it again" : "'reboot' starts it again")
    )
  }

  package static let silentServiceManager = Self(
    "units.silent", "units", .bad, "the service manager does not answer",
    meaning: "it is not known which programs run", remedy: "'reboot'")

  /// A disk that the kernel has found, and that the image has not mounted.
  package static func notMounted(_ disk: String) -> Self {
    Self(
      "stick.not-mounted", "stick", .bad, "the kernel has the disk \(disk), and it is not mounted",
      meaning: "its music cannot be played",
      remedy:
        "pull it out and plug it in again, or 'service restart udevd'; 'log sticks' shows what was tried"
    )
  }
}
