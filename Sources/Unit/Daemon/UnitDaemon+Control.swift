internal import AVRCPTarget
package import Control
internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
package import NowPlaying
package import Reports
internal import Settings
internal import SystemClock

// The control socket.
extension UnitDaemon {
  /// The time before the next attempt to open the control socket.
  private static let controlRetry = Duration.milliseconds(500)

  /// Opens the control socket. Playback does not depend on the socket. If the socket cannot be
  /// opened, the unit plays, logs the error, and tries again.
  func serveControl() {
    do {
      let server = try ControlServer(
        loop, self, turns, path: socket, lock: socketLock, events: { [log] in log.note($0) })
      self.server = server
      if controlFailure != nil { log(.controlListening, "listens at \(socket)", at: .now()) }
      controlFailure = nil
    } catch {
      let failure = "\(socket): \(error)"
      if failure != controlFailure { log(.controlFailed, failure, at: .now()) }
      controlFailure = failure
      controlRetryTimer?.set(after: Self.controlRetry)
    }
  }
}

/// The requests of the control socket that do not belong to Now Playing.
extension UnitDaemon: ControlledUnit {
  package var center: NowPlayingCenter { unit.center }

  package func facts(_ topic: FactsTopic, completion: @escaping (FactsReport) -> Void) {
    guard topic == .storage else {
      return completion(report(topic, UnitFacts(UnitSnapshot(self, at: .now()))))
    }
    readMachine { daemon, machine in
      let snapshot = UnitSnapshot(daemon, machine: machine, at: .now())
      completion(daemon.report(topic, UnitFacts(snapshot)))
    }
  }

  /// Reads the folders and file systems. `completion` is not called if the daemon has ended.
  func readMachine(_ completion: @escaping (UnitDaemon, MachineSnapshot) -> Void) {
    let paths = StoragePaths(
      stateFolder: settings.stateFolder, musicFolders: settings.musicFolders,
      picture: unit.center.inspection(at: .now()).picture?.reference)
    guard let storageReader else { return completion(self, MachineSnapshot(paths, [:])) }
    storageReader.read(paths.all) { [weak self] readings in
      if let self { completion(self, MachineSnapshot(paths, readings)) }
    }
  }

  private func report(_ topic: FactsTopic, _ facts: UnitFacts) -> FactsReport {
    switch topic {
    case .status:
      FactsReport(
        [
          facts.unit, facts.sound, facts.summary,
          .init("requested", holds.facts),
          .init(
            "phones and keys", bluetooth.facts + facts.bluetoothd + keys.facts),
          .init("car", car.facts),
        ].filter { !$0.facts.isEmpty })
    case .audio: FactsReport([facts.sound, facts.buffers, facts.kernel, facts.underruns])
    case .bluetooth: bluetooth.report
    case .storage: FactsReport([facts.music, facts.state] + facts.fileSystems)
    case .keys: keys.factsReport
    case .boot: FactsReport([facts.boot, facts.starts])
    case .version: FactsReport(facts.version)
    case .config: FactsReport([facts.configuration, facts.configurationNotices])
    }
  }

  package var standingNotice: UnitNotice? {
    isSafeMode ? UnitNotice(.safeMode) : storage.notices.filter { !$0.isAboutStick }.foremost
  }

  package func takeNotices() -> [UnitNotice] {
    newStickNotices() + newVolumeNotices() + newConfigurationNotices()
      + (bluetooth.takeNotice().map { [$0] } ?? [])
  }

  package var soundTrace: [TraceEntry] { sound.entries }

  package func latency() -> LatencyTable {
    var table = LatencyTable()
    for record in sound.finished.accepted { table.add(record) }
    pressTimes?.add(sound.finished.ofPhones, to: &table)
    return table
  }

  package func playChime() -> Refusal? {
    guard let chime = settings.chime else {
      return Refusal(
        .noChime, "no chime is configured", remedy: "set 'chime = FILE' in the configuration")
    }
    defer { turns.request() }
    return unit.playChime(path: chime, name: "chime").map {
      Refusal(.chimeHeld, "the chime cannot play now: \($0)")
    }
  }

  package func endSafeMode() -> Refusal? {
    guard isSafeMode else { return Refusal(.noSafeMode, "the unit is not in safe mode") }
    guard ServiceManager.isPresent else {
      return Refusal(
        .noService, "no service manager starts this daemon again",
        remedy: "end it and start it again")
    }
    // A run that was asked to end does not count as failed, so the next start is a normal one. The loop ends
    // after the answer to this call.
    loop.defer { [weak self] in self?.end() }
    return nil
  }

  package func begin(_ hold: SoundHold, for time: Duration?) -> Refusal? {
    holds.begin(hold, for: time)
  }

  package func end(_ hold: SoundHold, shouldResume: Bool) -> Refusal? {
    holds.end(hold, shouldResume: shouldResume)
  }

  package func power(_ action: PowerAction) -> Refusal? { machineControl.power(action) }

  package var vehicle: VehicleState { car.vehicle }

  package func setParked(_ isParked: Bool?) -> Refusal? { car.setParked(isParked) }

  package func erasePersonalData(completion: @escaping (Refusal?) -> Void) {
    machineControl.markPersonalData(settings, storage.notices) { [weak self] refusal in
      guard let self, refusal == nil else { return completion(refusal) }
      log(.unitErase, "the next start erases the personal data", at: .now())
      completion(power(.reboot))
    }
  }

  package var phones: (any ControlledPhones)? { bluetooth.controlled }

  package var queue: any ControlledQueue { unitQueue }

  package var library: (any ControlledLibrary)? { unitLists }

  package var playlists: any ControlledPlaylists {
    PlaylistCommands(unitLists, unitQueue)
  }

  package func album() -> AlbumReport? {
    // Only the local source can list an album. The content may belong to another source.
    guard unit.center.state.session == LocalSource.sessionID else { return nil }
    return unit.album(limit: AlbumReport.limit).map {
      AlbumReport(title: $0.title, items: $0.items)
    }
  }

  package var isShellAllowed: Bool { settings.isConsoleShellAllowed }

  package func recentLog(limit: Int) -> [LogLine] {
    log.lines.suffix(max(0, limit))
  }
}

extension UnitLog {
  /// Logs what has happened to a client of the control socket. The reason by which lines are limited does not contain
  /// the user and the process of the client, so that there are only few different reasons.
  fileprivate func note(_ event: ControlServer.Event) {
    switch event {
    case .refused(let refusal):
      let reason = if case .tooManyPeers = refusal { "peers" } else { "system" }
      limited(
        .clientRefused, "\(refusal)", reason: reason, interval: Self.clientInterval, at: .now())
    case .dropped(let peer, let ending):
      limited(
        .clientDropped, "\(peer?.description ?? "a client") was disconnected: \(ending)",
        reason: "\(ending)", interval: Self.clientInterval, at: .now())
    }
  }
}
