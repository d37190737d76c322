internal import Control
internal import HeadUnit
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

// The facts of `status` and similar commands.
extension UnitControl {
  func facts(_ topic: FactsTopic, completion: @escaping (FactsReport) -> Void) {
    guard topic == .storage else {
      return completion(report(topic, UnitFacts(UnitSnapshot(parts, at: .now()))))
    }
    readMachine { control, machine in
      let snapshot = UnitSnapshot(control.parts, machine: machine, at: .now())
      completion(control.report(topic, UnitFacts(snapshot)))
    }
  }

  /// Reads the folders and file systems. `completion` is not called if the daemon has ended.
  func readMachine(_ completion: @escaping (UnitControl, MachineSnapshot) -> Void) {
    let settings = parts.settings.configuration.settings
    let paths = StoragePaths(
      stateFolder: settings.stateFolder, musicFolders: settings.musicFolders,
      picture: center.inspection(at: .now()).picture?.reference)
    parts.storage.read(paths.all) { [weak self] readings in
      if let self { completion(self, MachineSnapshot(paths, readings)) }
    }
  }

  private func report(_ topic: FactsTopic, _ facts: UnitFacts) -> FactsReport {
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
    case .config: FactsReport([facts.configuration, facts.configurationNotices])
    }
  }
}
