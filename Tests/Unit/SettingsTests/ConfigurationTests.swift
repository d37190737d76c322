import Foundation
import TestKit
import Testing

@testable import Settings

private let checks = SettingChecks(
  output: { $0.hasPrefix("wav:") ? "no files here" : nil },
  amplifier: { $0.hasPrefix("switch:") ? nil : "no such switch" })

private func configuration(_ texts: String...) -> Configuration {
  Configuration(
    texts.enumerated().map {
      .init(name: "\("abc".map(String.init)[$0]).conf", bytes: Array($1.utf8))
    },
    checks: checks)
}

private func configuration(bytes: [UInt8]) -> Configuration {
  Configuration([.init(name: "a.conf", bytes: bytes)], checks: checks)
}

private func key(_ name: String) throws -> SettingKey {
  try #require(SettingKey.all.first { $0.name == name })
}

@Suite struct ConfigurationTests {
  // MARK: The screen's buttons

  @Test func buttons_areReadInOrder_withTheirPictures() {
    let settings = configuration(
      """
      button = shuffle
      button = skip30: forward 30 s
      button = add :  bookmark
      button = louder: volume +5 %
      button = folder: next-folder
      button-picture = folder: /data/folder.png
      button-picture = louder: M4 20V4h2z
      day-begins = 6:30
      screen-diagonal = 7.5 inches
      """
    ).settings
    #expect(
      settings.buttons == [
        ScreenButton(kind: .shuffle),
        ScreenButton(kind: .image("skip30"), command: .forward(.seconds(30))),
        ScreenButton(kind: .add, command: .bookmark),
        ScreenButton(kind: .image("louder"), command: .volume(5)),
        ScreenButton(kind: .image("folder"), command: .nextFolder),
      ])
    #expect(
      settings.buttonPictures.map(\.source) == [.file("/data/folder.png"), .svgPath("M4 20V4h2z")])
    #expect(settings.dayBegins == 390)
    #expect(settings.screenDiagonal == 7.5)
    #expect(configuration("button =").settings.buttons.isEmpty, "none at all")
  }

  @Test func wrongButtons_areReportedWithFileAndLine() {
    func cause(_ line: String) -> SettingsNotice.Cause? {
      let notices = configuration("# one\n\(line)").notices
      return notices.first { $0.line == 2 && $0.file == "a.conf" }?.cause
    }
    #expect(cause("button = more") == .missingCommand)
    #expect(cause("button = shuffle: next") == .unexpectedCommand)
    #expect(cause("button = x: frob") == .unknownCommand)
    #expect(cause("button = x y: next") == .invalidName)
    #expect(cause("button = x: forward 3 h") == .invalidValue)
    #expect(cause("button = x: volume 0") == .invalidValue)
    #expect(cause("button-picture = x: Q") == .invalidValue)
    #expect(cause("button-picture = shuffle: M0 0z") == .invalidValue)
    #expect(cause("button-picture = x: M0 0<script>") == .invalidValue)
    #expect(cause("day-begins = 24:00") == .invalidValue)
    #expect(cause("day-begins = 7") == .invalidValue)
    let six = configuration((1...6).map { "button = b\($0): next" }.joined(separator: "\n"))
    #expect(six.settings.buttons.count == 5, "T2")
    #expect(six.notices.map(\.line) == [6] && six.notices.map(\.cause) == [.fullList])
  }

  // MARK: Valid files

  @Test func emptyFiles_giveTheDefaults() {
    #expect(configuration().settings == Settings())
    #expect(configuration("").notices.isEmpty)
    #expect(configuration("\n# a comment\n  # another = 1\n\t\n").settings == Settings())
  }

  @Test func automaticLight_followsWhatTheCarHas() {
    let (line, sensor) = ("headlight-line = HEADLIGHTS", "light-sensor = /sys/light")
    let clock = "screen-light = clock"
    #expect(configuration("").settings.lightRule == .clock)
    #expect(configuration(sensor).settings.lightRule == .sensor)
    #expect(configuration("\(sensor)\n\(line)").settings.lightRule == .headlights)
    #expect(configuration("\(line)\n\(clock)").settings.lightRule == .clock)
  }

  @Test func everyKindOfValue_isRead() {
    let settings = configuration(
      """
      music-folder = /a, with comma # and more
      music-folder=/b
        start   =   play
      skip-interval = 0.5 min
      replay-gain = album
      language = de-AT
      output = hw:CARD=PCH,DEV=0
      output-latency = rewind
      output-period = 512 frames
      output-buffer = 62.5s
      output-buffer = 100ms
      output-rate = 48000
      amplifier = switch:hw:0,Master
      amplifier-settle = 0 s
      amplifier-hold = 1 s
      start-volume-maximum = 70%
      ducking = -2.5
      chime = /data/ü.flac
      bluetooth = no
      pairing-time = 1 min
      pair-without-number = yes
      dial-phones = no
      play-on-connect = obey
      pause-when-phone-leaves = yes
      phone-texts = whole
      artwork-folder =
      artwork-folder-size = 1.5 GiB
      artwork-folder-files = 10
      state-folder = /tmp/x
      control-socket = /tmp/y
      log-level = debug
      console-shell = on
      library-articles = en  fr en
      """
    ).settings
    var expected = Settings()
    expected.musicFolders = ["/a, with comma # and more", "/b"]
    expected.start = .play
    expected.skipInterval = .seconds(30)
    expected.replayGain = .album
    expected.language = "de-AT"
    expected.output = "hw:CARD=PCH,DEV=0"
    expected.outputLatency = .rewind
    expected.outputPeriodFrames = 512
    expected.outputBuffer = .milliseconds(100)
    expected.outputRate = 48000
    expected.amplifier = "switch:hw:0,Master"
    expected.amplifierSettle = .zero
    expected.amplifierHold = .seconds(1)
    expected.startVolumeMaximum = 70
    expected.duckingDecibels = -2.5
    expected.chime = "/data/ü.flac"
    expected.isBluetoothOn = false
    expected.pairingTime = .seconds(60)
    expected.pairsWithoutNumber = true
    expected.dialsPhones = false
    expected.playOnConnect = .obey
    expected.pausesWhenPhoneLeaves = true
    expected.phoneTexts = .whole
    expected.artworkFolder = nil
    expected.artworkFolderSize = 3 << 29
    expected.artworkFolderFiles = 10
    expected.stateFolder = "/tmp/x"
    expected.controlSocket = "/tmp/y"
    expected.logLevel = .debug
    expected.isConsoleShellAllowed = true
    expected.libraryArticles = .languages([.en, .fr])
    #expect(settings == expected)
  }

  @Test(arguments: [
    ("", ["en"]), ("language = de-AT", ["en", "de"]), ("language = en-GB", ["en"]),
    ("language = de\nscreen-language = fr", ["en", "fr"]),
    ("language = de\nlibrary-articles = none", []), ("library-articles = it de", ["de", "it"]),
    ("library-articles = none\nlibrary-articles = auto", ["en"]),
  ])
  func articles_areThoseOfTheScreen_orOfTheKey(_ lines: String, _ languages: [String]) {
    #expect(configuration(lines).settings.articleLanguages == languages)
  }

  @Test func laterFile_overridesKeyByKey_andIsTheOrigin() throws {
    let both = configuration("start = play\nlanguage = de", "\nstart = paused")
    #expect(both.settings.start == .paused)
    #expect(both.settings.language == "de")
    #expect(both.notices.isEmpty)
    #expect(both.origin(of: try key("start")).description == "b.conf:2")
    #expect(both.origin(of: try key("language")).description == "a.conf:2")
    #expect(both.origin(of: try key("output")).description == "default")
  }

  @Test func listOfALaterFile_replacesTheWholeList() throws {
    let both = configuration("music-folder = /a\nmusic-folder = /b", "music-folder = /c")
    #expect(both.settings.musicFolders == ["/c"])
    let one = configuration("music-folder = /a\nmusic-folder = /b")
    #expect(one.settings.musicFolders == ["/a", "/b"])
    #expect(one.notices.isEmpty)
    #expect(one.origin(of: try key("music-folder")).description == "a.conf:1,2")
    let none = configuration("music-folder = /a\nmusic-folder =")
    #expect(none.settings.musicFolders == [])
    let again = configuration("music-folder =\nmusic-folder = /a")
    #expect(again.settings.musicFolders == ["/a"])
  }

  @Test func wrongLineOfAList_keepsTheOtherLines() {
    let one = configuration("music-folder = a\nmusic-folder = /b\nmusic-folder = /b")
    #expect(one.settings.musicFolders == ["/b"])
    #expect(one.notices.map(\.cause) == [.invalidValue, .duplicateValue])
    #expect(configuration("music-folder = a").settings.musicFolders == Settings().musicFolders)
  }

  // MARK: Errors

  /// Wrong lines, each with the cause in its notice and the default value that is used instead. The value is nil if the
  /// notice names no value.
  @Test(
    arguments: [
      ("start = jump", .invalidValue, "resume"),
      ("start", .noEqualsSign, nil),
      ("= play", .noKey, nil),
      ("strat = play", .unknownKey(nearest: "start"), nil),
      ("zzz = 1", .unknownKey(nearest: nil), nil),
      // This key existed in earlier versions.
      ("artwork-memory = 4 MiB", .unknownKey(nearest: nil), nil),
      ("Start = play", .unknownKey(nearest: "start"), nil),
      ("skip-interval = 15", .invalidValue, "15 s"),
      ("skip-interval = 0 s", .invalidValue, "15 s"),
      ("skip-interval = -5 s", .invalidValue, "15 s"),
      ("skip-interval = 1.0005 s", .invalidValue, "15 s"),
      ("skip-interval = 999999999999999 min", .invalidValue, "15 s"),
      ("skip-interval = 1e1 s", .invalidValue, "15 s"),
      ("skip-interval = 20 s # more", .commentInValue, "15 s"),
      ("output =", .invalidValue, "default"),
      ("output = wav:x", .invalidValue, "default"),
      ("output-period = 15", .invalidValue, "0"),
      ("output-rate = 99999999999999999999", .invalidValue, "0"),
      ("amplifier = x", .invalidValue, "none"),
      ("ducking = 3 dB", .invalidValue, "-14 dB"),
      ("ducking = nan", .invalidValue, "-14 dB"),
      ("chime = chime.flac", .invalidValue, "none"),
      ("music-folder = music", .invalidValue, "/music, /data/music, /media"),
      ("artwork-folder-size = 4 MB", .invalidValue, "64 MiB"),
      ("artwork-folder-size = 1 KiB", .invalidValue, "64 MiB"),
      ("language = d_e", .invalidValue, "und"),
      ("library-articles =", .invalidValue, "auto"),
      ("library-articles = en, de", .invalidValue, "auto"),
      ("console-shell = maybe", .invalidValue, "no"),
      ("start = play\u{7}", .controlCharacter, nil),
    ] as [(String, SettingsNotice.Cause, String?)])
  func wrongLine_isReportedWithItsCauseAndTheValueUsed(
    _ line: String, _ cause: SettingsNotice.Cause, _ value: String?
  ) throws {
    let notices = configuration("# one\n\(line)\n").notices
    let notice = try #require(notices.first)
    #expect(notices.count == 1 && notice.line == 2 && notice.kind == .wrong)
    #expect(notice.cause == cause)
    let fallback = value.map { SettingsNotice.Fallback(value: $0, origin: .standard) }
    #expect(notice.fallback == fallback)
    let shown = line.replacing("\u{7}", with: "\u{FFFD}")
    #expect(notice.description.hasPrefix("a.conf:2: '\(shown)': \(notice.reason)"))
    #expect(configuration(line).settings == Settings())
    #expect(configuration(line).hasWrongLines)
  }

  /// The reason in the notice about a wrong value names the values that the key permits. For a value that a function of
  /// `SettingChecks` checks, the notice contains the reason that this function returns.
  @Test(arguments: [
    ("start = jump", "resume, play or paused"), ("skip-interval = 0 s", "1 s to 5 min"),
    ("output = wav:x", "no files here"), ("output-period = 15", "16 to 16384 frames"),
    ("ducking = nan", "-60 to 0 dB"), ("artwork-folder-size = 1 KiB", "1 MiB to 4 GiB"),
    ("library-articles = en nl", "unknown language 'nl'; known are de, en, es, fr, it"),
  ])
  func wrongValue_reasonNamesThePermittedValues(_ line: String, _ values: String) {
    #expect(configuration(line).notices.first?.reason.contains(values) == true)
  }

  @Test func consolePassword_isRead_andIsNeverShown() throws {
    let password = "garage 7 door"
    let right = configuration("console-password = \(password)")
    #expect(right.settings.consolePassword == password)
    #expect(!right.rows.contains { $0.values.joined().contains("door") })
    for line in [
      "console-password = door", "console-pasword = \(password)", "Console-Password=\(password)",
      "console-password \(password)",
      "console-password = \(password)\nconsole-password = \(password)",
    ] {
      let notices = configuration(line).notices
      #expect(notices.count == 1, "\(line)")
      #expect(!notices.map(\.description).joined().contains("door"), "\(line)")
    }
  }

  @Test func wrongLine_keepsTheEarlierValue() {
    let both = configuration("start = play", "start = x\nlanguage = de\nstart = y\nlanguage = 1 2")
    #expect(both.settings.start == .play)
    let play = SettingsNotice.Fallback(value: "play", origin: .lines(file: "a.conf", [1]))
    let german = SettingsNotice.Fallback(value: "de", origin: .lines(file: "b.conf", [2]))
    #expect(both.notices.map(\.fallback) == [play, play, german])
  }

  @Test func repeatedKey_usesTheLastLine_withARemark() {
    let one = configuration("start = play\n\nstart = paused")
    #expect(one.settings.start == .paused)
    #expect(one.notices.map(\.line) == [3] && one.notices.map(\.kind) == [.remark])
    #expect(one.notices.map(\.cause) == [.repeatedKey(line: 1)])
    #expect(!one.hasWrongLines)
  }

  /// A key of an earlier version that has no effect any more is not an error, whatever its value.
  @Test(arguments: SettingKey.withoutEffect.keys.sorted())
  func keyWithoutEffect_isARemarkWithTheReason(_ name: String) throws {
    let one = configuration("start = play\n\(name) = yes\nlanguage = de")
    #expect(one.settings.start == .play && one.settings.language == "de")
    #expect(!one.hasWrongLines && one.notices.count == 1)
    let notice = try #require(one.notices.first)
    #expect(notice.kind == .remark && notice.cause == .keyWithoutEffect && notice.line == 2)
    let reason = try #require(SettingKey.withoutEffect[name])
    #expect(notice.reason.contains("does nothing any more, because \(reason)"))
    #expect(SettingKey.named[name] == nil, "the name is not used again")
  }

  @Test func socketPath_isLimitedToTheLengthOfASocketAddress() {
    let longest = "/" + String(repeating: "x", count: 106)
    #expect(configuration("control-socket = \(longest)").settings.controlSocket == longest)
    #expect(configuration("control-socket = \(longest)x").hasWrongLines)
  }

  @Test func listBeyondItsLimit_isTruncated() {
    let lines = (1...17).map { "music-folder = /\($0)" }
    let one = configuration(lines.joined(separator: "\n"))
    #expect(one.settings.musicFolders.count == 16)
    #expect(one.notices.map(\.line) == [17])
  }

  // MARK: Bytes

  @Test func windowsFile_isRead() {
    let one = configuration("\u{FEFF}start = play\r\nlanguage = de\r\n")
    #expect(one.settings.start == .play)
    #expect(one.settings.language == "de")
    #expect(one.notices.map(\.cause) == [.byteOrderMark])
    #expect(one.notices.map(\.line) == [nil])
    #expect(!one.hasWrongLines)
  }

  @Test func utf16File_isReportedOnce() {
    let one = configuration(bytes: [0xFF, 0xFE] + Array("s\0t\0a\0r\0t\0=\0".utf8))
    #expect(one.notices.map(\.cause) == [.utf16])
  }

  @Test func invalidBytes_areWrongInALine_andIgnoredInAComment() {
    let one = configuration(
      bytes: Array("# Gr\n".utf8) + [0x23, 0xFC, 10] + Array("chime = /".utf8) + [0xFC, 10]
        + Array("start = pl".utf8) + [0] + Array("ay\nlanguage = de".utf8))
    #expect(one.notices.map(\.line) == [3, 4])
    #expect(one.notices.map(\.text) == ["chime = /\u{FFFD}", "start = pl\u{FFFD}ay"])
    #expect(one.notices.map(\.cause) == [.notUTF8, .zeroByte])
    #expect(one.settings.language == "de")
  }

  @Test func longLine_isIgnored() {
    let one = configuration("chime = /" + String(repeating: "x", count: 4088) + "\nstart = play")
    #expect(one.settings.chime == nil)
    #expect(one.settings.start == .play)
    #expect(one.notices.map(\.cause) == [.longLine])
    #expect(one.notices[0].text.count == 81)
  }

  @Test func largeText_isReadUpToTheLimit() {
    let line = "# " + String(repeating: "x", count: 61) + "\n"
    let large = String(repeating: line, count: 4095) + "start = play\n"
    let whole = configuration(large)
    #expect(whole.settings.start == .play)
    #expect(whole.notices.isEmpty)
    let beyond = configuration(large + String(repeating: " ", count: 60) + "language = de\n")
    #expect(beyond.settings.start == .play)
    #expect(beyond.settings.language == "und")
    #expect(beyond.notices.map(\.cause) == [.largeFile])
    let one = configuration(bytes: [UInt8](repeating: 120, count: 300 << 10))
    #expect(one.settings == Settings())
    #expect(one.hasWrongLines)
  }

  @Test func manyWrongLines_areCounted() {
    let one = configuration(String(repeating: "x\n", count: 1000) + "start = play")
    #expect(one.notices.count == 101)
    #expect(one.notices[100].cause == .moreWrongLines(900))
    #expect(one.settings.start == .play)
  }

  @Test func randomBytes_neverCrash_andValuesStayInTheirRange() {
    var random = SystemRandomNumberGenerator()
    let names = SettingKey.all.map(\.name)
    let pieces = [
      "= ", " ", "\n", "0", "-1", "9999999999999999", ".", " ms", "/", "#", "\u{FEFF}", "\r\n",
    ]
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes += Array((names.randomElement() ?? "").utf8)
        case 1: bytes.append(.random(in: 0...255))
        default: bytes += Array((pieces.randomElement() ?? "").utf8)
        }
      }
      let one = configuration(bytes: bytes)
      #expect((0...100).contains(one.settings.startVolumeMaximum))
      #expect(one.settings.skipInterval >= .seconds(1))
      #expect(one.notices.count <= 103)
      // The table of all values is a valid configuration with the same settings.
      let again = configuration(
        SettingKey.all.flatMap { key in
          let texts = key.texts(one.settings)
          return (texts.isEmpty ? [""] : texts).map { "\(key.name) = \($0)" }
        }.joined(separator: "\n"))
      // The table does not contain the password.
      var (left, right) = (again.settings, one.settings)
      (left.consolePassword, right.consolePassword) = (nil, nil)
      #expect(left == right)
    }
  }

  // MARK: Files

  @Test func missingFile_isAnError_onlyIfItWasNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none.conf")
    #expect(Configuration(files: [path], checks: checks).notices.isEmpty)
    let notices = Configuration(files: [path], isNamed: true, checks: checks).notices
    #expect(notices.map(\.file) == [path] && notices.map(\.cause) == [.unreadable(ENOENT)])
  }

  @Test func unreadableFile_isReported_andTheOthersAreUsed() throws {
    let folder = try TemporaryFolder()
    try folder.write("good.conf", Array("start = play\n".utf8))
    #expect(mkfifo(folder.path("pipe.conf"), 0o644) == 0)
    #expect(symlink("loop.conf", folder.path("loop.conf")) == 0)
    let files = ["good.conf", "pipe.conf", "loop.conf", ""].map(folder.path)
    let one = Configuration(files: files, checks: checks)
    #expect(one.settings.start == .play)
    #expect(one.notices.map(\.file) == Array(files.dropFirst()))
    #expect(one.notices.map(\.cause) == [.notAFile, .unreadable(ELOOP), .notAFile])
  }

  @Test func largeFile_isReadUpToTheLimit() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "large.conf", Array("start = play\n".utf8) + [UInt8](repeating: 10, count: 1 << 20))
    let one = Configuration(files: [folder.path("large.conf")], checks: checks)
    #expect(one.settings.start == .play)
    #expect(one.notices.map(\.line) == [nil])
  }

  // MARK: Table

  @Test func table_showsValuesAndOrigins() {
    let table = configuration("chime = /c.flac\nmusic-folder = /a\nmusic-folder = /b").table
    #expect(table[0].hasPrefix("music-folder = /a"))
    let lines = table.map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    #expect(lines.contains("music-folder = /b (owner, a.conf:2,3)"))
    #expect(lines.contains("chime = /c.flac (owner, a.conf:1)"))
    #expect(lines.contains("skip-interval = 15 s (default)"))
    #expect(lines.contains("amplifier = (default)"))
    let settings = configuration("music-folder = /a\nmusic-folder = /b").settings
    #expect(lines.count == SettingKey.all.reduce(0) { $0 + max(1, $1.texts(settings).count) })
  }

  @Test func keysThatWaitForARestart_areNamed() {
    let old = configuration("start = play\nlibrary-articles = en").settings
    let new = configuration("start = paused\nlibrary-articles = none\noutput = null").settings
    #expect(SettingKey.waitingForRestart(new, after: old) == ["library-articles", "output"])
    #expect(SettingKey.waitingForRestart(new, after: new).isEmpty)
  }
}
