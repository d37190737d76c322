internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import UnitState

/// The daemon and its machine at one moment. ``UnitFacts`` and ``UnitChecks`` read it, so both say the
/// same, and nothing is asked twice.
///
/// A class of constants: as a struct it is copied field by field wherever it goes, in 20 KB of code.
final class UnitSnapshot {
  /// The music, as far as it is found.
  struct Music {
    /// Files in the queue.
    var count = 0
    /// Folders are being read; so many files were looked into.
    var isFinding = false
    var lookedInto = 0
    /// Found, and cannot be played.
    var unplayable: [UnplayableFile] = []
    /// Looked like music, and failed when it was played.
    var broken: [UnplayableFile] = []
    /// The file whose medium has gone.
    var lostPath: String?
    /// The file that played last, while its medium is not there.
    var awaitedPath: String?
  }

  /// The sound, as the daemon has seen it and as the engine counts.
  struct Sound {
    var seen = SoundHistory()
    /// The output takes no frames although it should.
    var isStandingStill = false
    var xruns = 0
    /// Frames of silence that stood in for late ones.
    var starvedFrames = 0
    /// Frames that are decoded ahead.
    var bufferedFrames = 0
    var volume = Volume(level: VolumeLevel(step: 50, of: 100))
  }

  /// What is kept, and where.
  struct Storage {
    var stateFolder = ""
    var saving = SavingStatus()
    /// What the image says about the storage.
    var notices: [StorageNotice] = []
  }

  /// This run and those before it.
  struct Run {
    var began: MonotonicInstant
    /// Nil before the unit is ready.
    var readyAt: MonotonicInstant?
    var history = StartHistory()
    /// Starts before this one failed, so the unit plays nothing by itself.
    var isSafeMode = false
    /// The versions of what the program is made of.
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
