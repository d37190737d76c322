import Console
import Foundation
import Reports
import TestKit
import Testing

/// Every command of the console, typed on a terminal with a running daemon, and its output.
@Suite(.serialized) struct TranscriptTests {
  /// A line to type.
  private struct Line {
    let text: String
    /// The effect of an earlier command can appear late. So the test types this line repeatedly until the reply
    /// contains these words. Such a line changes nothing.
    var words: [String] = []
    /// If false, all numbers are masked, because they depend on the time or the machine.
    var numbers = true
    /// Keys to type when the words `after` appear: an answer, or Ctrl-C.
    var keys: (String, after: String)?

    init(
      _ text: String, _ words: [String] = [], numbers: Bool = true,
      keys: (String, after: String)? = nil
    ) {
      self.text = text
      self.words = words
      self.numbers = numbers
      self.keys = keys
    }
  }

  /// The sessions, each with its golden file. Add a new command of the grammar to a session.
  private static let sessions: [String: [Line]] = [
    "looking": [
      // A mount of another test lets the daemon search its folders again. The search must have ended.
      Line("version"), Line("config"), Line("storage", ["✓  files"], numbers: false),
      Line("trace"), Line("latency"), Line("boot", numbers: false),
      Line("status", ["✓  files"], numbers: false), Line("audio", numbers: false),
      Line("diagnose --details", ["✓  music"], numbers: false),
      Line("diagnose artwork"), Line("log", numbers: false),
      Line("log -f", numbers: false, keys: ("\u{3}", after: "local is Now Playing\n")),
    ],
    "playing": [
      Line("now"), Line("queue"), Line("repeat all"), Line("repeat"), Line("shuffle"),
      Line("volume 40"), Line("volume down"), Line("volume"), Line("mute"), Line("mute"),
      Line("rate"), Line("play"), Line("now", ["playing", "of 1:00"], numbers: false),
      Line("pause"), Line("now", ["paused"], numbers: false),
      Line("toggle"), Line("now", ["playing"], numbers: false),
      Line("toggle"), Line("now", ["paused"], numbers: false),
      Line("seek 0:40"), Line("now", ["0:40 of 1:00"]), Line("skip -10"),
      Line("now", ["0:30 of 1:00"]), Line("skip back 5"),
      Line("next"), Line("queue", ["> 2  b"]), Line("previous"), Line("queue", ["> 1  a"]),
      Line("shuffle on"), Line("shuffle off"), Line("chime"), Line("interrupt begin call"),
      Line("now", ["held by"]), Line("play"), Line("interrupt end call"),
      Line("duck begin prompt --for 5:00"),
      Line("duck begin prompt"), Line("duck end prompt"), Line("stop"), Line("rate 2"),
      Line("interrupt begin"),
    ],
    "sound": [
      Line("play"), Line("trace", ["heard after"], numbers: false),
      Line("status", ["of 1:00"], numbers: false), Line("audio", numbers: false),
      // Wait until the latency of `pause` is measured. Otherwise an event of this command could appear while the trace
      // is on.
      Line("pause"), Line("latency", ["pause"], numbers: false),
      Line("trace on", numbers: false), Line("trace off"),
    ],
    "library": [
      Line("library", ["✓", "3 songs"]), Line("artists"), Line("albums"), Line("albums music"),
      Line("albums m"), Line("folders"), Line("folders music"), Line("folders music/none"),
      Line("browse songs"), Line("browse songs b"), Line("browse songs --all"),
      Line("browse genres"), Line("browse composers"), Line("find b"), Line("find b c"),
      Line("find -"), Line("find"), Line("find muisc", keys: ("n\r", after: misspelt)),
      Line("find muisc", keys: ("\r", after: misspelt)),
      Line("albums musik", keys: ("\r", after: misspelt)), Line("library scan"),
      Line("library scan mu"),
      Line("library read other"), Line("library forget music"), Line("play none"),
      Line("play muisc", keys: ("y\r", after: misspelt)), Line("queue", ["> 1  a"]),
      Line("play b"), Line("queue", ["> 2  b"]), Line("play --next songs"), Line("play c --last"),
      Line("queue 1"),
      Line("queue move 4 2"), Line("queue remove 1"), Line("queue"), Line("queue undo"),
      Line("queue undo"), Line("queue 1"), Line("jump 2"), Line("queue", ["> 2"]),
      Line("queue clear"), Line("queue"), Line("queue remove 7"), Line("play albums"),
      Line("queue"), Line("recent", numbers: false), Line("recent 9"), Line("recent 1"),
      Line("source none"), Line("source music"),
    ],
    // This session runs without the library, because the playlists of the unit do not need the library.
    "playlists": [
      Line("playlists"), Line("queue save Road trip"), Line("queue save road trip"),
      Line("playlist road trip"), Line("like"), Line("playlists"),
      Line("playlist add 'Road trip'"), Line("playlist add --again 'road trip'"),
      Line("playlist add Work road trip"), Line("playlist add favourites"),
      Line("playlist raod trip", keys: ("\r", after: "Did you mean \"Road trip\"? [Y/n] ▏")),
      Line("playlist remove 2 work"), Line("playlist remove 9 work"), Line("playlist work"),
      Line("playlist rename work 'At work'"), Line("playlist rename none other"),
      Line("playlist add 'At work' nothing"), Line("play at work"), Line("queue", ["> 1"]),
      Line("queue save At work"), Line("queue save a/b"),
      Line("playlist delete at work", keys: ("n\r", after: deletion)),
      Line("playlist delete at work", keys: ("y\r", after: deletion)),
      Line("playlist at work"), Line("play at work"), Line("like off"),
      Line("playlist favourites"), Line("playlist"), Line("playlist rename favourites b"),
      Line("stars"), Line("stars 3.5"), Line("stars 6"), Line("bookmark"), Line("dislike"),
      Line("like"), Line("now", ["marks"], numbers: false), Line("playlist bookmarks"),
      Line("bookmark off"), Line("playlist bookmarks"), Line("playlist rename bookmarks b"),
    ],
    "phones": [
      Line("bt", numbers: false), Line("bt pair on"), Line("bt accept"), Line("bt phones"),
      Line("bt forget 00:11:22:33:44:55"), Line("bt connect 00:11:22:33:44:55"),
      Line("bt nonsense"), Line("keys", numbers: false),
    ],
    "settings": [
      Line("config set replay-gain album"), Line("config set phone-wait 45 s"),
      Line("config set bluetooth no"), Line("config set replay-gain loud"),
      Line("config set replay-gian album"), Line("config set ducking -10 dB"),
      Line("config set state-folder /tmp"), Line("config set replay-gain"),
      Line("config reset phone-wait"), Line("config reset nothing"), Line("config nonsense"),
    ],
    "machine": [
      Line("reboot", keys: ("n\r", after: question(.reboot))),
      Line("poweroff", keys: ("\r", after: question(.poweroff))),
      Line("data check"),
      Line("data erase", keys: ("yes\r", after: question(.data(.erase)))),
      Line("data erase", keys: ("erase\r", after: question(.data(.erase)))),
      Line("data format"), Line("shell"), Line("service"), Line("service restart screen"),
      Line("stick remount none"), Line("report stick"), Line("screen"), Line("devices"),
      Line("top", numbers: false),
      Line("clock", numbers: false), Line("clock set nonsense"), Line("sound test"),
    ],
  ]

