import AmplifierControl
import Console

/// What the user asked the program to do.
enum Invocation: Equatable {
  case play(PlayOptions)
  case probe(ProbeOptions)
  case serve(ServeOptions)
  case config(ConfigOptions)
  case console(ConsoleOptions)
  case listOutputs
  case version
  case help(HelpTopic)
}

/// What a help text is about.
enum HelpTopic: Equatable, CaseIterable {
  case main
  case play
  case probe
  case serve
  case config
  case console
}

/// Where the sound goes.
enum OutputChoice: Equatable {
  /// An ALSA PCM by its name, such as `default` or `hw:0,0`.
  case alsa(String)
  /// A WAV file by its path, written as fast as it can be.
  case wav(String)
  /// Nowhere, in real time.
  case null
}

/// Which loudness the files are brought to by their ReplayGain tags.
enum ReplayGainChoice: String, Equatable, CaseIterable {
  case off
  case track
  case album
}

/// What `autoharp play` was told.
struct PlayOptions: Equatable {
  /// Length of the device's buffer that `--buffer` may ask for, in milliseconds.
  static let bufferRange = 5...2000
  /// Length of a period that `--period` may ask for, in frames.
  static let periodRange = 16...16384
  /// Rate that `--rate` may ask for, in frames per second.
  static let rateRange = 8000...384_000
  /// Change of level that `--gain` may ask for, in decibels.
  static let gainRange = -60.0...12.0

  /// nil where none was named: then `default`, or silence on a machine without a sound card.
  var output: OutputChoice?
  /// Within `bufferRange`; nil leaves the choice to the output.
  var bufferMilliseconds: Int?
  /// Within `periodRange`; nil leaves the choice to the output.
  var periodFrames: Int?
  /// Within `rateRange`; nil lets the output follow each track.
  var fixedRate: Int?
  /// What mutes the amplifier while the output starts and stops; nil for nothing.
  var amplifier: AmplifierConfiguration?
  /// Within `gainRange`; 0 leaves the samples as they are.
  var gainDecibels: Double = 0
  var replayGain: ReplayGainChoice = .off
  /// Place in the first track at which to begin; 0 or more. Whether the track is that long is
  /// not known here.
  var startSeconds: Double = 0
  var repeatAll = false
  var shuffle = false
  /// What the key for it plays over the music.
  var chime: String?
  /// Say what became of each key, and when.
  var trace = false
  /// Files and folders in the order named; at least one.
  var paths: [String]
}

/// What `autoharp serve` was told.
struct ServeOptions: Equatable {
  /// Instead of the standard ones, the last one counting.
  var files: [String] = []
  /// Instead of the configured one.
  var socket: String?
}

/// What `autoharp probe` was told.
struct ProbeOptions: Equatable {
  var json = false
  /// Decode everything, not only the headers.
  var verify = false
  /// Files and folders in the order named; at least one.
  var paths: [String]
}

/// What `autoharp config` was told.
struct ConfigOptions: Equatable {
  /// What to do with the configuration.
  enum Action: String, CaseIterable {
    /// Name the lines that are wrong.
    case check
    /// Show every value, and where it comes from.
    case show
  }

  var action: Action
  /// Files that override each other in this order; none for the standard ones.
  var files: [String] = []
}
