public import GPIO

/// What the daemon was told by its configuration, each with its default; what each key means, and
/// why its default is what it is, stands beside its name in ``SettingKey/all``.
///
/// A value that can be read here is in its range. Reading it again after a change of the files is a
/// new value of this type.
public struct Settings: Hashable, Sendable {
  /// What the player does when the unit is switched on.
  public enum StartPolicy: String, Hashable, Sendable, CaseIterable {
    case resume, play, paused
  }

  /// What becomes of a PLAY that a phone sends while it connects.
  public enum ConnectPolicy: String, Hashable, Sendable, CaseIterable {
    case ignore, obey
  }

  /// How long the texts may be that a phone is told.
  public enum PhoneTexts: String, Hashable, Sendable, CaseIterable {
    case packet, whole
  }

  /// Whose loudness the tracks are brought to.
  public enum ReplayGain: String, Hashable, Sendable, CaseIterable {
    case off, track, album
  }

  /// The least that is worth a line in the log.
  public enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case error, warning, notice, info, debug
  }

  // MARK: Music

  /// Absolute paths, in the order in which they are looked into.
  public internal(set) var musicFolders = ["/music", "/data/music", "/media"]
  /// What the player does first.
  public internal(set) var start = StartPolicy.resume
  /// How far a skip goes; whole milliseconds.
  public internal(set) var skipInterval = Duration.seconds(15)
  /// Whose loudness tracks are brought to.
  public internal(set) var replayGain = ReplayGain.off
  /// BCP 47.
  public internal(set) var language = "und"

  // MARK: Sound

  /// As `autoharp play --output` takes it.
  public internal(set) var output = "default"
  /// Nil for the output's own choice.
  public internal(set) var outputPeriodFrames: Int?
  /// Nil for the output's own choice. Whole milliseconds.
  public internal(set) var outputBuffer: Duration?
  /// In hertz; nil follows each track.
  public internal(set) var outputRate: Int?
  /// As `autoharp play --amplifier` takes it; nil for none.
  public internal(set) var amplifier: String?
  /// Whole milliseconds.
  public internal(set) var amplifierSettle = Duration.milliseconds(20)
  /// Whole milliseconds.
  public internal(set) var amplifierHold = Duration.milliseconds(10)
  /// In per cent of how loud it can seem.
  public internal(set) var startVolumeMaximum = 50
  /// 0 or less.
  public internal(set) var duckingDecibels = -14.0
  /// A file; nil for none.
  public internal(set) var chime: String?

  // MARK: Phones

  /// Whether phones are dealt with at all.
  public internal(set) var isBluetoothOn = true
  /// Whole milliseconds.
  public internal(set) var pairingTime = Duration.seconds(120)
  /// Whether what can show no number may be paired.
  public internal(set) var pairsWithoutNumber = false
  /// Whether phones are dialled.
  public internal(set) var dialsPhones = true
  /// What a PLAY at connecting does.
  public internal(set) var playOnConnect = ConnectPolicy.ignore
  /// Whether the music pauses when the last phone leaves.
  public internal(set) var pausesWhenPhoneLeaves = false
  /// How long the texts may be that a phone is told.
  public internal(set) var phoneTexts = PhoneTexts.packet
  /// Whether it is measured when presses come off the radio.
  public internal(set) var isRadioTimed = false

  // MARK: Keys

  /// Each says what a key is for; read by who knows keys.
  public internal(set) var keys: [String] = []
  /// Nil for never. Whole milliseconds.
  public internal(set) var keyHold: Duration? = .milliseconds(500)

  // MARK: The screen

  /// How the time of day is written.
  public enum ScreenClock: String, Hashable, Sendable, CaseIterable {
    case hours24 = "24h"
    case hours12 = "12h"
    case off
  }

  /// What decides between day and night.
  public enum ScreenLight: String, Hashable, Sendable, CaseIterable {
    case clock, sensor, headlights, day, night
  }

  /// How the picture is turned on the panel, clockwise.
  public enum ScreenRotation: String, Hashable, Sendable, CaseIterable {
    case upright = "0"
    case right = "90"
    case around = "180"
    case left = "270"
  }

  /// See ``ScreenRotation``.
  public internal(set) var screenRotation = ScreenRotation.upright
  /// Of the panel, in inches; nil for what it says of itself.
  public internal(set) var screenDiagonal: Double?
  /// Of the letters, in per cent; nil as the panel needs.
  public internal(set) var screenTextScale: Int?
  /// BCP 47; `und` for that of the titles.
  public internal(set) var screenLanguage = "und"
  /// Of a list; nil for all.
  public internal(set) var screenRows: Int? = 12
  /// How the time of day is written.
  public internal(set) var screenClock = ScreenClock.hours24
  /// What decides between day and night.
  public internal(set) var screenLight = ScreenLight.clock
  /// In minutes after midnight.
  public internal(set) var dayBegins = 7 * 60
  /// In minutes after midnight.
  public internal(set) var dayEnds = 19 * 60
  /// A file; nil for none.
  public internal(set) var lightSensor: String?
  /// In what the sensor counts.
  public internal(set) var lightThreshold = 50
  /// Active while the headlights are on; nil for none.
  public internal(set) var headlightLine: GPIOLineChoice?
  /// At most five, leading to trailing.
  public internal(set) var buttons: [ScreenButton] = [
    ScreenButton(kind: .shuffle), ScreenButton(kind: .repeat),
  ]
  /// What buttons with a name of their own look like.
  public internal(set) var buttonPictures: [ScreenButtonPicture] = []

  // MARK: Covers

  /// Nil for no files.
  public internal(set) var artworkFolder: String? = "/data/autoharp/artwork"
  /// In bytes.
  public internal(set) var artworkFolderSize = 64 << 20
  /// How many files the folder may have.
  public internal(set) var artworkFolderFiles = 2000
  /// In bytes.
  public internal(set) var artworkMemory = 4 << 20

  // MARK: The unit

  /// An absolute path.
  public internal(set) var stateFolder = "/data/autoharp"
  /// An absolute path of at most 107 bytes.
  public internal(set) var controlSocket = "/run/autoharp/control"
  /// The least that is logged.
  public internal(set) var logLevel = LogLevel.info
  /// Whether the console may give a shell.
  public internal(set) var isConsoleShellAllowed = false

  /// Every key at its default.
  public init() {}
}
