internal import AudioEngine
internal import Files
internal import Glibc
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Settings
internal import SystemClock

extension UnitSnapshot {
  /// Reads small files of the kernel's, which answer at once, and asks file systems for their space.
  convenience init(_ daemon: UnitDaemon, at now: MonotonicInstant) {
    self.init(
      now: now, run: Run(daemon),
      surfaces: daemon.unit.center.inspection(at: now).surfaces.map(\.id.rawValue),
      music: Music(daemon), sound: Sound(daemon), storage: Storage(daemon),
      versions: Versions(
        parts: daemon.parts, kernel: MachineReadings.kernel,
        system: MachineReadings.operatingSystem,
        image: .standard),
      configuration: daemon.configuration)
  }
}

extension UnitSnapshot.Run {
  fileprivate init(_ daemon: UnitDaemon) {
    began = daemon.began
    readyAt = daemon.readyAt
    history = daemon.history
    isSafeMode = daemon.isSafeMode
    isService = getenv("NOTIFY_SOCKET") != nil
    memory = MachineReadings.status("VmRSS")
      .flatMap { $0.split(separator: " ").first }.flatMap { UInt64($0) }
    clock = MachineReadings.wallClock
  }
}

extension UnitSnapshot.Music {
  fileprivate init(_ daemon: UnitDaemon) {
    folders = daemon.settings.musicFolders.map { path in
      var status = stat()
      return (path, stat(FileName.cString(path), &status) == 0)
    }
    let music = daemon.music
    count = daemon.unit.player.count
    isFinding = music.isFinding
    lookedInto = music.count
    unplayable = music.unplayable
    broken = music.broken
    lostPath = music.lostPath
    awaitedPath = music.awaitedPath
  }
}

extension UnitSnapshot.Sound {
  fileprivate init(_ daemon: UnitDaemon) {
    let engine = daemon.unit.engine
    seen = daemon.sound
    isStandingStill = daemon.outputProgress.isStandingStill
    xruns = engine.xrunCount
    starvedFrames = engine.starvedFrameCount
    bufferedFrames = engine.bufferedFrames
    volume = daemon.unit.center.volume
    pcmParameters = MachineReadings.pcmParameters
  }
}

extension UnitSnapshot.Storage {
  fileprivate init(_ daemon: UnitDaemon) {
    stateFolder = daemon.settings.stateFolder
    saving = daemon.saving
    notices = daemon.storage.notices
    stateSpace = FileSystemSpace(stateFolder)
    let folders = [stateFolder] + daemon.settings.musicFolders
    fileSystems = MachineReadings.fileSystems { point in
      point == "/" || folders.contains { $0 == point || point.hasPrefix("\($0)/") }
    }
  }
}
