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
    _ parts: UnitParts, machine: MachineSnapshot = MachineSnapshot(),
    sound readings: [SoundReading] = [], amplifier: AmplifierReading? = nil,
    at now: MonotonicInstant
  ) {
    let configuration = parts.settings.configuration
    var sound = Sound(parts)
    sound.readings = readings
    sound.amplifier = amplifier
    self.init(
      now: now, run: Run(parts),
      surfaces: parts.unit.center.inspection(at: now).surfaces.map(\.id.rawValue),
      music: Music(parts), sound: sound,
      storage: Storage(
        stateFolder: configuration.settings.stateFolder, saving: parts.memory.status,
        notices: parts.notices.storage.notices),
      library: parts.lists.library.absence == nil ? parts.lists.library.health : nil,
      configuration: configuration,
      machine: machine)
  }
}

extension UnitSnapshot.Run {
  fileprivate init(_ parts: UnitParts) {
    began = parts.run.began
    readyAt = parts.run.readyAt
    history = parts.memory.starts
    isSafeMode = parts.run.isSafeMode
    self.parts = parts.run.parts
    parts.board.readTemperature()
    board = parts.board.state
  }
}

extension UnitSnapshot.Music {
  fileprivate init(_ parts: UnitParts) {
    let music = parts.music
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
  fileprivate init(_ parts: UnitParts) {
    let engine = parts.unit.engine
    history = parts.sound.history
    cards = parts.sound.cards()
    isStalled = parts.sound.isStalled
    xruns = engine.xrunCount
    starvedFrames = engine.starvedFrameCount
    bufferedFrames = engine.bufferedFrames
    safeguardFrames = engine.safeguardFrames
    volume = parts.unit.center.volume
  }
}
