internal import Input
internal import NowPlaying
internal import Reports
internal import Settings
internal import Text

// The checks of the machine: memory, kernel, systemd units, sticks, boot partition, keys, sound card, controller.
extension UnitChecks {
  /// With less memory, programs are ended, and drivers fail.
  private static let leastMemory = 24 << 10
  /// The image was tested with at least this memory, in KiB. A machine with 256 MiB reports a little less.
  private static let smallMemory = 230 << 10
  /// In per cent. Three busy programs on two processors reach 80; a unit that plays has less than 10.
  private static let muchPressure = 70.0
  /// After a start, the library, the screen and Bluetooth need some seconds until they have reached the daemon.
  private static let startTime = Duration.seconds(60)

  var kernelReadings: KernelReadings { snapshot.machine.kernelReadings }

  var isStarting: Bool { snapshot.now.wholeTime(since: snapshot.run.began) < Self.startTime }

  /// True if the whole machine starts, and not only the daemon. Then late units do not run yet.
  private var isMachineStarting: Bool {
    isStarting && snapshot.run.began.awake < Self.startTime
  }

  var memory: [Finding] {
    var findings: [Finding] = []
    if let memory = kernelReadings.memory {
      let text = "\(memory.available >> 10) of \(memory.total >> 10) MiB are free"
      if memory.available < Self.leastMemory {
        findings.append(
          Finding(
            "memory.low", "memory", .bad, text,
            meaning: "programs are ended, and drivers fail",
            remedy: "'top' shows which programs use it; 'reboot' frees it"))
      } else if memory.total < Self.smallMemory {
        findings.append(
          Finding(
            "memory.small", "memory", .bad, "this machine has only \(memory.total >> 10) MiB",
            meaning: "the unit needs 256 MiB; drivers and programs fail for lack of memory",
            remedy: "use a board with more memory"))
      } else {
        findings.append(Finding("memory.free", "memory", .good, text))
      }
    } else {
      findings.append(Finding("memory.unknown", "memory", .note, "the kernel does not report it"))
    }
    let readings = kernelReadings
    // The counter belongs to the machine. On a desktop, it counts other people's programs too.
    if readings.killed > 0, snapshot.machine.runsImage {
      findings.append(
        Finding(
          "memory.killed", "memory", .note,
          "the kernel ended \(readings.killed == 1 ? "a program" : "\(readings.killed) programs")"
            + ", because memory was short or a program reached its limit",
          meaning: "lists, covers or the screen were away for a moment",
          remedy: "'log kernel' shows which; 'top' shows what uses memory; 'reboot' frees it"))
    }
    if let waiting = overload {
      findings.append(
        Finding(
          "memory.load", "load", .note, waiting, meaning: "the unit reacts late",
          remedy: "'top' shows which programs run"))
    }
    return findings
  }

  /// After a start, many programs run at once.
  private var overload: String? {
    let readings = kernelReadings
    if let load = readings.load, load >= 4 * Double(readings.processors) {
      return "\(UnitFacts.decimal(load)) programs wait for \(readings.processorsText)"
    }
    if let pressure = readings.pressure, pressure >= Self.muchPressure, !isStarting {
      return "for \(Int(min(pressure, 100))) % of the time, a program waits for a processor"
    }
    return nil
  }

  var kernel: [Finding] {
    let faults = kernelReadings.faults
    var findings: [Finding] = []
    if let crash = kernelReadings.lastCrash {
      findings.append(
        Finding(
          "kernel.crashed", "kernel", .bad, "the kernel stopped in the last run: \(crash)",
          meaning: "the unit restarted by itself",
          remedy: "'log --previous' shows its last lines; 'reboot' clears this message"))
    }
    if faults.contains(.oops) {
      findings.append(
        Finding(
          "kernel.oops", "kernel", .bad, "a part of the kernel has crashed since the start",
          meaning: "a device or the whole unit can stop working",
          remedy: "'log kernel' shows its last lines; 'reboot' starts it again"))
    }
    if !faults.isDisjoint(with: [.warning, .softLockup]) {
      findings.append(
        Finding(
          "kernel.warning", "kernel", .note, "the kernel has reported an error in itself",
          remedy: "'log kernel' shows it"))
    }
    for device in kernelReadings.silentDevices {
      findings.append(
        Finding(
          "kernel.device-silent", "kernel", .note, "the kernel waits for \(device.text)",
          meaning: "what it reports is not known",
          remedy: "'log kernel' shows more; unplug the device that was plugged in last"))
    }
    return findings.isEmpty
      ? [Finding("kernel.good", "kernel", .good, snapshot.machine.kernel)] : findings
  }

