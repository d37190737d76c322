public import GPIO
public import SystemClock

/// The values of the configuration, with their defaults. ``SettingKey/all`` describes each key and gives the reason for
/// its default.
///
/// All values are within their ranges. When the daemon reloads the configuration, it reads the files into a new value
/// of this type.
public struct Settings: Hashable, Sendable {
  /// The action of the player when the unit is switched on.
  public enum StartPolicy: String, Hashable, Sendable, CaseIterable {
    case resume, play, paused
  }

  /// What follows at the end of the queue.
  public enum QueueEnd: String, Hashable, Sendable, CaseIterable {
    case next, stop
  }

  /// What happens when a stick with music is inserted and there is no other music.
  public enum StickComes: String, Hashable, Sendable, CaseIterable {
    case offer, play
  }

  /// The reaction of the unit to a PLAY that a phone sends while it connects.
  public enum ConnectPolicy: String, Hashable, Sendable, CaseIterable {
    case ignore, obey
  }

  /// The length limit of the texts for phones.
  public enum PhoneTexts: String, Hashable, Sendable, CaseIterable {
    case packet, whole
  }

  /// The mode of loudness adjustment: off, by track, by album, or by track while songs are shuffled and else by album.
  public enum ReplayGain: String, Hashable, Sendable, CaseIterable {
    case off, track, album, auto
  }

  /// The kind of sound card that the unit uses.
  public enum Sound: String, Hashable, Sendable, CaseIterable {
    case auto, usb, dac, hdmi, jack
  }

  /// How the buffer of the output is filled.
  public enum OutputLatency: String, Hashable, Sendable, CaseIterable {
    case auto, rewind, periods
  }

  /// What happens to the sound while the reverse gear is engaged.
  public enum Reverse: String, Hashable, Sendable, CaseIterable {
    case lower, mute, none
  }

  /// The levels of the contacts at which a rotary encoder rests.
  public enum EncoderDetents: String, Hashable, Sendable, CaseIterable {
    case full, half, quarter
  }

  /// How the unit knows whether the car is parked.
  public enum Parked: String, Hashable, Sendable, CaseIterable {
    case line, always, never
  }

