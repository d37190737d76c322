extension SettingKey {
  /// Every key, in groups, in the order of the shipped file.
  public static let groups: [(title: String, keys: [SettingKey])] = [
    ("Music", music), ("Sound", sound), ("Phones", phones), ("Keys", keys), ("The screen", screen),
    ("Covers", covers), ("The unit", unit),
  ]

  /// Every key.
  public static let all = groups.flatMap(\.keys)

  private static let music = [
    SettingKey(
      "music-folder", listOf: \.musicFolders, .path(), atMost: 16,
      """
      Where music is looked for, with everything below it. The first line replaces the \
      folders that were known before, each further one adds one. The defaults are the \
      image's own music, the music on the data partition, and where sticks are mounted; \
      one that is missing is no error.
      """),
    SettingKey(
      "start", \.start, .choice,
      """
      What happens when the unit is switched on: resume goes on where it was, and plays only \
      if it was playing; play plays in any case; paused waits to be asked. resume, because \
      who stopped the music wants it to stay so after the next start of the car.
      """),
    SettingKey(
      "skip-interval", \.skipInterval, .duration(.seconds(1) ... .seconds(300)),
      """
      How far skipping goes, forwards and back. 15 s is a verse or a few sentences: what was \
      missed is heard again, and little more.
      """),
    SettingKey(
      "replay-gain", \.replayGain, .choice,
      """
      Brings tracks to one loudness, by their ReplayGain or R128 tags: track for each, album \
      so that albums keep their own dynamics. off, because then what is heard is what is in \
      the file.
      """),
    SettingKey(
      "language", \.language, .language,
      """
      For whom titles in several languages are shown. und, for undefined, prefers none.
      """),
  ]

  private static let sound = [
    SettingKey(
      "output", \.output,
      .string("ALSA PCM by its name, 'wav:FILE' or 'null'; see 'autoharp --list-outputs'"),
      check: { $0.output($1) },
      """
      Where the sound goes, as 'autoharp play --output' takes it. default is what ALSA's own \
      configuration says; a PCM like hw:0,0 has nothing between the player and the card. wav: is \
      for tests, as it fills the disk as fast as it can.
      """),
    SettingKey(
      "output-period", \.outputPeriodFrames,
      ValueFormat.wholeNumber(16...16384, "frames").orZero("0 for the output's own choice"),
      """
      How much sound goes to the output at a time. Its own choice is 256 frames on a sound \
      card and 512 elsewhere; more saves power, less answers sooner.
      """),
    SettingKey(
      "output-buffer", \.outputBuffer,
      ValueFormat.duration(.milliseconds(5) ... .seconds(2)).orZero(
        "0 for the output's own choice"),
      """
      How much sound the output is given ahead, in whole periods: the delay of every key. Its \
      own choice is two periods on a sound card and 50 ms elsewhere. Raise it if 'audio' \
      counts xruns.
      """),
    SettingKey(
      "output-rate", \.outputRate,
      ValueFormat.wholeNumber(8000...384_000, "Hz").orZero("0 to follow each track"),
      """
      Keeps the output at one rate and in stereo, for a card that has only one; everything is \
      converted to it. 0, because then nothing is.
      """),
    SettingKey(
      "amplifier", \.amplifier,
      ValueFormat.string("'switch:CARD,ELEMENT', 'gpio:CHIP,LINE' or 'gpio:NAME'").orNone(
        "empty for none"),
      check: { checks, value in value.flatMap(checks.amplifier) },
      """
      What mutes the amplifier while the output starts and stops, so that nothing thumps, as \
      'autoharp play --amplifier' takes it. None, because only the builder of the unit knows.
      """),
    SettingKey(
      "amplifier-settle", \.amplifierSettle, .duration(.zero ... .seconds(1)),
      """
      How much silence the card plays before the amplifier is heard, so that its output stands \
      still by then. Each opening of the card takes so much longer, so 20 ms is a compromise; \
      raise it if starting thumps.
      """),
    SettingKey(
      "amplifier-hold", \.amplifierHold, .duration(.zero ... .seconds(1)),
      """
      How much silence the card plays after the amplifier was muted, and before it stops: as \
      long as the amplifier takes to go quiet. Raise it if stopping thumps.
      """),
    SettingKey(
      "start-volume-maximum", \.startVolumeMaximum, .wholeNumber(0...100, "%"),
      """
      The unit is never louder than this when it is switched on. 50 % sounds half as loud as \
      the loudest: nobody wants yesterday's motorway in today's garage.
      """),
    SettingKey(
      "ducking", \.duckingDecibels, .decibels(-60...0),
      """
      What is left of the music under a prompt. -14 dB is a bit more than a third as loud: \
      speech is understood, and the music is still there.
      """),
    SettingKey(
      "chime", \.chime, ValueFormat.path().orNone("empty for none"),
      """
      A FLAC or Ogg Vorbis file that 'chime' plays over the music. None, because none is \
      shipped.
      """),
  ]

  private static let phones = [
    SettingKey(
      "bluetooth", \.isBluetoothOn, .yesOrNo,
      """
      Whether phones can be paired and control the unit. yes: without an adapter it costs nothing, \
      and outside of a pairing window nobody new gets in.
      """),
    SettingKey(
      "pairing-time", \.pairingTime, .duration(.seconds(10) ... .seconds(600)),
      """
      How long 'bt pair on' lets phones be paired, where it does not say how long. 120 s are enough \
      to find the menu of a phone.
      """),
    SettingKey(
      "pair-without-number", \.pairsWithoutNumber, .yesOrNo,
      """
      Whether a remote that can show no number may be paired, within the window and after a yes at \
      the unit. no, because then nobody can tell it from the one in the next car.
      """),
    SettingKey(
      "dial-phones", \.dialsPhones, .yesOrNo,
      """
      Whether known phones are called when the unit starts or a link is lost, the one that was used \
      last first. yes, because few controllers come by themselves.
      """),
    SettingKey(
      "play-on-connect", \.playOnConnect, .choice,
      """
      What becomes of a PLAY that a phone sends by itself while it connects. ignore, because \
      paused music would start whenever such a phone comes near; a PLAY that somebody presses \
      later is always obeyed.
      """),
    SettingKey(
      "pause-when-phone-leaves", \.pausesWhenPhoneLeaves, .yesOrNo,
      """
      Whether the music pauses when the last phone leaves. no, because the music is the unit's own, \
      and a link may fade at every corner.
      """),
    SettingKey(
      "phone-texts", \.phoneTexts, .choice,
      """
      How long titles may be that a phone is told: packet cuts them so that all fit into one, whole \
      does not. packet, because bluetoothd reads beyond a text's end where the track changes \
      between two packets; whole is for a qualification run.
      """),
    SettingKey(
      "radio-times", \.isRadioTimed, .yesOrNo,
      """
      Whether 'latency' also counts from the moment at which a phone's press came off the radio. no, \
      because a helper then looks at all that goes over it, of which it passes on those moments only.
      """),
  ]

  private static let keys = [
    SettingKey(
      "key", listOf: \.keys,
      .string("KEY ACTION, or KEY ACTION on DEVICE, as 'keys' on the console names them"),
      atMost: 128, check: { $0.key($1) },
      """
      What a key or knob is for, beside those that are known: media keys, the keys of phones, and \
      knobs for the volume; one can be for the screen, too. none takes a key's meaning away. None, \
      because nobody knows which codes a steering wheel has; docs/input.md lists keys and actions.
      """),
    SettingKey(
      "key-hold", \.keyHold,
      ValueFormat.duration(.milliseconds(200) ... .seconds(3)).orZero("0 for never"),
      """
      How long a key for next or previous is held until it seeks instead. 500 ms is what phones \
      call a long press. With 0 they act when they are pressed, and not when they are let go.
      """),
  ]

  private static let covers = [
    SettingKey(
      "artwork-folder", \.artworkFolder, ValueFormat.path().orNone("empty for none"),
      """
      Where covers are kept that were found once; made if it is missing, but not the folders \
      above it. In the daemon's folder on the data partition, so that they outlive a power cut.
      """),
    SettingKey(
      "artwork-folder-size", \.artworkFolderSize, .size(1 << 20...4 << 30),
      """
      What the kept covers may take in all. 64 MiB are 128 covers of half a MiB; those that were \
      shown longest ago go first.
      """),
    SettingKey(
      "artwork-folder-files", \.artworkFolderFiles, .wholeNumber(1...100_000, "files"),
      """
      How many files they may be: many small ones make a folder slow.
      """),
    SettingKey(
      "artwork-memory", \.artworkMemory, .size(1 << 18...64 << 20),
      """
      What covers in memory may take. 4 MiB are the current one and the next, with room.
      """),
  ]

  private static let unit = [
    SettingKey(
      "state-folder", \.stateFolder, .path(),
      """
      Where the unit keeps what it remembers: place, volume, repeat. A folder of the daemon's own \
      on the only partition of the image that can be written.
      """),
    SettingKey(
      "control-socket", \.controlSocket, .path(maximumBytes: 107),
      """
      Where the console and the screen find the daemon. In memory, so that no old one is left \
      after a power cut. 107 bytes are what a socket's path may have.
      """),
    SettingKey(
      "log-level", \.logLevel, .choice,
      """
      The least that is worth a line in the log. info says what happened, without a line for \
      each publication.
      """),
    SettingKey(
      "console-shell", \.isConsoleShellAllowed, .yesOrNo,
      """
      Whether 'shell' on the serial console gives a shell. no, because the plug of that \
      console is where anybody can reach it.
      """),
  ]
}
