internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import UnitState

/// The daemon and its machine at one moment. ``UnitFacts`` and ``UnitChecks`` both read it, so they
/// agree, and nothing is read twice.
///
/// A class of constants: a struct would be copied field by field wherever it is passed, in 20 KB of
/// code.
final class UnitSnapshot {
  /// The music that was found so far.
  struct Music {
    /// Files in the queue.
    var count = 0
    /// True while folders are read; `examinedCount` is the number of files that were examined.
    var isSearching = false
    var examinedCount = 0
    /// Files that were found and cannot be played.
    var unplayable: [UnplayableFile] = []
    /// Files that looked like music and failed during playback.
    var broken: [UnplayableFile] = []
    /// The file whose medium was removed.
    var lostPath: String?
    /// The file of the last run, while its medium is missing.
    var awaitedPath: String?
  }

  /// The sound, as the daemon has recorded it and as the engine counts it.
  struct Sound {
    var history = SoundHistory()
    /// True if the output takes no frames although it should.
    var isStalled = false
    var xruns = 0
    /// Frames of silence in place of frames that came too late.
    var starvedFrames = 0
    /// Number of frames that are decoded ahead.
    var bufferedFrames = 0
    var volume = Volume(level: VolumeLevel(step: 50, of: 100))
  }

  /// What is saved, and where.
  struct Storage {
    var stateFolder = ""
    var saving = SavingStatus()
    /// What the image reports about the storage.
    var notices: [StorageNotice] = []
  }

  /// This run and the earlier ones.
  struct Run {
    var began: MonotonicInstant
    /// Nil until the unit is ready.
    var readyAt: MonotonicInstant?
    var history = StartHistory()
    /// True if the starts before this one failed, so that the unit plays nothing by itself.
    var isSafeMode = false
    /// The versions of the program's parts.
    var parts: [(name: String, version: String)] = []
  }

  let now: MonotonicInstant
  let run: Run
  let surfaces: [String]
  let music: Music
  let sound: Sound
  let storage: Storage
  let configuration: Configuration
  let machine: MachineSnapshot

  init(
    now: MonotonicInstant, run: Run, surfaces: [String], music: Music, sound: Sound,
    storage: Storage, configuration: Configuration, machine: MachineSnapshot
  ) {
    self.now = now
    self.run = run
    self.surfaces = surfaces
    self.music = music
    self.sound = sound
    self.storage = storage
    self.configuration = configuration
    self.machine = machine
  }
}