  /// The lowest level that is written to the log.
  public enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case error, warning, notice, info, debug
  }

  // MARK: Music

  /// The absolute paths of the music folders, in the order in which they are searched.
  public internal(set) var musicFolders = ["/music", "/data/music", "/media"]
  /// True if the unit keeps a library of the music.
  public internal(set) var isLibraryOn = true
  /// What follows at the end of the queue.
  public internal(set) var queueEnd = QueueEnd.next
  /// The languages whose articles are ignored when names are sorted.
  public internal(set) var libraryArticles = LibraryArticles.automatic
  /// What happens when a stick is inserted and there is no other music.
  public internal(set) var stickComes = StickComes.offer
  /// The folder of the library's database. If it is nil, a folder in the cache folder of the user is used.
  public internal(set) var libraryFolder: String?
  /// The action of the player at the start.
  public internal(set) var start = StartPolicy.resume
  /// The length of a skip; whole milliseconds.
  public internal(set) var skipInterval = Duration.seconds(15)
  /// The mode of loudness adjustment.
  public internal(set) var replayGain = ReplayGain.off
  /// The gain of a song without a gain in its tags, in decibels; 0 or less. Not used if ``replayGain`` is `off`.
  public internal(set) var replayGainMissing = -7.0
  /// The preferred language of titles (BCP 47).
  public internal(set) var language = "und"

  // MARK: Sound

  /// The output, written as for the option `--output` of `autoharp play`.
  public internal(set) var output = "default"
  /// The kind of sound card that the unit uses, if ``output`` is `default`.
  public internal(set) var sound = Sound.auto
  /// How the buffer of the output is filled.
  public internal(set) var outputLatency = OutputLatency.auto
  /// The length of a period in frames. If nil, the output chooses the length.
  public internal(set) var outputPeriodFrames: Int?
  /// The length of the buffer, in whole milliseconds. If nil, the output chooses the length.
  public internal(set) var outputBuffer: Duration?
  /// The rate of the output in hertz. If nil, the output has the rate of each track.
  public internal(set) var outputRate: Int?
  /// The amplifier, written as for the option `--amplifier` of `autoharp play`. Nil if there is none.
  public internal(set) var amplifier: String?
  /// The time of silence before the amplifier is unmuted, in whole milliseconds.
  public internal(set) var amplifierSettle = Duration.milliseconds(20)
  /// The time of silence after the amplifier is muted, in whole milliseconds.
  public internal(set) var amplifierHold = Duration.milliseconds(10)
  /// The highest volume at the start, in per cent of the highest perceived loudness.
  public internal(set) var startVolumeMaximum = 50
  /// The change of gain during ducking, in decibels; 0 or less.
  public internal(set) var duckingDecibels = -14.0
  /// The path of the sound file for the chime. Nil if there is none.
  public internal(set) var chime: String?

  // MARK: Phones

  /// True if the unit uses Bluetooth.
  public internal(set) var isBluetoothOn = true
  /// The name that phones show. If it is nil, phones show *Autoharp* and the last two bytes of the address.
  public internal(set) var bluetoothName: String?
  /// How long the unit waits for the phone that was the last source; whole milliseconds.
  public internal(set) var phoneWait = Duration.seconds(30)
  /// True if the unit tells each phone that connects to play.
  public internal(set) var playsConnectedPhones = false
  /// The length of the pairing window if the command gives no length; whole milliseconds.
  public internal(set) var pairingTime = Duration.seconds(120)
  /// True if a device that cannot show a number can be paired.
  public internal(set) var pairsWithoutNumber = false
  /// True if the unit connects to known phones by itself.
  public internal(set) var dialsPhones = true
  /// The reaction of the unit to a PLAY that a phone sends while it connects.
  public internal(set) var playOnConnect = ConnectPolicy.ignore
  /// True if the music pauses when the last phone disconnects.
  public internal(set) var pausesWhenPhoneLeaves = false
  /// The length limit of the texts for phones.
  public internal(set) var phoneTexts = PhoneTexts.packet

  // MARK: Keys

  /// The bindings of keys, one text per key. The module for keys decodes the texts.
  public internal(set) var keys: [String] = []
  /// The time after which a held key seeks, in whole milliseconds. If nil, a held key never seeks.
  public internal(set) var keyHold: Duration? = .milliseconds(500)

  // MARK: The screen

  /// The format of the time of day.
  public enum ScreenClock: String, Hashable, Sendable, CaseIterable {
    case hours24 = "24h"
    case hours12 = "12h"
    case off
  }

  /// The values of the setting `screen-light`, which selects the ``Settings/lightRule`` for the colours of day or
  /// night.
  public enum ScreenLight: String, Hashable, Sendable, CaseIterable {
    case auto, clock, sensor, headlights, day, night
  }

  /// The rule that selects the colours of day or night.
  public enum LightRule: Hashable, Sendable {
    case clock, sensor, headlights, day, night
  }

  /// The clockwise rotation of the picture on the panel, in degrees.
  public enum ScreenRotation: String, Hashable, Sendable, CaseIterable {
    case upright = "0"
    case right = "90"
    case around = "180"
    case left = "270"
  }

  /// The rotation of the picture on the panel.
  public internal(set) var screenRotation = ScreenRotation.upright
  /// The diagonal of the panel in inches. If nil, the size that the panel reports is used.
  public internal(set) var screenDiagonal: Double?
  /// The size of the letters in per cent. If nil, the size depends on the panel.
  public internal(set) var screenTextScale: Int?
  /// The language of the screen (BCP 47). `und` stands for the language of the titles.
  public internal(set) var screenLanguage = "und"
  /// Maximum number of rows of a list on the screen. Nil if there is no maximum.
  public internal(set) var screenRows: Int? = 12
  /// The format of the time of day.
  public internal(set) var screenClock = ScreenClock.hours24
  /// The time zone of the clock. If nil, the zone of the system is used.
  public internal(set) var timeZone: ClockZone?
  /// The rule that selects the colours of day or night.
  public internal(set) var screenLight = ScreenLight.auto
  /// The brightness of the panel by day, in per cent of the highest perceived brightness.
  public internal(set) var brightnessByDay = 100
  /// The brightness of the panel at night, in per cent of the highest perceived brightness.
  public internal(set) var brightnessAtNight = 50
  /// The beginning of the day, in minutes after midnight.
  public internal(set) var dayBegins = 7 * 60
  /// The end of the day, in minutes after midnight.
  public internal(set) var dayEnds = 19 * 60
  /// The path of the light sensor's file. Nil if there is none.
  public internal(set) var lightSensor: String?
  /// The threshold between day and night, in the units of the light sensor.
  public internal(set) var lightThreshold = 50
  /// The buttons of the screen, at most five, from leading to trailing.
  public internal(set) var buttons: [ScreenButton] = [
    ScreenButton(kind: .shuffle), ScreenButton(kind: .repeat),
    ScreenButton(kind: .image("heart"), command: .like),
  ]
  /// The pictures of buttons whose names the configuration defines.
  public internal(set) var buttonPictures: [ScreenButtonPicture] = []

  // MARK: The car

  /// The GPIO line that is active while the headlights are on. Nil if there is none.
  public internal(set) var headlightLine: GPIOLineChoice?
  /// The GPIO line that is active while the reverse gear is engaged. Nil if there is none.
  public internal(set) var reverseLine: GPIOLineChoice?
  /// What happens to the sound while the reverse gear is engaged.
  public internal(set) var reverse = Reverse.lower
  /// The GPIO line that is active while the parking brake is applied. Nil if there is none.
  public internal(set) var parkingLine: GPIOLineChoice?
  /// How the unit knows whether the car is parked.
  public internal(set) var parked = Parked.line
  /// The GPIO line that is active while the ignition is on. Nil if there is none.
  public internal(set) var ignitionLine: GPIOLineChoice?
  /// The time from the moment when the ignition is switched off until the unit powers down.
  public internal(set) var ignitionOffDelay = Duration.seconds(30)
  /// The GPIO line that keeps the power supply of the unit on while the line is active. Nil if there is none.
  public internal(set) var powerHoldLine: GPIOLineChoice?
  /// The GPIO line of the first contact of a rotary encoder. Nil if there is none.
  public internal(set) var encoderFirst: GPIOLineChoice?
  /// The GPIO line of the second contact of the rotary encoder. Nil if there is none.
  public internal(set) var encoderSecond: GPIOLineChoice?
  /// The GPIO line of the push button of the rotary encoder. Nil if there is none.
  public internal(set) var encoderButton: GPIOLineChoice?
  /// The levels of the contacts at which the rotary encoder rests.
  public internal(set) var encoderDetents = EncoderDetents.full

  // MARK: Covers

  /// The folder in which covers are stored. If it is nil, covers are not stored in files.
  public internal(set) var artworkFolder: String? = "/data/autoharp/artwork"
  /// Maximum size of all covers in ``artworkFolder``, in bytes.
  public internal(set) var artworkFolderSize = 64 << 20
  /// Maximum number of files in ``artworkFolder``.
  public internal(set) var artworkFolderFiles = 2000

  // MARK: The unit

  /// The absolute path of the folder for the saved state.
  public internal(set) var stateFolder = "/data/autoharp"
  /// The absolute path of the control socket, at most 107 bytes.
  public internal(set) var controlSocket = "/run/autoharp/control"
  /// The lowest level that is written to the log.
  public internal(set) var logLevel = LogLevel.info
  /// True if the console is permitted to open a shell.
  public internal(set) var isConsoleShellAllowed = false
  /// The password that the console asks for before a command that erases something, or opens a shell. Nil for none.
  public internal(set) var consolePassword: String?

  /// Creates settings with all keys at their defaults.
  public init() {}
}

extension Settings {
  /// The rule of the setting `screen-light`. With `auto`, the headlights are used if they have a GPIO line, otherwise
  /// the light sensor if there is one, and otherwise the clock.
  public var lightRule: LightRule {
    switch screenLight {
    case .auto: headlightLine != nil ? .headlights : lightSensor != nil ? .sensor : .clock
    case .clock: .clock
    case .sensor: .sensor
    case .headlights: .headlights
    case .day: .day
    case .night: .night
    }
  }
}
