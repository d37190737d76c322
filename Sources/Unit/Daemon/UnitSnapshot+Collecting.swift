internal import AudioEngine
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import Settings

extension UnitSnapshot {
  /// - Parameters:
  ///   - machine: the snapshot of the machine. Without this parameter, the snapshot has no values of
  ///     folders and file systems.
  ///   - sound: the readings of the engine. Without this parameter, they are not compared.
  ///   - amplifier: the amplifier as its device reports it; nil if the unit has none.
  convenience init(
    _ daemon: UnitDaemon, machine: MachineSnapshot = MachineSnapshot(),
    sound readings: [SoundReading] = [], amplifier: AmplifierReading? = nil,
    at now: MonotonicInstant
  ) {
    let settings = daemon.settings
    var sound = Sound(daemon)
    sound.readings = readings
    sound.amplifier = amplifier
    self.init(
      now: now, run: Run(daemon),
      surfaces: daemon.unit.center.inspection(at: now).surfaces.map(\.id.rawValue),
      music: Music(daemon), sound: sound,
      storage: Storage(
        stateFolder: settings.stateFolder, saving: daemon.memory.status,
        notices: daemon.storage.notices),
      library: daemon.unitLibrary.absence == nil ? daemon.unitLibrary.health : nil,
      configuration: daemon.configuration,
      machine: machine)
  }
}

extension UnitSnapshot.Run {
  fileprivate init(_ daemon: UnitDaemon) {
    began = daemon.began
    readyAt = daemon.readyAt
    history = daemon.history
    isSafeMode = daemon.isSafeMode
    parts = daemon.parts
    daemon.board.readTemperature()
    board = daemon.board.state
  }
}

extension UnitSnapshot.Music {
  fileprivate init(_ daemon: UnitDaemon) {
    let music = daemon.music
    count = music.playableCount
    isSearching = music.isSearching
    examinedCount = music.count
    unplayable = music.unplayable
    volumes = music.volumes
    broken = music.broken
    cutTagValues = music.cutTagValues
    lostPath = music.lostPath
    awaitedPath = music.awaitedPath
  }
}

extension UnitSnapshot.Sound {
  fileprivate init(_ daemon: UnitDaemon) {
    let engine = daemon.unit.engine
    history = daemon.sound
    cards = daemon.soundCards()
    isStalled = daemon.outputProgress.isStalled
    xruns = engine.xrunCount
    starvedFrames = engine.starvedFrameCount
    bufferedFrames = engine.bufferedFrames
    safeguardFrames = engine.safeguardFrames
    volume = daemon.unit.center.volume
  }
}
