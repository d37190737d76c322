internal import AudioEngine
internal import HeadUnit
internal import Input
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import UnitState

/// The state of the daemon and its machine at one moment. ``UnitFacts`` and ``UnitChecks`` both read this snapshot. So
/// their values agree, and each value is read only once.
///
/// This type is a class with constants. A struct would be copied field by field wherever it is passed, and the code for
/// these copies would need 20 KB of the program.
final class UnitSnapshot {
  /// The music that was found so far.
  struct Music {
    /// The number of files that can be played.
    var count = 0
    /// True while folders are read.
    var isSearching = false
    /// The number of files that were examined so far, while folders are read.
    var examinedCount = 0
    /// The files that were found but cannot be played.
    var unplayable = UnplayableFiles()
    /// The volumes that were searched, with their numbers of files.
    var volumes = MusicVolumes()
    /// Number of tag values that were cut or left out.
    var cutTagValues = 0
    /// Files that looked like music and failed during playback.
    var broken = UnplayableFiles()
    /// The files with errors during playback.
    var errors = SongErrors()
    /// The path of the file that played when its medium was removed. Nil if no file waits for the return of its medium.
    var lostPath: String?
    /// The path of the file that played in the last run, while the medium of this file is missing.
    var awaitedPath: String?
  }

  /// The facts about the sound, from the records of the daemon and the counters of the engine.
  struct Sound {
    var history = SoundHistory()
    /// The sound cards of the machine.
    var cards: [UnitDaemon.Start.SoundCard] = []
    /// True if the output accepts no frames although something should be heard.
    var isStalled = false
    var xruns = 0
    /// The number of frames of silence that replaced frames that were not decoded in time.
    var starvedFrames = 0
    /// Number of frames that are decoded ahead.
    var bufferedFrames = 0
    /// If the output can be rewritten: the number of frames that it plays before a change is heard. Otherwise 0.
    var safeguardFrames = 0
    var volume = Volume(level: VolumeLevel(step: 50, of: 100))
    /// The interruptions and ducks of clients.
    var holds: [UnitHolds.Active] = []
    /// What the engine plays. Contains two readings with some time between them, or no reading.
    var readings: [SoundReading] = []
    /// The amplifier's state, as its device reports it. Nil if the unit has no amplifier, or if it was not read.
    var amplifier: AmplifierReading?
  }

  /// The facts about the saved state and the storage.
  struct Storage {
    var stateFolder = ""
    var saving = SavingStatus()
    /// The saved data that was lost at the start, see ``UnitLog/losses``.
    var losses: [(event: LogEvent, text: String)] = []
    /// The reports of the image about its storage.
    var notices: [StorageNotice] = []
  }

  /// This run and the earlier runs.
  struct Run {
    var began: MonotonicInstant
    /// The time at which the unit was ready; nil until then.
    var readyAt: MonotonicInstant?
    var history = StartHistory()
    /// True if at least the last three starts before this start failed. Then the unit plays nothing automatically.
    var isSafeMode = false
    /// The versions of the program's parts.
    var parts: [(name: String, version: String)] = []
    /// The power supply and the temperature of the board.
    var board = BoardState()
  }

  /// What the driver sees.
  enum Screen {
    /// No surface that shows the template has connected since the start.
    case none
    /// The connection of such a surface was lost.
    case lost
    /// The surface has ended its connection, for example because its display was unplugged.
    case ended
    case shows
    /// The surface has not shown the last state in time.
    case standsStill
  }

  let now: MonotonicInstant
  let run: Run
  let surfaces: [String]
  let screen: Screen
  /// True if the Now Playing source repeats one song.
  let repeatsOne: Bool
  /// True if bluetoothd runs and offers no controller.
  let lacksAdapter: Bool
  /// The number of phones that were used with the unit, also in earlier runs.
  let knownPhones: Int
  let music: Music
  let sound: Sound
  let storage: Storage
  /// The health of the library process. Nil if the unit has no library.
  let library: LibraryHealth?
  /// The keys that are possibly stuck.
  let stuckKeys: [InputReport.StuckKey]
  /// The names of the touch screens that were removed since the start.
  let lostPointers: Set<String>
  /// The names of the devices with keys that were removed since the start.
  let lostKeys: Set<String>
  let configuration: Configuration
  let machine: MachineSnapshot

  init(
    now: MonotonicInstant, run: Run, surfaces: [String], screen: Screen = .none,
    repeatsOne: Bool = false, lacksAdapter: Bool = false, knownPhones: Int = 0, music: Music,
    sound: Sound, storage: Storage, library: LibraryHealth? = nil,
    stuckKeys: [InputReport.StuckKey] = [], lostPointers: Set<String> = [],
    lostKeys: Set<String> = [], configuration: Configuration, machine: MachineSnapshot
  ) {
    self.now = now
    self.run = run
    self.surfaces = surfaces
    self.screen = screen
    self.repeatsOne = repeatsOne
    self.lacksAdapter = lacksAdapter
    self.knownPhones = knownPhones
    self.music = music
    self.sound = sound
    self.storage = storage
    self.library = library
    self.stuckKeys = stuckKeys
    self.lostPointers = lostPointers
    self.lostKeys = lostKeys
    self.configuration = configuration
    self.machine = machine
  }

  /// The date and the time of day, in the time zone of the settings.
  var clockText: String { machine.clock.text(in: configuration.settings.timeZone) }
}

extension UnitSnapshot {
  /// - Parameters:
  ///   - machine: the snapshot of the machine. Without this parameter, the snapshot has no values of folders and file
  ///     systems.
  ///   - sound: the readings of the engine. Without this parameter, the checks that compare readings are left out.
  ///   - amplifier: the state of the amplifier's switch, as its device reports it; nil if the unit has no amplifier.
  convenience init(
    _ parts: UnitParts, machine: MachineSnapshot = MachineSnapshot(),
    sound readings: [SoundReading] = [], amplifier: AmplifierReading? = nil,
    at now: MonotonicInstant
  ) {
    let configuration = parts.settings.configuration
    var sound = Sound(parts)
    sound.readings = readings
    sound.amplifier = amplifier
    let inspection = parts.unit.center.inspection(at: now)
    self.init(
      now: now, run: Run(parts), surfaces: inspection.surfaces.map(\.id.rawValue),
      screen: Screen(inspection), repeatsOne: inspection.state.repeatMode == .one,
      lacksAdapter: parts.bluetooth.lacksAdapter, knownPhones: parts.memory.phones.count,
      music: Music(parts), sound: sound,
      storage: Storage(
        stateFolder: configuration.settings.stateFolder, saving: parts.memory.status,
        losses: parts.log.losses, notices: parts.notices.storage.notices),
      library: parts.lists.library.absence == nil ? parts.lists.library.health : nil,
      stuckKeys: parts.keys.report?.stuck ?? [], lostPointers: parts.keys.lostPointers,
      lostKeys: parts.keys.lostKeys, configuration: configuration, machine: machine)
  }
}

extension UnitSnapshot.Screen {
  fileprivate init(_ inspection: Inspection) {
    let screens = inspection.surfaces.filter(\.showsTemplate)
    if screens.isEmpty {
      switch inspection.screenHistory {
      case .none: self = .none
      case .expected: self = .lost
      case .ended: self = .ended
      }
    } else {
      self =
        screens.contains { $0.check.isOverdue(at: inspection.at) } ? .standsStill : .shows
    }
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
    errors = music.songErrors
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
    holds = parts.holds.active
  }
}
