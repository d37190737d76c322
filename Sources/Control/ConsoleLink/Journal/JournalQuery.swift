internal import Console
internal import Reports
internal import Text

/// The lines of the journal that a command shows.
struct JournalQuery {
  /// The arguments of journalctl that select entries. They select more entries than `accepts` if a property of an entry
  /// cannot be expressed as an argument.
  private let matches: [String]
  private let accepts: ((JournalEntry) -> Bool)?
  /// The maximum number of lines.
  let limit: Int

  private static let fields = [
    "MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "_SYSTEMD_UNIT", "UNIT", "_TRANSPORT",
  ]

  private init(_ matches: [String], limit: Int, accepts: ((JournalEntry) -> Bool)? = nil) {
    self.matches = matches
    self.limit = limit
    self.accepts = accepts
  }

  /// The arguments of journalctl. The newest entries come first, so that a limit of time leaves out the oldest ones.
  var arguments: [String] {
    ["--no-pager", "--quiet", "--boot", "--reverse", "--output=export"]
      + ["--output-fields=\(Self.fields.joined(separator: ","))"]
      + (accepts == nil ? ["--lines=\(limit)"] : []) + matches
  }

  func accepts(_ entry: JournalEntry) -> Bool { accepts?(entry) ?? true }

  /// All services, and the warnings and errors of the kernel. The kernel writes hundreds of other lines at its start.
  static func all(limit: Int) -> JournalQuery {
    JournalQuery(
      ["_TRANSPORT=journal", "_TRANSPORT=stdout", "_TRANSPORT=syslog", "+", "_TRANSPORT=kernel"]
        + (0...4).map { "PRIORITY=\($0)" }, limit: limit)
  }

  /// The errors of all services. Errors of the kernel are left out, because a healthy machine has some at its start.
  static func errors(limit: Int) -> JournalQuery {
    JournalQuery(
      ["_TRANSPORT=journal", "_TRANSPORT=stdout", "_TRANSPORT=syslog"]
        + (0...3).map { "PRIORITY=\($0)" }, limit: limit)
  }

  /// The lines of a service, and those of the service manager about it.
  static func unit(_ unit: String, limit: Int) -> JournalQuery {
    JournalQuery(of([unit]), limit: limit)
  }

  private static func of(_ units: [String]) -> [String] {
    units.map { "_SYSTEMD_UNIT=\($0)" } + ["+"] + units.map { "UNIT=\($0)" }
  }

  private static let daemon = "autoharp.service"

  static func topic(_ topic: ConsoleCommand.Log.Topic, limit: Int) -> JournalQuery {
    switch topic {
    case .kernel: JournalQuery(["_TRANSPORT=kernel"], limit: limit)
    case .screen:
      part(of: ["autoharp-screen.service"], events: ["surface."], kernel: ["drm"], limit)
    case .bluetooth:
      part(
        of: ["bluetooth.service", "radio-address.service"], events: ["bluetooth.", "phone."],
        kernel: ["bluetooth"], limit)
    case .library:
      part(of: ["autoharp-library.service"], events: ["library."], kernel: [], limit)
    case .sticks:
      JournalQuery(
        ["SYSLOG_IDENTIFIER=mount-stick", "SYSLOG_IDENTIFIER=unmount-stick"]
          + [
            "SYSLOG_IDENTIFIER=systemd", "+", "_SYSTEMD_UNIT=\(daemon)", "+", "_TRANSPORT=kernel",
          ],
        limit: limit
      ) { entry in
        if entry.isOfKernel { return Self.contains(entry, Self.kernelOfSticks) }
        switch entry.identifier {
        case "mount-stick", "unmount-stick": return true
        case "systemd": return entry.unit.hasPrefix("stick@")
        default: return ["music.", "stick."].contains { entry.message.hasPrefix($0) }
        }
      }
    }
  }

  private static let kernelOfSticks = [
    "usb", "sd ", "scsi", "mmc", "i/o error", "fat-fs", "exfat", "ntfs", "ext4-fs", "buffer error",
  ]

  /// The lines of services, of the daemon with these events, and of the kernel with these words.
  private static func part(
    of units: [String], events: [String], kernel words: [String], _ limit: Int
  ) -> JournalQuery {
    var matches = of(units + [daemon])
    if !words.isEmpty { matches += ["+", "_TRANSPORT=kernel"] }
    return JournalQuery(matches, limit: limit) { entry in
      if entry.isOfKernel { return contains(entry, words) }
      return units.contains(entry.unit) || events.contains { entry.message.hasPrefix($0) }
    }
  }

  private static func contains(_ entry: JournalEntry, _ words: [String]) -> Bool {
    let message = entry.message.lowercased()
    return words.contains { message.includes($0) }
  }

  /// The entries of this query whose lines contain `word`. Case is ignored.
  func containing(_ word: String) -> JournalQuery {
    let wanted = word.lowercased()
    return JournalQuery(matches, limit: limit) { entry in
      accepts(entry) && entry.line.text.lowercased().includes(wanted)
    }
  }
}
