internal import Files
internal import NowPlaying
internal import Reports

// The pages about the machine: screen, devices, memory and load.
extension UnitFacts {
  private var readings: KernelReadings { snapshot.machine.kernelReadings }

  var screen: FactsReport.Section {
    var facts: [FactsReport.Fact] = readings.connectors.map { connector in
      let mode = connector.mode.map { ", \($0)" } ?? ""
      return .init(
        connector.name, "\(connector.status.text)\(mode)",
        connector.isUsable ? .good : .plain)
    }
    let lacksDisplay =
      !readings.connectors.isEmpty && readings.connectors.allSatisfy { !$0.isUsable }
    if facts.isEmpty { facts.append(.init("connectors", "none", .note)) }
    let shown: FactsReport.Fact =
      switch snapshot.screen {
      case .none, .lost, .ended: .init("shows", "nothing; see 'diagnose'", .note)
      case .shows where lacksDisplay: .init("shows", "Now Playing, without a display", .bad)
      case .shows: .init("shows", "Now Playing", .good)
      case .standsStill: .init("shows", "not the last state; 'service restart screen'", .bad)
      }
    facts.append(shown)
    let touch = readings.touchScreens
    facts.append(
      .init(
        "touch", touch.isEmpty ? "no touch screen" : touch.joined(separator: ", "),
        touch.isEmpty ? .note : .good))
    facts += readings.backlights.map { light in
      .init("backlight \(light.name)", "\(light.brightness) of \(light.maximum)")
    }
    if case .units(let list) = snapshot.machine.services,
      let unit = list["autoharp-screen.service"]
    {
      let restarts = unit.restarts > 0 ? ", started again \(unit.restarts) times" : ""
      let end = unit.end.result == "success" ? "" : "; its last process \(unit.end.text)"
      facts.append(
        .init(
          "program", "\(unit.sub)\(restarts)\(end)", unit.active == "active" ? .good : .bad))
    }
    return .init("screen", facts)
  }

  /// The mixers of the sound cards. Nil if a card does not answer.
  static func mixer(_ elements: [UnitDaemon.Start.MixerElement]?) -> FactsReport.Section {
    guard let elements else {
      return .init("mixer", [.init("mixer", "a card does not answer", .bad)])
    }
    if elements.isEmpty { return .init("mixer", [.init("mixer", "no card has one")]) }
    return .init(
      "mixer",
      FactsReport.numbered(
        elements.map { .init($0.name, $0.text, $0.isSilent ? .note : .plain) }))
  }

  /// What the kernel sees.
  var devices: [FactsReport.Section] {
    let usb = readings.usb.map { device -> FactsReport.Fact in
      let drivers = Set(device.interfaces.compactMap(\.driver)).sorted()
      let isBound = !device.interfaces.isEmpty && device.interfaces.allSatisfy { $0.driver != nil }
      let words = drivers.isEmpty ? "no driver uses it" : drivers.joined(separator: ", ")
      return .init(device.name, words, isBound ? .plain : .note)
    }
    let disks = readings.disks.map { disk -> FactsReport.Fact in
      let mounts = disk.mounts.isEmpty ? "not mounted" : disk.mounts.joined(separator: ", ")
      let errors = disk.errors.map { $0 > 0 ? ", \($0) \($0 == 1 ? "error" : "errors")" : "" } ?? ""
      return .init(
        disk.name, "\(UnitChecks.size(disk.bytes)), \(mounts)\(errors)",
        disk.mounts.isEmpty || !errors.isEmpty ? .note : .good)
    }
    let none = [FactsReport.Fact("devices", "none")]
    return [
      .init("usb", usb.isEmpty ? none : FactsReport.numbered(usb)),
      .init("disks", disks.isEmpty ? none : disks),
      .init(
        "others",
        [
          .init("sound cards", list(snapshot.sound.cards.map(\.text))),
          .init("controllers", list(readings.controllers)),
          .init("touch screens", list(readings.touchScreens)),
        ]),
    ]
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }

  /// Memory and load of the machine, and of each systemd unit.
  func load(_ units: [UnitLoad.Unit]) -> [FactsReport.Section] {
    var facts: [FactsReport.Fact] = []
    if let memory = readings.memory {
      facts.append(
        .init("memory", "\(memory.available >> 10) of \(memory.total >> 10) MiB free"))
    }
    if let load = readings.load {
      facts.append(
        .init("load", "\(Self.decimal(load)) in a minute, on \(readings.processorsText)"))
    }
    if let own = snapshot.machine.memory { facts.append(.init("daemon", "\(own >> 10) MiB")) }
    let rows = units.sorted { ($0.share, $0.memory, $1.name) > ($1.share, $1.memory, $0.name) }
      .prefix(UnitLoad.shownUnits)
      .map {
        FactsReport.Fact($0.name, "\(Self.decimal($0.share * 100)) % CPU, \($0.memory >> 20) MiB")
      }
    return [.init("machine", facts)] + (rows.isEmpty ? [] : [.init("units", Array(rows))])
  }
}

/// The processor time and the memory of each systemd unit, as the kernel counts them for its control groups.
struct UnitLoad {
  struct Unit: Equatable {
    var name: String
    /// The time of a processor that the unit used, divided by the time that has passed. 1 is one processor.
    var share: Double
    /// In bytes, with the files that the kernel keeps in memory for the unit.
    var memory: UInt64
  }

  /// Maximum number of units that a page shows.
  static let shownUnits = 15
  /// The time between two readings from which a share is computed.
  static let interval = Duration.milliseconds(500)
  private static let maximumUnits = 100

  private let microseconds: [String: UInt64]
  private let memory: [String: UInt64]
  private let at: MonotonicInstant

  /// Reads the control groups of the services.
  /// - Parameter root: the folder that contains `sys`.
  init(root: String = KernelReadings.standardRoot, at now: MonotonicInstant) {
    at = now
    let folder = "\(root)/sys/fs/cgroup/system.slice"
    var microseconds: [String: UInt64] = [:]
    var memory: [String: UInt64] = [:]
    let reader = FolderReader(folder)
    while microseconds.count < Self.maximumUnits, let name = reader?.next() {
      guard name.hasSuffix(".service") || name.hasSuffix(".slice"),
        let line = MachineReadings.firstLine("\(folder)/\(name)/cpu.stat"),
        let used = line.split(separator: " ").last.flatMap({ UInt64($0) })
      else { continue }
      microseconds[name] = used
      memory[name] = MachineReadings.firstLine("\(folder)/\(name)/memory.current")
        .flatMap { UInt64($0) }
    }
    (self.microseconds, self.memory) = (microseconds, memory)
  }

  /// The units, with their shares of the processor since an earlier reading.
  func units(since earlier: UnitLoad) -> [Unit] {
    let passed = at.awakeTime(since: earlier.at).inSeconds
    guard passed > 0 else { return [] }
    return microseconds.map { name, used in
      let before = min(earlier.microseconds[name] ?? used, used)
      return Unit(
        name: name, share: Double(used - before) / 1e6 / passed, memory: memory[name] ?? 0)
    }
  }
}
