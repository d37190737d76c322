extension SettingKey {
  /// All setting keys, in groups, in the order of the shipped file.
  public static let groups: [(title: String, keys: [SettingKey])] = [
    ("Music", music + library + playing), ("Sound", sound), ("Phones", phones), ("Keys", keys),
    ("The screen", screen), ("The car", car), ("Covers", covers), ("The unit", unit),
  ]

  /// All setting keys, without the groups.
  public static let all = groups.flatMap(\.keys)

  /// The names of the setting keys that no longer have an effect, each with the reason. A line with one of these names
  /// is not an error, because a file that was valid must stay valid.
  static let withoutEffect = ["radio-times": "'latency' no longer shows times from the radio"]

  private static let music = [
    SettingKey(
      "music-folder", listOf: \.musicFolders, .path(), atMost: 16,
      """
      The folders with music. The unit also looks in all folders below them. The first line \
      replaces the folders from earlier files, and each further line adds a folder. The defaults \
      are the music in the image, the music on the data partition, and the place where sticks are \
      mounted. A missing folder is not an error.
      """)
  ]

  private static let playing = [
    SettingKey(
      "queue-end", \.queueEnd, .choice, driver: .init(),
      """
      What plays after the end of an album, artist, genre, folder or playlist that was chosen. With \
      'next', the next album, artist, genre, folder or playlist plays, in the order of the list from \
      which the present one was chosen. With 'stop', playback stops. While repeat is on, this \
      setting has no effect.
      """),
    SettingKey(
      "stick-comes", \.stickComes, .choice, driver: .init(),
      """
      What happens when a stick with music is plugged in and nothing else can play. With 'offer', \
      the screen shows a notice about the stick. With 'play', the stick plays, unless a phone \
      plays, is awaited or did not answer. A stick that is there at the start follows 'start'. If \
      the music that played last is on the stick, it continues in any case.
      """),
    SettingKey(
      "start", \.start, .choice, driver: .init(),
      """
      What the unit does when it is switched on. With 'resume', it continues at the last \
      position, and plays only if it was playing. With 'play', it always plays: other music if \
      the stick of the last position is missing. With 'paused', \
      it waits for a command. The default is 'resume', so that music that was stopped stays \
      stopped at the next start of the car.
      """),
    SettingKey(
      "skip-interval", \.skipInterval, .duration(.seconds(1) ... .seconds(300)),
      driver: .init(step: 5),
      """
      How far one skip goes, forwards and backwards. 15 s is a verse or a few sentences, enough \
      to hear a missed part again.
      """),
    SettingKey(
      "replay-gain", \.replayGain, .choice, driver: .init(),
      """
      Plays tracks equally loud, by their ReplayGain or R128 tags. With 'track', all tracks \
      have the same loudness. With 'album', the tracks of an album keep their differences in \
      loudness. With 'auto', songs that begin while songs are shuffled play as with 'track', and \
      all others as with 'album'. A song keeps its loudness to its end if shuffle is switched, and \
      so does a next song that is already decoded. With 'off', the unit plays the samples as they \
      are in the file, which is the default.
      """),
    SettingKey(
      "replay-gain-missing", \.replayGainMissing, .decibels(-20...0), driver: .init(step: 1),
      """
      How much quieter a song without ReplayGain and R128 tags plays while 'replay-gain' is not \
      'off'. Most tags lower a song of the last decades by 5 to 9 dB, so that -7 dB gives a song \
      without tags about the loudness of a song with tags. 0 dB does not change these songs.
      """),
    SettingKey(
      "language", \.language, .language, driver: .init(),
      """
      The preferred language of titles that a file has in several languages. With 'und' \
      (undefined), the unit prefers no language.
      """),
  ]

  private static let sound = [
    SettingKey(
      "output", \.output,
      .string("ALSA PCM by its name, 'wav:FILE' or 'null'; see 'autoharp --list-outputs'"),
      effect: .restart, check: { $0.output($1) },
      """
      The output of the sound. The value is written as for the option '--output' of 'autoharp \
      play'. With 'default', the sound goes to the default PCM of ALSA's configuration. A PCM such \
      as 'hw:0,0' is the card itself, without ALSA's conversions. 'wav:FILE' is for tests, because \
      such an output fills the disk as fast as it can.
      """),
    SettingKey(
      "sound", \.sound, .choice, effect: .restart,
      """
      Which sound card the unit uses, if 'output' is 'default': 'usb', a DAC at the pins of the \
      board ('dac'), 'hdmi' or the 'jack' for headphones. If the chosen card is not present, the \
      unit waits for it. With 'auto', it takes the first of 'usb', 'dac', 'jack' and 'hdmi' that is \
      present when the output is opened, and otherwise ALSA's default PCM. A USB card may be found \
      some seconds after the start; then set 'usb'.
      """),
    SettingKey(
      "output-latency", \.outputLatency, .choice, effect: .restart,
      """
      How the output is filled so that the effect of a key is heard at once. With 'rewind', the \
      output gets a second of sound in advance, and the unit rewrites this sound when a key is \
      pressed. This saves power, and the sound survives a busy moment. The unit tests first whether \
      the output supports this. With 'periods', the output gets only a few milliseconds in advance. \
      'auto' is 'rewind' for a card ('hw:'), and 'periods' for all other outputs. The command \
      'audio' shows the choice.
      """),
    SettingKey(
      "output-period", \.outputPeriodFrames,
      ValueFormat.wholeNumber(16...16384, "frames").orZero("0 for the default of the output"),
      effect: .restart,
      """
      The number of frames that the output takes at a time. 0 selects 256 frames on a sound card and \
      512 on other outputs. A larger period saves power. With a smaller period, the effect of a key \
      is heard sooner. An output that is rewritten (see 'output-latency') ignores this setting.
      """),
    SettingKey(
      "output-buffer", \.outputBuffer,
      ValueFormat.duration(.milliseconds(5) ... .seconds(2)).orZero(
        "0 for the default of the output"), effect: .restart,
      """
      How much sound the output gets in advance. A sound card uses as many whole periods as fit into \
      this time, but at least two. The effect of a key is heard after this delay. 0 selects two \
      periods on a sound card and 50 ms on other outputs. Use a larger value if 'audio' shows that \
      the output ran dry. If the output is rewritten (see 'output-latency'), the effect of a key is \
      heard at once with every value. The smallest value is then 0.5 s, and 0 selects 1 s.
      """),
    SettingKey(
      "output-rate", \.outputRate,
      ValueFormat.wholeNumber(8000...384_000, "Hz").orZero("0 to follow each track"),
      effect: .restart,
      """
      Keeps the output at one rate and in stereo, for a card that supports only one rate. The \
      unit then converts all tracks. 0 follows each track, so that nothing is converted.
      """),
    SettingKey(
      "amplifier", \.amplifier,
      ValueFormat.string("'switch:CARD,ELEMENT', 'gpio:CHIP,LINE' or 'gpio:NAME'").orNone(
        "empty for none"),
      effect: .restart, check: { checks, value in value.flatMap(checks.amplifier) },
      """
      The switch or GPIO line that mutes the amplifier while the output starts and stops. This \
      avoids a thump. The value is written as for the option '--amplifier' of 'autoharp play'. The \
      default is none, because each unit is wired differently.
      """),
    SettingKey(
      "amplifier-settle", \.amplifierSettle, .duration(.zero ... .seconds(1)), effect: .restart,
      """
      How long the card plays silence before the amplifier is unmuted, so that the card's output \
      is stable by then. Each time the card is opened, the sound begins later by this time. Use a \
      larger value if you hear a thump at the start.
      """),
    SettingKey(
      "amplifier-hold", \.amplifierHold, .duration(.zero ... .seconds(1)), effect: .restart,
      """
      How long the card plays silence after the amplifier is muted, before the card stops. This \
      time has to be as long as the amplifier needs to become silent. Use a larger value if you \
      hear a thump at the end.
      """),
    SettingKey(
      "start-volume-maximum", \.startVolumeMaximum, .wholeNumber(0...100, "%"),
      driver: .init(step: 5),
      """
      The highest volume at the start of the unit. The unit lowers a higher saved volume to this \
      value, so that a volume set on the motorway does not surprise you in the garage. 50 % sounds \
      half as loud as the maximum.
      """),
    SettingKey(
      "ducking", \.duckingDecibels, .decibels(-60...0), effect: .restart,
      """
      How loud the music is while a prompt plays. At -14 dB the music sounds a bit more than a third \
      as loud as before: speech is understood and the music is still heard.
      """),
    SettingKey(
      "chime", \.chime, ValueFormat.path().orNone("empty for none"),
      """
      A music file that 'chime' plays over the music. The default is none, because \
      the image contains no chime.
      """),
  ]

  private static let keys = [
    SettingKey(
      "key", listOf: \.keys,
      .string("KEY ACTION, or KEY ACTION on DEVICE; the console command 'keys' shows the names"),
      atMost: 128, check: { $0.key($1) },
      """
      Assigns an action to a key or knob. Media keys, the keys of phones and volume knobs have \
      actions already. A knob can also move the focus of the screen. The action 'none' disables a \
      key. By default the list is empty, because the codes of steering wheels differ. \
      docs/input.md lists keys and actions.
      """),
    SettingKey(
      "key-hold", \.keyHold,
      ValueFormat.duration(.milliseconds(200) ... .seconds(3)).orZero("0 for never"),
      """
      How long a key for next or previous must be held before the unit seeks. If the key is released \
      earlier, it acts as next or previous. 500 ms is the usual time for a long press. With 0 the \
      unit never seeks with these keys, and each key acts when it is pressed.
      """),
  ]

  private static let covers = [
    SettingKey(
      "artwork-folder", \.artworkFolder, ValueFormat.path().orNone("empty for none"),
      effect: .restart,
      """
      The folder in which the unit keeps the covers that it has found. The unit creates this folder, \
      but not the folders above it. The default is in the daemon's folder on the data partition, so \
      that covers survive a power cut.
      """),
    SettingKey(
      "artwork-folder-size", \.artworkFolderSize, .size(1 << 20...4 << 30), effect: .restart,
      """
      The largest size of all kept covers. 64 MiB are 128 covers of half a MiB. The unit removes \
      the covers that were not shown for the longest time.
      """),
    SettingKey(
      "artwork-folder-files", \.artworkFolderFiles, .wholeNumber(1...100_000, "files"),
      effect: .restart,
      """
      The largest number of kept covers. Many small files make a folder slow.
      """),
  ]

  private static let unit = [
    SettingKey(
      "state-folder", \.stateFolder, .path(), effect: .restart,
      """
      The folder for the saved state: position, volume, repeat. The default is the daemon's own \
      folder on the data partition, the only partition that can be written.
      """),
    SettingKey(
      "control-socket", \.controlSocket, .path(maximumBytes: 107), effect: .restart,
      """
      The socket through which the console and the screen reach the daemon. The socket is in memory, \
      so that no old socket remains after a power cut. The path of a socket has at most 107 bytes.
      """),
    SettingKey(
      "log-level", \.logLevel, .choice,
      """
      The lowest level that is written to the log. At 'info', the log has a line for each important \
      event, but not for each command.
      """),
    SettingKey(
      "console-shell", \.isConsoleShellAllowed, .yesOrNo,
      """
      Whether 'shell' on the serial console opens a shell. The default is no, because anybody in \
      the car can reach the plug of that console.
      """),
    SettingKey(
      "console-password", \.consolePassword, ValueFormat.password.orNone("empty for none"),
      """
      The password that the console asks for before 'data erase', 'data format', 'bt forget' and \
      'shell'. After a wrong password the console waits for 3 s. The default is none. Whoever has \
      the card of the unit can read and remove the password, so use it for nothing else.
      """),
  ]
}