  private static let misspelt = "Did you mean \"music\"? [Y/n] ▏"
  private static let deletion = question(.playlist(.delete("at work")))

  private static func question(_ command: ConsoleCommand) -> String {
    (command.confirmation?.question ?? "") + "▏"
  }

  /// A unit with three tracks.
  private func home(_ lines: [String] = []) throws -> ServeProcess.Home {
    let home = try ServeProcess.Home()
    try home.configure(["chime = \(home.folder.path("chime.flac"))"] + lines)
    for name in ["a", "b", "c"] { try home.music(name, seconds: 60) }
    try GeneratedMusic(channels: 1, rate: 8000, frames: 800).flac(home.folder, "chime.flac")
    _ = try home.folder.writeScript("shell", "echo the shell is over")
    return home
  }

  private func start(_ home: ServeProcess.Home) throws -> ServeProcess {
    let daemon = try ServeProcess(
      home,
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.folder.path("no-bus"))"])
    #expect(daemon.waits(for: .musicFound) != nil, "\(daemon.log)")
    // The music that was found is Now Playing one turn later.
    #expect(daemon.waits(for: .playbackTaken) != nil, "\(daemon.log)")
    return daemon
  }

  /// Types the line until its reply contains its words. Only the last reply belongs to the transcript.
  private func reply(_ line: Line, _ console: ConsoleTerminal) throws -> ArraySlice<String> {
    let end = ContinuousClock.now + Hang.limit
    while true {
      let reply = try console.ask(line.text)
      let text = reply.joined(separator: "\n")
      if line.words.allSatisfy(text.contains) { return reply }
      try #require(ContinuousClock.now < end, "\(line.words) did not come: \(text)")
    }
  }

  @Test func everyCommand_hasATranscript() {
    let typed = Set(
      Self.sessions.values.joined().compactMap { $0.text.split(separator: " ").first })
    // `quit` ends each session. Another golden file holds the help (`HelpTextTests`). `report` has all pages of the
    // machine that runs the tests.
    let missing = Grammar.autoharp.commands.map(\.name)
      .filter { !typed.contains($0[...]) && !["quit", "help", "report"].contains($0) }
    #expect(missing == [], "add a line to a session")
  }

  @Test(arguments: sessions.keys.sorted())
  func session_matchesItsGoldenFile(_ name: String) throws {
    let folder = try TemporaryFolder()
    let library = ["library = yes", "library-folder = \(folder.path("library"))"]
    let home = try home(["console-shell = yes"] + (name == "library" ? library : []))
    let daemon = try start(home)
    let console = try ConsoleTerminal(home)
    var transcript = Transcript(home)
    for line in try #require(Self.sessions[name]) {
      if let keys = line.keys {
        transcript.add(try console.ask(line.text, prompt: keys.after), numbers: line.numbers)
        transcript.add(try console.press(keys.0), numbers: line.numbers)
        continue
      }
      transcript.add(try reply(line, console), numbers: line.numbers)
    }
    try transcript.check(name)
    #expect(console.faults == [])
    #expect(console.ends("quit\r"))
    #expect(daemon.end() == 0)
  }
}