  // MARK: systemd units

  var units: [Finding] {
    switch snapshot.machine.services {
    case .noImage:
      return [Finding("units.none", "units", .good, "this machine does not run the image")]
    case .silent:
      return [.silentServiceManager]
    case .units(let list):
      let bad = list.units.compactMap(fault) + missing(list)
      return bad.isEmpty
        ? [Finding("units.good", "units", .good, "\(list.units.count) units, and none failed")]
        : bad
    }
  }

  private func fault(_ unit: SystemUnits.Unit) -> Finding? {
    guard let part = UnitPart.part(of: unit.name) else { return nil }
    let isMasked = unit.load == "masked"
    let isWanted = unit.name != "bluetooth.service" || isBluetoothOn
    let mustRun = UnitPart.permanentUnits.contains(unit.name) && isWanted && !isMachineStarting
    if unit.active == "failed" || unit.sub == "auto-restart" {
      let ago = time(since: unit).map { ", \($0) ago" } ?? ""
      return finding(unit, part, "failed", unit.end.text + ago)
    }
    if unit.isHalted {
      return finding(unit, part, "halted", "is stopped by a signal (SIGSTOP) and does not answer")
    }
    if isMasked, isWanted {
      let word = "systemd.mask=\(unit.name)"
      return finding(
        unit, part, "masked",
        time(since: unit).map { "has been switched off for \($0)" } ?? "is switched off",
        remedy: kernelReadings.commandLine.includes(word)
          ? "remove '\(word)' from the kernel's command line, on a computer"
          : "'reboot' switches it on again")
    }
    if mustRun, unit.active != "active", unit.active != "activating", unit.active != "reloading" {
      let words = time(since: unit).map { "has not run for \($0)" } ?? "does not run"
      return finding(
        unit, part, "stopped", unit.load == "not-found" ? "is not in the image" : words)
    }
    return nil
  }

  /// The time since the last change of a unit's state, in words.
  private func time(since unit: SystemUnits.Unit) -> String? {
    unit.changed.map { UnitFacts.time(snapshot.now.wholeTime(since: $0)) }
  }

  /// The permanent units that systemd does not know.
  private func missing(_ list: SystemUnits) -> [Finding] {
    guard !isMachineStarting else { return [] }
    return UnitPart.permanentUnits.filter {
      list[$0] == nil && ($0 != "bluetooth.service" || isBluetoothOn)
    }.compactMap { name in
      var unit = SystemUnits.Unit()
      unit.name = name
      return UnitPart.part(of: name).map { finding(unit, $0, "stopped", "does not run") }
    }
  }

  private func finding(
    _ unit: SystemUnits.Unit, _ part: UnitPart, _ kind: String, _ words: String,
    remedy: String? = nil
  ) -> Finding {
    guard unit.end.lacksProgram, remedy == nil else {
      return .unit(unit, kind, words, meaning: "it belongs to: \(part.rawValue)", remedy: remedy)
    }
    return .unit(
      unit, kind, words,
      meaning: "it belongs to: \(part.rawValue); the software of the unit is damaged",
      remedy: Finding.rebootOrWriteImage)
  }

  var isBluetoothOn: Bool { snapshot.configuration.settings.isBluetoothOn }

  // MARK: Sticks and partitions