extension SettingKey {
  static let library = [
    SettingKey(
      "library", \.isLibraryOn, .yesOrNo, effect: .restart,
      """
      Whether the unit keeps a library of the music: albums, artists, search. A separate program \
      reads the tags of all files. Without the library, the unit plays the folders in their order.
      """),
    SettingKey(
      "library-folder", \.libraryFolder, ValueFormat.path().orNone("empty for the default"),
      effect: .restart,
      """
      The folder of the library's database, if the daemon starts the library itself. The default is \
      autoharp/library in the cache folder of the user. In the image, the library is a service, \
      and its database is in /data/library.
      """),
    SettingKey(
      "library-articles", \.libraryArticles, .articles, effect: .restart,
      """
      The languages whose articles do not count in the order of names: with 'en', 'The Beatles' are \
      under B. With 'auto', English and the language of the screen count. With 'none', all articles \
      count. After a change, the unit creates the library again. All albums then count as new, and the \
      music of an absent stick is not in the lists until the stick is plugged in.
      """),
  ]
}

// The keys for phones and remotes.
extension SettingKey {
  static let phones = [
    SettingKey(
      "bluetooth", \.isBluetoothOn, .yesOrNo, effect: .restart, driver: .init(),
      """
      Whether phones can be paired and can control the unit. The default is yes, for two reasons. \
      Without an adapter no device can connect. With an adapter, new devices can be paired only \
      while the pairing window is open.
      """),
    SettingKey(
      "bluetooth-name", \.bluetoothName, ValueFormat.bluetoothName.orNone("empty for Autoharp"),
      driver: .init(),
      """
      The name that phones show for the unit. The default is Autoharp and the last two bytes of the \
      address of the adapter, so that two units are not mistaken for each other.
      """),
    SettingKey(
      "phone-wait", \.phoneWait, .duration(.zero ... .seconds(600)), driver: .init(step: 10),
      """
      How long the unit waits at its start for the phone that played when the power was cut. When \
      this phone connects, the unit tells it to play. After this time the unit stays silent until a \
      person chooses music. 30 s are enough for a phone in the car.
      """),
    SettingKey(
      "play-when-phone-connects", \.playsConnectedPhones, .yesOrNo, driver: .init(),
      """
      Whether the unit tells each phone that connects to play. The default is no, because a phone \
      would interrupt the music of the unit each time that it comes into range. 'play-on-connect' is \
      about a PLAY that the phone sends to the unit.
      """),
    SettingKey(
      "pairing-time", \.pairingTime, .duration(.seconds(10) ... .seconds(600)),
      """
      How long 'bt pair on' opens the pairing window, if the command gives no time. 120 s are \
      enough to find the Bluetooth menu of a phone.
      """),
    SettingKey(
      "pair-without-number", \.pairsWithoutNumber, .yesOrNo,
      """
      Whether a device that cannot show a number may be paired, within the pairing window and \
      after a confirmation at the unit. The default is no, because such a device cannot be \
      distinguished from a device in the next car.
      """),
    SettingKey(
      "dial-phones", \.dialsPhones, .yesOrNo,
      """
      Whether the unit connects to known phones when it starts and after a link is lost. It tries \
      the last used phone first. The default is yes, because few phones and remotes connect by \
      themselves.
      """),
    SettingKey(
      "play-on-connect", \.playOnConnect, .choice,
      """
      What the unit does with a PLAY that a phone sends by itself while it connects. The \
      default is 'ignore': otherwise paused music would start each time such a phone \
      connects. A PLAY that a person presses later always counts.
      """),
    SettingKey(
      "pause-when-phone-leaves", \.pausesWhenPhoneLeaves, .yesOrNo, driver: .init(),
      """
      Whether the music pauses when the last phone disconnects. The default is no, because the \
      music is on the unit and a radio link can be lost at any moment.
      """),
    SettingKey(
      "phone-texts", \.phoneTexts, .choice,
      """
      The length of the titles that phones receive. With 'packet', the unit shortens the texts \
      so that all of them fit into one packet. With 'whole', it does not shorten them. The \
      default is 'packet', because bluetoothd reads beyond the end of a text if the track \
      changes between two packets. 'whole' is for qualification tests.
      """),
  ]
}
