internal import AVRCPTarget
internal import Control
internal import EventLoop
internal import Files
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads

/// Carries out the requests of clients of the control socket, apart from Now Playing. Passes each request to the part
/// of the daemon that it concerns. Does not depend on ``ControlSocket``.
///
/// Used on the control thread. No function blocks.
final class UnitControl {
  let parts: UnitParts
  private let turns: Turns

  init(_ parts: UnitParts, _ turns: Turns) {
    self.parts = parts
    self.turns = turns
  }
}

extension UnitControl: ControlledUnit {
  var center: NowPlayingCenter { parts.unit.center }

  var outbox: UnitOutbox { parts.outbox }

  var driverSettings: any ControlledSettings { parts.settings }

  var standingNotice: UnitNotice? { parts.notices.standing }

  func takeNotices() -> [UnitNotice] { parts.notices.take() }

  var soundTrace: [TraceEntry] { parts.sound.history.entries }

  func latency() -> LatencyTable { parts.sound.latency }

  func playChime() -> Refusal? {
    guard let chime = parts.settings.configuration.settings.chime else {
      return Refusal(
        .noChime, "no chime is configured", remedy: "set 'chime = FILE' in the configuration")
    }
    defer { turns.request() }
    return parts.unit.playChime(path: chime, name: "chime").map {
      Refusal(.chimeHeld, "the chime cannot play now: \($0)")
    }
  }

  func testSound() -> Refusal? {
    guard parts.car.vehicle.isParked != false else {
      return Refusal(.notParked, "the test sound plays only while the car is parked")
    }
    do throws(ReplacedFile.Failure) {
      let path = try TestTone.write(in: UnitRun.folder(ofSocket: parts.run.socket))
      defer { turns.request() }
      return parts.unit.playChime(path: path, name: "test sound").map {
        Refusal(.chimeHeld, "the test sound cannot play now: \($0)")
      }
    } catch {
      return Refusal(.chimeHeld, "the test sound cannot be written: \(systemWords(error.code))")
    }
  }

  func endSafeMode() -> Refusal? {
    guard parts.run.isSafeMode else { return Refusal(.noSafeMode, "the unit is not in safe mode") }
    guard ServiceManager.isPresent else {
      return Refusal(
        .noService, "no service manager starts this daemon again",
        remedy: "end it and start it again")
    }
    // A run of the daemon that was asked to end does not count as failed, so the next start is not in safe mode.
    parts.run.requestEnd()
    return nil
  }

  func begin(_ hold: SoundHold, for time: Duration?, outlives: Bool) -> Refusal? {
    parts.holds.begin(hold, for: time, outlives: outlives)
  }

  func end(_ hold: SoundHold, shouldResume: Bool) -> Refusal? {
    parts.holds.end(hold, shouldResume: shouldResume)
  }

  func power(_ action: PowerAction) -> Refusal? { parts.machine.power(action) }

  var vehicle: VehicleState { parts.car.vehicle }

  func setParked(_ isParked: Bool?) -> Refusal? { parts.car.setParked(isParked) }

  func erasePersonalData(completion: @escaping (Refusal?) -> Void) {
    parts.machine.erasePersonalData(
      parts.settings.configuration.settings, parts.notices.storage.notices, completion: completion)
  }

  var phones: (any ControlledPhones)? { parts.bluetooth.controlled }

  var queue: any ControlledQueue { parts.queue }
  var apps: (any ControlledApps)? { parts.apps }

  var library: (any ControlledLibrary)? { parts.lists }

  var playlists: any ControlledPlaylists {
    PlaylistCommands(parts.lists, parts.unit.player)
  }

  func album() -> AlbumReport? {
    // Only the local source can list an album. If the content belongs to another source, there is no report.
    guard center.state.session == LocalSource.sessionID else { return nil }
    return parts.unit.album(limit: AlbumReport.limit).map {
      AlbumReport(title: $0.title, items: $0.items)
    }
  }

  var isShellAllowed: Bool { parts.settings.configuration.settings.isConsoleShellAllowed }

  func recentLog(limit: Int) -> [LogLine] {
    parts.log.lines.suffix(max(0, limit))
  }
}

// The facts of `status` and similar commands.
extension UnitControl {
  func facts(_ topic: FactsTopic, completion: @escaping (FactsReport) -> Void) {
    switch topic {
    case .storage:
      readMachine { control, machine in
        completion(control.report(topic, machine))
      }
    case .screen:
      readDevices { control, machine in
        control.parts.services.read { [weak control] services in
          guard let control else { return }
          machine.services = services
          completion(control.report(topic, machine))
        }
      }
    case .devices:
      readDevices { control, machine in completion(control.report(topic, machine)) }
    case .audio:
      parts.sound.mixer.read { [weak self] elements in
        guard let self else { return }
        var facts = report(topic, UnitFacts(UnitSnapshot(parts, at: .now())))
        facts.sections.append(UnitFacts.mixer(elements))
        completion(facts)
      }
    case .top: readLoad(completion)
    default: completion(report(topic, UnitFacts(UnitSnapshot(parts, at: .now()))))
    }
  }