  var sticks: [Finding] {
    // A disk that was plugged in a moment ago is not mounted yet. Its report says why it is not mounted.
    let readings = kernelReadings
    let findings = readings.disks.compactMap { disk -> Finding? in
      let name = "\(disk.name) (\(Self.size(disk.bytes)))"
      if let errors = disk.errors, errors > Self.usualErrors, !disk.mounts.isEmpty {
        return Finding(
          "stick.errors", "stick", .note, "\(name) had \(errors) errors",
          meaning: "a card reader also counts errors while it has no card",
          remedy: "if songs are skipped, copy the files to another stick")
      }
      guard disk.mounts.isEmpty, snapshot.storage.notices.allSatisfy({ !$0.isAboutStick }),
        snapshot.machine.runsImage, !isStarting
      else { return nil }
      return .notMounted(name)
    }
    let all = findings + withoutDriver(KernelReadings.USBDevice.storage, "stick")
    if !all.isEmpty { return all }
    let mounted = readings.disks.filter { !$0.mounts.isEmpty }.map(\.name)
    if mounted.isEmpty, snapshot.storage.notices.contains(where: \.isAboutStick) { return [] }
    return [
      mounted.isEmpty
        ? Finding("sticks.none", "sticks", .good, "no stick")
        : Finding("sticks.mounted", "sticks", .good, "mounted: \(mounted.joined(separator: ", "))")
    ]
  }

  /// The songs of which parts could not be played.
  var damage: Finding? {
    let songs = snapshot.music.errors.damaged
    guard let first = songs.min() else { return nil }
    let isMany = songs.count >= Self.manyDamagedSongs
    return Finding(
      isMany ? "music.damaged" : "music.some-damaged", "music", .note,
      "\(songs.count) damaged \(songs.count == 1 ? "song" : "songs"), for example \(first)",
      meaning: "parts of them are left out, or they end too early",
      remedy: "copy them again from where they came from")
  }

  /// One damaged song can be damaged since ever. Several songs are probably a bad copy, or a bad stick.
  private static let manyDamagedSongs = 3

  func unreadable(_ folders: [String]) -> Finding {
    // At each start, the image gives the folders of /data their owners and rights.
    let isOfUnit = folders.allSatisfy { $0.hasPrefix("/data/") }
    return Finding(
      "folders.unreadable", "folders", .bad, "cannot be opened: \(folders.joined(separator: ", "))",
      meaning: "the unit has no right to read the folder, or its medium has failed",
      remedy: isOfUnit && snapshot.machine.runsImage
        ? "'reboot' sets the rights of the folder again"
        : "give all users the right to read the folder")
  }

  /// The devices at USB that no driver uses, although their class is known.
  func withoutDriver(_ kind: Int, _ part: String) -> [Finding] {
    guard !isMachineStarting else { return [] }
    return kernelReadings.usb.filter { $0.lacksDriver(for: kind) }.map {
      Finding(
        "\(part).no-driver", part, .bad, "\($0.name) is plugged in, and no driver uses it",
        meaning: "the unit cannot use it",
        remedy:
          "pull it out and plug it in again, or 'service restart udevd'; 'log kernel' shows its errors"
      )
    }
  }

  /// The kernel also counts commands that a stick refuses when it is plugged in.
  private static let usualErrors = 3

