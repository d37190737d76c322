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

/// The notices about a file with this text.
private func notices(_ text: String) -> [String] {
  configuration(text).notices.map(\.description)
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
    func reason(_ line: String) -> String? {
      let notices = configuration("# one\n\(line)").notices
      return notices.first { $0.line == 2 && $0.file == "a.conf" }?.reason
    }
    #expect(reason("button = more")?.contains("needs what it does") == true)
    #expect(reason("button = shuffle: next")?.contains("stands alone") == true)
    #expect(reason("button = x: frob")?.contains("a button does") == true)
    #expect(reason("button = x y: next")?.contains("a name has") == true)
    #expect(reason("button = x: forward 3 h") != nil)
    #expect(reason("button = x: volume 0") != nil)
    #expect(reason("button-picture = x: Q") != nil)
    #expect(reason("button-picture = shuffle: M0 0z") != nil)
    #expect(reason("button-picture = x: M0 0<script>") != nil)
    #expect(reason("day-begins = 24:00") != nil)
    #expect(reason("day-begins = 7") != nil)
    let six = configuration((1...6).map { "button = b\($0): next" }.joined(separator: "\n"))
    #expect(six.settings.buttons.count == 5, "T2")
    #expect(six.notices.map(\.line) == [6])
  }

  // MARK: Valid files

  @Test func emptyFiles_giveTheDefaults() {
    #expect(configuration().settings == Settings())
    #expect(configuration("").notices.isEmpty)
    #expect(configuration("\n# a comment\n  # another = 1\n\t\n").settings == Settings())
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
      artwork-memory = 512 KiB
      state-folder = /tmp/x
      control-socket = /tmp/y
      log-level = debug
      console-shell = on
      """
    ).settings
    var expected = Settings()
    expected.musicFolders = ["/a, with comma # and more", "/b"]
    expected.start = .play
    expected.skipInterval = .seconds(30)
    expected.replayGain = .album
    expected.language = "de-AT"
    expected.output = "hw:CARD=PCH,DEV=0"
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
    expected.artworkMemory = 512 << 10
    expected.stateFolder = "/tmp/x"
    expected.controlSocket = "/tmp/y"
    expected.logLevel = .debug
    expected.isConsoleShellAllowed = true
    #expect(settings == expected)
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
    #expect(one.notices.count == 2)
    #expect(configuration("music-folder = a").settings.musicFolders == Settings().musicFolders)
  }

  // MARK: Errors

  @Test(arguments: [
    ("start = jump", "it is resume, play or paused; the default resume is used"),
    (
      "start",
      "there is no '=' in it; a line is 'KEY = VALUE', and a comment begins with '#'; ignored"
    ),
    ("= play", "there is no key in front of the '='; ignored"),
    ("strat = play", "there is no such key; did you mean 'start'?; ignored"),
    ("zzz = 1", "there is no such key; ignored"),
    ("Start = play", "there is no such key; did you mean 'start'?; ignored"),
    (
      "skip-interval = 15",
      "it is a number with ms, s or min, as in '15 s'; the default 15 s is used"
    ),
    ("skip-interval = 0 s", "it is a time, 1 s to 5 min; the default 15 s is used"),
    ("skip-interval = -5 s", "it is a time, 1 s to 5 min; the default 15 s is used"),
    ("skip-interval = 1.0005 s", "it is a time, 1 s to 5 min; the default 15 s is used"),
    ("skip-interval = 999999999999999 min", "it is a time, 1 s to 5 min; the default 15 s is used"),
    (
      "skip-interval = 1e1 s",
      "it is a number with ms, s or min, as in '15 s'; the default 15 s is used"
    ),
    (
      "skip-interval = 20 s # more",
      "it is a number with ms, s or min, as in '15 s' (a comment needs a line of its own); "
        + "the default 15 s is used"
    ),
    ("output =", "it may not be empty; the default default is used"),
    ("output = wav:x", "no files here; the default default is used"),
    (
      "output-period = 15",
      "it is a whole number, 16 to 16384 frames; 0 for the output's own choice; the default 0 is used"
    ),
    (
      "output-rate = 99999999999999999999",
      "it is a whole number, 8000 to 384000 Hz; 0 to follow each track; the default 0 is used"
    ),
    ("amplifier = x", "no such switch; the default none is used"),
    ("ducking = 3 dB", "it is a number, -60 to 0 dB; the default -14 dB is used"),
    ("ducking = nan", "it is a number, -60 to 0 dB; the default -14 dB is used"),
    ("chime = chime.flac", "a path begins with '/'; empty for none; the default none is used"),
    (
      "music-folder = music",
      "a path begins with '/'; the default /music, /data/music, /media is used"
    ),
    (
      "artwork-memory = 4 MB",
      "it is a number with KiB, MiB or GiB, as in '64 MiB'; the default 4 MiB is used"
    ),
    ("artwork-memory = 1 KiB", "it is a size, 256 KiB to 64 MiB; the default 4 MiB is used"),
    ("language = d_e", "it is a language tag, as in 'de' or 'en-GB'; the default und is used"),
    ("console-shell = maybe", "it is yes or no; the default no is used"),
    ("start = play\u{7}", "there is a control character in it; ignored"),
  ])
  func wrongLine_isReportedWithItsCauseAndTheValueUsed(_ line: String, _ reason: String) {
    let shown = line.replacing("\u{7}", with: "\u{FFFD}")
    #expect(notices("# one\n\(line)\n") == ["a.conf:2: '\(shown)': \(reason)"])
    #expect(configuration(line).settings == Settings())
    #expect(configuration(line).hasWrongLines)
  }

  @Test func wrongLine_keepsTheEarlierValue() {
    let both = configuration("start = play", "start = x\nlanguage = de\nstart = y\nlanguage = 1 2")
    #expect(both.settings.start == .play)
    #expect(
      both.notices.map(\.instead) == [
        "play of a.conf:1 is used", "play of a.conf:1 is used", "de of b.conf:2 is used",
      ])
  }

  @Test func repeatedKey_usesTheLastLine_withARemark() {
    let one = configuration("start = play\n\nstart = paused")
    #expect(one.settings.start == .paused)
    #expect(
      one.notices.map(\.description)
        == ["a.conf:3: 'start = paused': it stands in line 1 too; this line counts"])
    #expect(!one.hasWrongLines)
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

  @Test func windowsFile_isRead_withRemarks() {
    let one = configuration("\u{FEFF}start = play\r\nlanguage = de\r\n")
    #expect(one.settings.start == .play)
    #expect(one.settings.language == "de")
    #expect(
      one.notices.map(\.description) == [
        "a.conf: it begins with a byte-order mark, which is passed over",
        "a.conf: its lines end in CR LF, as Windows writes them; that is well",
      ])
    #expect(!one.hasWrongLines)
  }

  @Test func utf16File_isReportedOnce() {
    let one = configuration(bytes: [0xFF, 0xFE] + Array("s\0t\0a\0r\0t\0=\0".utf8))
    #expect(
      one.notices.map(\.description)
        == ["a.conf: it is UTF-16, and ignored as a whole; it must be UTF-8"])
  }

  @Test func invalidBytes_areWrongInALine_andIgnoredInAComment() {
    let one = configuration(
      bytes: Array("# Gr\n".utf8) + [0x23, 0xFC, 10] + Array("chime = /".utf8) + [0xFC, 10]
        + Array("start = pl".utf8) + [0] + Array("ay\nlanguage = de".utf8))
    #expect(
      one.notices.map(\.description) == [
        "a.conf:3: 'chime = /\u{FFFD}': it is not UTF-8; ignored",
        "a.conf:4: 'start = pl\u{FFFD}ay': there is a zero byte in it; ignored",
      ])
    #expect(one.settings.language == "de")
  }

  @Test func longLine_isIgnored() {
    let one = configuration("chime = /" + String(repeating: "x", count: 4088) + "\nstart = play")
    #expect(one.settings.chime == nil)
    #expect(one.settings.start == .play)
    #expect(one.notices[0].reason == "the line is longer than 4096 bytes; ignored")
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
    #expect(
      beyond.notices.map(\.description)
        == ["a.conf: it is larger than 256 KiB; what comes behind that is ignored"])
    let one = configuration(bytes: [UInt8](repeating: 120, count: 300 << 10))
    #expect(one.settings == Settings())
    #expect(one.hasWrongLines)
  }

  @Test func manyWrongLines_areCounted() {
    let one = configuration(String(repeating: "x\n", count: 1000) + "start = play")
    #expect(one.notices.count == 101)
    #expect(one.notices[100].description == "a.conf: 900 more lines are wrong, and ignored")
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
      // The table is a valid configuration with the same settings.
      let again = configuration(
        SettingKey.all.flatMap { key in
          let texts = key.texts(one.settings)
          return (texts.isEmpty ? [""] : texts).map { "\(key.name) = \($0)" }
        }.joined(separator: "\n"))
      #expect(again.settings == one.settings)
    }
  }

  // MARK: Files

  @Test func missingFile_isAnError_onlyIfItWasNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none.conf")
    #expect(Configuration(files: [path], checks: checks).notices.isEmpty)
    #expect(
      Configuration(files: [path], isNamed: true, checks: checks).notices.map(\.description)
        == ["\(path): it cannot be read: No such file or directory; ignored"])
  }

  @Test func unreadableFile_isReported_andTheOthersAreUsed() throws {
    let folder = try TemporaryFolder()
    try folder.write("good.conf", Array("start = play\n".utf8))
    #expect(mkfifo(folder.path("pipe.conf"), 0o644) == 0)
    #expect(symlink("loop.conf", folder.path("loop.conf")) == 0)
    let files = ["good.conf", "pipe.conf", "loop.conf", ""].map(folder.path)
    let one = Configuration(files: files, checks: checks)
    #expect(one.settings.start == .play)
    #expect(
      one.notices.map(\.description) == [
        "\(files[1]): it is not a file, and ignored",
        "\(files[2]): it cannot be read: Too many levels of symbolic links; ignored",
        "\(files[3]): it is not a file, and ignored",
      ])
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
    #expect(lines.contains("music-folder = /b (a.conf:2,3)"))
    #expect(lines.contains("chime = /c.flac (a.conf:1)"))
    #expect(lines.contains("skip-interval = 15 s (default)"))
    #expect(lines.contains("amplifier = (default)"))
    let settings = configuration("music-folder = /a\nmusic-folder = /b").settings
    #expect(lines.count == SettingKey.all.reduce(0) { $0 + max(1, $1.texts(settings).count) })
  }
}
