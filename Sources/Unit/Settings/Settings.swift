public import GPIO

/// The values of the configuration, with their defaults. ``SettingKey/all`` says what each key
/// means, and the reason for its default.
///
/// All values are within their ranges. If the files change, they are read into a new value of this
/// type.
public struct Settings: Hashable, Sendable {
  /// What the player does when the unit is switched on.
  public enum StartPolicy: String, Hashable, Sendable, CaseIterable {
    case resume, play, paused
  }

  /// What the unit does with a PLAY that a phone sends while it connects.
  public enum ConnectPolicy: String, Hashable, Sendable, CaseIterable {
    case ignore, obey
  }

  /// How long the texts for phones may be.
  public enum PhoneTexts: String, Hashable, Sendable, CaseIterable {
    case packet, whole
  }

  /// Whether tracks are brought to equal loudness, and whether by track or by album.
  public enum ReplayGain: String, Hashable, Sendable, CaseIterable {
    case off, track, album
  }

  /// The lowest level that is written to the log.
  public enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case error, warning, notice, info, debug
  }

  // MARK: Music

  /// Absolute paths, in the order in which they are searched.
  public internal(set) var musicFolders = ["/music", "/data/music", "/media"]
  /// What the player does at the start.
  public internal(set) var start = StartPolicy.resume
  /// The length of a skip; whole milliseconds.
  public internal(set) var skipInterval = Duration.seconds(15)
  /// How tracks are brought to equal loudness.
  public internal(set) var replayGain = ReplayGain.off
  /// The preferred language of titles (BCP 47).
  public internal(set) var language = "und"

  // MARK: Sound

  /// In the form of `autoharp play --output`.
  public internal(set) var output = "default"
  /// Nil: the output chooses.
  public internal(set) var outputPeriodFrames: Int?
  /// Nil: the output chooses. Whole milliseconds.
  public internal(set) var outputBuffer: Duration?
  /// In hertz; nil: follows each track.
  public internal(set) var outputRate: Int?
  /// In the form of `autoharp play --amplifier`; nil for none.
  public internal(set) var amplifier: String?
  /// Silence before the amplifier is unmuted; whole milliseconds.
  public internal(set) var amplifierSettle = Duration.milliseconds(20)
  /// Silence after the amplifier is muted; whole milliseconds.
  public internal(set) var amplifierHold = Duration.milliseconds(10)
  /// In per cent of the highest perceived loudness.
  public internal(set) var startVolumeMaximum = 50
  /// In decibels; 0 or less.
  public internal(set) var duckingDecibels = -14.0
  /// The path of a sound file; nil for none.
  public internal(set) var chime: String?

  // MARK: Phones

  /// True if the unit uses Bluetooth.
  public internal(set) var isBluetoothOn = true
  /// The length of the pairing window if a command gives none; whole milliseconds.
  public internal(set) var pairingTime = Duration.seconds(120)
  /// True if a device that cannot show a number may be paired.
  public internal(set) var pairsWithoutNumber = false
  /// True if the unit connects to known phones.
  public internal(set) var dialsPhones = true
  /// What the unit does with a PLAY while a phone connects.
  public internal(set) var playOnConnect = ConnectPolicy.ignore
  /// True if the music pauses when the last phone leaves.
  public internal(set) var pausesWhenPhoneLeaves = false
  /// How long the texts for phones may be.
  public internal(set) var phoneTexts = PhoneTexts.packet
  /// True if the times are measured at which the radio receives presses.
  public internal(set) var isRadioTimed = false

  // MARK: Keys

  /// Each one says what a key is for. The module that knows keys decodes it.
  public internal(set) var keys: [String] = []
  /// How long a key is held until it seeks; nil for never. Whole milliseconds.
  public internal(set) var keyHold: Duration? = .milliseconds(500)

  // MARK: The screen

  /// The format of the time of day.
  public enum ScreenClock: String, Hashable, Sendable, CaseIterable {
    case hours24 = "24h"
    case hours12 = "12h"
    case off
  }

  /// What selects the colours of day or night.
  public enum ScreenLight: String, Hashable, Sendable, CaseIterable {
    case clock, sensor, headlights, day, night
  }

  /// The clockwise rotation of the picture on the panel, in degrees.
  public enum ScreenRotation: String, Hashable, Sendable, CaseIterable {
    case upright = "0"
    case right = "90"
    case around = "180"
    case left = "270"
  }

  /// See ``ScreenRotation``.
  public internal(set) var screenRotation = ScreenRotation.upright
  /// The diagonal of the panel in inches; nil: as the panel reports it.
  public internal(set) var screenDiagonal: Double?
  /// The size of the letters in per cent; nil: as the panel needs.
  public internal(set) var screenTextScale: Int?
  /// BCP 47; `und` takes the language of the titles.
  public internal(set) var screenLanguage = "und"
  /// Maximum number of rows in a list; nil for all.
  public internal(set) var screenRows: Int? = 12
  /// The format of the time of day.
  public internal(set) var screenClock = ScreenClock.hours24
  /// What selects the colours of day or night.
  public internal(set) var screenLight = ScreenLight.clock
  /// In minutes after midnight.
  public internal(set) var dayBegins = 7 * 60
  /// In minutes after midnight.
  public internal(set) var dayEnds = 19 * 60
  /// The path of a file; nil for none.
  public internal(set) var lightSensor: String?
  /// In the units of the sensor.
  public internal(set) var lightThreshold = 50
  /// The line that is active while the headlights are on; nil for none.
  public internal(set) var headlightLine: GPIOLineChoice?
  /// At most five, from leading to trailing.
  public internal(set) var buttons: [ScreenButton] = [
    ScreenButton(kind: .shuffle), ScreenButton(kind: .repeat),
  ]
  /// The pictures of buttons whose names the configuration defines.
  public internal(set) var buttonPictures: [ScreenButtonPicture] = []

  // MARK: Covers

  /// Nil: covers are not stored in files.
  public internal(set) var artworkFolder: String? = "/data/autoharp/artwork"
  /// Maximum size of all covers in the folder, in bytes.
  public internal(set) var artworkFolderSize = 64 << 20
  /// Maximum number of files in the folder.
  public internal(set) var artworkFolderFiles = 2000
  /// Maximum size of the covers in memory, in bytes.
  public internal(set) var artworkMemory = 4 << 20

  // MARK: The unit

  /// An absolute path.
  public internal(set) var stateFolder = "/data/autoharp"
  /// An absolute path of at most 107 bytes.
  public internal(set) var controlSocket = "/run/autoharp/control"
  /// The lowest level that is written to the log.
  public internal(set) var logLevel = LogLevel.info
  /// True if the console may open a shell.
  public internal(set) var isConsoleShellAllowed = false

  /// All keys at their defaults.
  public init() {}
}
