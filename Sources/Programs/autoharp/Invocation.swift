import ALSASink
import AmplifierControl
import Console

/// The parsed command line.
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

/// The topic of a help text.
enum HelpTopic: Equatable, CaseIterable {
  case main
  case play
  case probe
  case serve
  case config
  case console
}

/// The destination of the sound.
enum OutputChoice: Equatable {
  /// An ALSA PCM by its name, such as `default` or `hw:0,0`.
  case alsa(String)
  /// A WAV file with this path. The file is written as fast as possible.
  case wav(String)
  /// Discards the sound, in real time.
  case null
}

/// The ReplayGain tags from which the gain is computed.
enum ReplayGainChoice: String, Equatable, CaseIterable {
  case off
  case track
  case album
  case auto
}

/// The options of `autoharp play`.
struct PlayOptions: Equatable {
  /// The permitted values of `--buffer`: the length of the device's buffer, in milliseconds.
  static let bufferRange = 5...2000
  /// The permitted values of `--period`: the length of a period, in frames.
  static let periodRange = 16...16384
  /// The permitted values of `--rate`, in frames per second.
  static let rateRange = 8000...384_000
  /// The permitted values of `--gain`: a change of level, in decibels.
  static let gainRange = -60.0...12.0

  /// Nil if no output was given. In this case `default` is used. If `default` cannot be opened, the sound is discarded.
  var output: OutputChoice?
  /// The way in which the output is filled: with or without rewinding.
  var latency = ALSASink.Latency.auto
  /// The length of the buffer, within `bufferRange`. If nil, the default of the output is used.
  var bufferMilliseconds: Int?
  /// The length of a period, within `periodRange`. If nil, the default of the output is used.
  var periodFrames: Int?
  /// The rate of the output, within `rateRange`. If nil, the output uses the rate of each track.
  var fixedRate: Int?
  /// The amplifier that is muted while the output starts and stops. Nil if no amplifier is muted.
  var amplifier: AmplifierConfiguration?
  /// The gain, within `gainRange`. With 0, the samples are not changed.
  var gainDecibels: Double = 0
  var replayGain: ReplayGainChoice = .off
  /// The position in the first track at which playback begins, 0 or more. There is no upper limit, because the length
  /// of the track is not known here.
  var startSeconds: Double = 0
  var repeatAll = false
  var shuffle = false
  /// The path of the file that the chime key plays over the music.
  var chime: String?
  /// True to print the steps of each command with their times.
  var trace = false
  /// The music to find in the library. Nil if files and folders are given.
  var library: LibraryChoice?
  /// The files and folders in the given order. At least one if ``library`` is nil, otherwise none.
  var paths: [String]
}

/// Music of the library that `autoharp play` plays.
struct LibraryChoice: Equatable {
  /// The name of music, or of a list of the library.
  var words: String
  /// Configuration files that replace the standard files. A later file overrides an earlier file.
  var configurationFiles: [String] = []
}

/// The options of `autoharp serve`.
struct ServeOptions: Equatable {
  /// Configuration files that replace the standard files. A later file overrides an earlier file.
  var files: [String] = []
  /// Replaces the configured path of the control socket.
  var socket: String?
}

/// The options of `autoharp probe`.
struct ProbeOptions: Equatable {
  var json = false
  /// True to decode the whole file and not only the headers.
  var verify = false
  /// The files and folders in the given order. At least one.
  var paths: [String]
}

/// The options of `autoharp config`.
struct ConfigOptions: Equatable {
  /// The action on the configuration.
  enum Action: String, CaseIterable {
    /// Prints the wrong lines of the configuration files.
    case check
    /// Prints the value of each setting, and where the value comes from.
    case show
  }

  var action: Action
  /// The configuration files. A later file overrides an earlier file. If empty, the standard files are used.
  var files: [String] = []
}
