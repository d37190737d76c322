internal import Reports

/// A part of the unit that `diagnose` checks. Each part reports at least one finding, so `diagnose` notices a part that
/// does not answer.
enum UnitPart: String, CaseIterable {
  case memory
  case kernel
  case lastEnd = "last end"
  case units
  case storage
  case bootPartition = "boot partition"
  case configuration
  case clock
  case card = "sound card"
  case output
  case volume
  case sticks
  case music
  case library
  case covers
  case screen
  case touch
  case keys
  case carLines = "car lines"
  case controller
  case bluetoothd

  /// The beginnings of the codes of the part's findings.
  var codes: [String] {
    switch self {
    case .memory: ["memory."]
    case .kernel: ["kernel."]
    case .lastEnd: ["ends.", "starts."]
    case .units: ["unit.", "units."]
    case .storage: ["state.", "storage.", "queue.", "positions.", "playlists.", "settings."]
    case .bootPartition: ["boot."]
    case .configuration: ["config."]
    case .clock: ["clock."]
    case .card: ["card."]
    case .output: ["output."]
    case .volume: ["volume."]
    case .sticks: ["stick.", "sticks."]
    case .music: ["music."]
    case .library: ["library."]
    case .covers: ["artwork."]
    case .screen: ["screen."]
    case .touch: ["touch."]
    case .keys: ["keys."]
    case .carLines: ["car."]
    case .controller: ["controller."]
    case .bluetoothd: ["bluetooth."]
    }
  }

  /// The systemd units of the image that the part needs. A template stands for all its units.
  var units: [String] {
    switch self {
    case .memory: ["tmp.mount"]
    case .kernel: ["keep-crash.service"]
    case .lastEnd: ["autoharp.service", "keep-log@.service"]
    case .units:
      [
        "systemd-journald.service", "systemd-journald.socket", "systemd-journald-dev-log.socket",
        "autoharp-console@.service", "root-shell@.service", "console-reboot.path",
        "console-poweroff.path", "systemd-reboot.service", "systemd-poweroff.service",
        "service-control.socket", "service-control@.service",
      ]
    case .storage:
      [
        "data.service", "grow-data.service", "data-format.socket", "data-format@.service",
        "free-space.socket", "free-space@.service",
      ]
    case .clock: ["set-clock.socket", "set-clock@.service", "restore-clock.service"]
    case .sticks:
      [
        "stick@.service", "media.mount", "systemd-udevd.service", "systemd-udevd-control.socket",
        "systemd-udevd-kernel.socket", "systemd-udev-trigger.service", "stick-report.socket",
        "stick-report@.service",
      ]
    case .library: ["autoharp-library.service", "autoharp-library.path"]
    case .screen: ["autoharp-screen.service", "display-modules.service"]
    case .controller: ["btattach@.service", "radio-address.service", "late-modules.service"]
    case .bluetoothd: ["bluetooth.service", "dbus.service", "dbus.socket"]
    case .bootPartition, .configuration, .card, .output, .volume, .music, .covers, .touch, .keys,
      .carLines:
      []
    }
  }

  /// The units that must run all the time.
  static let permanentUnits = [
    "systemd-journald.service", "systemd-udevd.service", "dbus.service", "bluetooth.service",
    "autoharp-screen.service", "autoharp-library.service", "autoharp-library.path",
    "console-poweroff.path", "console-reboot.path", "data-format.socket", "dbus.socket",
    "free-space.socket", "media.mount", "set-clock.socket", "stick-report.socket", "tmp.mount",
  ]

  /// The part that needs a unit. Nil if the unit is not in the image.
  static func part(of unit: String) -> UnitPart? {
    let template = unit.firstIndex(of: "@").map { at in
      String(unit[...at]) + String(unit[(unit.lastIndex(of: ".") ?? unit.endIndex)...])
    }
    return allCases.first { $0.units.contains(template ?? unit) }
  }

  /// A fault for each part without a finding.
  static func silentParts(_ findings: [DiagnosisReport.Finding]) -> [DiagnosisReport.Finding] {
    allCases.filter { part in
      !findings.contains { finding in part.codes.contains { finding.code.hasPrefix($0) } }
    }.map {
      DiagnosisReport.Finding(
        "part.silent", $0.rawValue, .bad, "this part does not answer",
        meaning: "it is not known whether the part works",
        remedy: "ask again; if it does not answer again, 'service restart daemon'")
    }
  }
}