  /// The errors and the delays of the medium that plays.
  var medium: [Finding] {
    var findings: [Finding] = []
    let errors = snapshot.music.errors.readErrors
    if let (path, _) = errors.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
      let count = errors.values.reduce(0) { $0.addingReportingOverflow($1).partialValue }
      findings.append(
        Finding(
          "medium.read-errors", "medium", .bad,
          "\(count) \(count == 1 ? "error" : "errors") while it was read, for example in \(path)",
          meaning: "songs are skipped; the medium is failing",
          remedy: path.hasPrefix("/data/")
            ? "replace the card of the unit; 'log kernel' shows its errors"
            : "copy its files to another stick; 'storage test' reads the stick"))
    }
    guard let wait = snapshot.sound.history.mediumWait else { return findings }
    let now = snapshot.now
    if let ended = wait.ended, now.awakeTime(since: ended) > Self.mediumTime { return findings }
    let name = wait.device ?? "the medium"
    if let rate = wait.bytesPerSecond(at: now) {
      let isSlow = rate < Self.slowRate
      findings.append(
        Finding(
          "medium.slow", "medium", isSlow ? .bad : .note,
          "\(name) read \(rate / 1000) KB/s while the music waited; CD quality needs 110 KB/s",
          meaning: "the music stops again and again; the file was \(wait.path)",
          remedy: isSlow ? "use another stick; 'storage test' measures it" : nil))
    } else {
      findings.append(
        Finding("medium.waited", "medium", .note, "the music waited for \(name)"))
    }
    return findings
  }

  /// A wait counts for this time after its end.
  private static let mediumTime = Duration.seconds(600)
  /// In bytes per second. FLAC of CD quality needs 110 KB/s, and the scan of the library reads at the same time.
  private static let slowRate: UInt64 = 200_000

  var bootPartition: [Finding] {
    snapshot.storage.notices.contains { $0.identifier.hasPrefix("boot.") }
      ? [] : [Finding("boot.good", "boot partition", .good, "no problem was reported")]
  }

  static func size(_ bytes: UInt64) -> String {
    bytes >= 1_000_000_000
      ? "\(bytes / 1_000_000_000) GB" : "\(bytes / 1_000_000) MB"
  }

  // MARK: Keys, sound card, controller

  var keys: [Finding] {
    let stuck = snapshot.stuckKeys.map {
      Finding(
        "keys.stuck", "keys", .bad, "held: \($0.text(at: snapshot.now))",
        meaning:
          "the key is stuck, or its wire has a short circuit; it does not act until it is released",
        remedy: "loosen the key, or unplug \($0.device)")
    }
    let faults = stuck + withoutDriver(KernelReadings.USBDevice.keys, "keys")
    guard faults.isEmpty else { return faults }
    // A person can unplug a keyboard on purpose, so this is not a fault.
    guard snapshot.lostKeys.isEmpty || !snapshot.machine.runsImage else {
      let lost = snapshot.lostKeys.sorted().joined(separator: ", ")
      return [
        Finding(
          "keys.lost", "keys", .note, "\(lost) was there, and is gone",
          remedy: "if it was not unplugged, check its cable; 'service restart daemon' forgets it")
      ]
    }
    return [Finding("keys.good", "keys", .good, "no key is stuck")]
  }

  var card: [Finding] {
    let cards = snapshot.sound.cards.map(\.text)
    return withoutDriver(KernelReadings.USBDevice.sound, "card") + [
      cards.isEmpty
        ? Finding("card.none", "sound card", .note, "the kernel has no sound card")
        : Finding("card.found", "sound card", .good, cards.joined(separator: ", "))
    ]
  }

  /// A controller that the kernel has found and that bluetoothd does not offer does not answer.
  var controller: [Finding] {
    guard isBluetoothOn else {
      return [
        Finding(
          "controller.off", "controller", .note, "Bluetooth is off, by the setting 'bluetooth'",
          remedy: "'config bluetooth' shows who has set it")
      ]
    }
    let unused = withoutDriver(KernelReadings.USBDevice.wireless, "controller")
    if !unused.isEmpty { return unused }
    let names = kernelReadings.controllers.joined(separator: ", ")
    // A person can unplug the controller of a desktop.
    if names.isEmpty, snapshot.lacksAdapter, snapshot.knownPhones > 0, !isMachineStarting,
      snapshot.machine.runsImage
    {
      let devices = snapshot.knownPhones == 1 ? "a device" : "\(snapshot.knownPhones) devices"
      return [
        Finding(
          "controller.lost", "controller", .bad,
          "the Bluetooth controller is gone; the unit was used with \(devices)",
          meaning: "no phone can connect",
          remedy:
            "check its plug, and switch the unit off and on; without a controller, 'config set bluetooth no'"
        )
      ]
    }
    if names.isEmpty {
      return [
        Finding("controller.none", "controller", .note, "the kernel has no Bluetooth controller")
      ]
    }
    if snapshot.lacksAdapter, !isStarting {
      return [
        Finding(
          "controller.silent", "controller", .bad, "\(names) is there and does not answer",
          meaning: "no phone can connect",
          remedy:
            "switch the unit off and on, which resets the controller; 'log kernel' shows its errors"
        )
      ]
    }
    return [Finding("controller.found", "controller", .good, names)]
  }
}