  /// Measures the load of the units between two readings.
  private func readLoad(_ completion: @escaping (FactsReport) -> Void) {
    let first = UnitLoad(at: .now())
    var timer: TimerSource?
    timer = TimerSource(parts.loop) { [weak self] in
      timer = nil
      guard let self else { return }
      let now = MonotonicInstant.now()
      completion(
        report(.top, UnitFacts(UnitSnapshot(parts, at: now)), UnitLoad(at: now).units(since: first))
      )
    }
    timer?.set(after: UnitLoad.interval)
  }

  /// Reads the texts of the devices. `completion` is not called if the daemon has ended.
  private func readDevices(_ completion: @escaping (UnitControl, MachineSnapshot) -> Void) {
    parts.devices.read { [weak self] texts in
      guard let self else { return }
      let machine = MachineSnapshot()
      machine.deviceTexts = texts
      completion(self, machine)
    }
  }

  private func report(_ topic: FactsTopic, _ machine: MachineSnapshot) -> FactsReport {
    report(topic, UnitFacts(UnitSnapshot(parts, machine: machine, at: .now())))
  }

  /// Reads the state of the folders and file systems. `completion` is not called if the daemon has ended.
  private func readMachine(_ completion: @escaping (UnitControl, MachineSnapshot) -> Void) {
    let settings = parts.settings.configuration.settings
    let paths = StoragePaths(
      stateFolder: settings.stateFolder, musicFolders: settings.musicFolders,
      picture: center.inspection(at: .now()).picture?.reference)
    parts.storage.read(paths.all) { [weak self] readings in
      if let self { completion(self, MachineSnapshot(paths, readings)) }
    }
  }

  /// - Parameter load: the load of the units, for the topic that has it.
  private func report(
    _ topic: FactsTopic, _ facts: UnitFacts, _ load: [UnitLoad.Unit] = []
  ) -> FactsReport {
    switch topic {
    case .status:
      FactsReport(
        [
          facts.unit, facts.sound, facts.summary,
          .init("requested", parts.holds.facts),
          .init(
            "phones and keys", parts.bluetooth.facts + facts.bluetoothd + parts.keys.facts),
          .init("car", parts.car.facts),
        ].filter { !$0.facts.isEmpty })
    case .audio: FactsReport([facts.sound, facts.buffers, facts.kernel, facts.underruns])
    case .bluetooth: parts.bluetooth.report
    case .storage: FactsReport([facts.music, facts.state] + facts.fileSystems)
    case .keys: parts.keys.factsReport
    case .boot: FactsReport([facts.boot, facts.starts])
    case .version: FactsReport(facts.version)
    case .screen: FactsReport([facts.screen])
    case .devices: FactsReport(facts.devices)
    case .top: FactsReport(facts.load(load))
    case .config: FactsReport([facts.configuration, facts.configurationNotices])
    }
  }
}

// The checks of `diagnose`.
extension UnitControl {
  /// The time between the two readings of the sound. It is longer than a period of any sound card.
  private static let soundTime = Duration.milliseconds(200)

  func findings(completion: @escaping ([DiagnosisReport.Finding]) -> Void) {
    let readings = CheckReadings { [weak self] in
      if let self { completion(findings($0)) }
    }
    readings.sound.append(parts.sound.reading)
    readings.timer = TimerSource(parts.loop) { [weak self] in
      guard let self else { return }
      if readings.sound.count < 2 { readings.sound.append(parts.sound.reading) }
      // A screen that works reports within this time. A screen that hangs is waited for.
      if center.awaitsScreens(at: .now()) {
        readings.timer?.set(after: Self.soundTime)
      } else {
        readings.timer = nil
        readings.arrived()
      }
    }
    readings.timer?.set(after: Self.soundTime)
    readMachine { _, machine in
      readings.machine = machine
      readings.arrived()
    }
    parts.devices.read {
      readings.texts = $0
      readings.arrived()
    }
    parts.services.read {
      readings.services = $0
      readings.arrived()
    }
    if let amplifier = parts.sound.amplifier {
      amplifier.read {
        readings.amplifier = $0
        readings.arrived()
      }
    } else {
      readings.arrived()
    }
  }

  private func findings(_ readings: CheckReadings) -> [DiagnosisReport.Finding] {
    readings.machine.services = readings.services
    readings.machine.deviceTexts = readings.texts
    let snapshot = UnitSnapshot(
      parts, machine: readings.machine, sound: readings.sound, amplifier: readings.amplifier,
      at: .now())
    let findings = UnitChecks(snapshot).all + parts.car.findings + parts.bluetooth.findings
    return findings + UnitPart.silentParts(findings)
  }
}

/// The readings of one run of the checks. They arrive one after the other, within a second.
private final class CheckReadings {
  var sound: [SoundReading] = []
  var amplifier: AmplifierReading?
  var machine = MachineSnapshot()
  var services = ServiceReadings.noImage
  var texts: DeviceTexts?
  var timer: TimerSource?
  private var missing = 5
  private let completion: (CheckReadings) -> Void

  init(_ completion: @escaping (CheckReadings) -> Void) { self.completion = completion }

  /// Called when the sound and the screens, the machine, the devices, the units or the amplifier were read.
  func arrived() {
    missing -= 1
    if missing == 0 { completion(self) }
  }
}
