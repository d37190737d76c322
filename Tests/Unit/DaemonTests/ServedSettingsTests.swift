import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

/// The settings of the driver in a real daemon, also across restarts.
@Suite struct ServedSettingsTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home()
    try home.music("a", seconds: 60)
  }

  private func start() throws -> (ServeProcess, ControlClient) {
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound) != nil, "\(daemon.log)")
    return (daemon, try client())
  }

  private func set(_ client: ControlClient, _ key: String, _ value: String) throws {
    _ = try answer { client.call(Settings1.set, SettingChange(key, to: value), $0) }.get()
  }

  private func value(_ client: ControlClient, _ key: String) throws -> String? {
    try answer { client.call(Settings1.state.get, $0) }.get().setting(key)?.value
  }

  @Test func changes_applyAtOnce() throws {
    let (daemon, client) = try start()
    var revisions: [Int] = []
    client.onSettings = { revisions.append($0.revision) }
    client.subscribeToSettings()
    try set(client, "skip-interval", "40 s")
    try set(client, "language", "de")
    try loop.turn {
      let state = try? answer { client.call(NowPlaying1.state.get, $0) }.get()
      let skip = state?.commands.first { $0.kind == .skipForward }
      guard case .intervals(let intervals)? = skip?.parameters else { return false }
      return intervals == [.seconds(40)] && state?.language == "de"
    }
    #expect(revisions == revisions.sorted() && revisions.count == 3)
    #expect(client.settings?.setting("language")?.source == .driver)
    #expect(!daemon.logged(.configurationNeedsRestart))
    try set(client, "bluetooth", "no")
    #expect(daemon.waits(for: .configurationNeedsRestart) != nil)
    #expect(daemon.end() == 0)
  }

  @Test func startMaximum_limitsTheVolumeOfTheNextStart() throws {
    let (daemon, client) = try start()
    _ = try answer {
      client.call(Commands1.send, SentCommand(.volume(.set(VolumeLevel(thousandths: 900)))), $0)
    }.get()
    try set(client, "start-volume-maximum", "20 %")
    #expect(daemon.end() == 0)
    let (again, later) = try start()
    let state = try answer { later.call(NowPlaying1.state.get, $0) }.get()
    #expect(state.volume.level.thousandths == 200)
    #expect(try value(later, "start-volume-maximum") == "20 %")
    _ = try answer { later.call(Settings1.reset, "start-volume-maximum", $0) }.get()
    #expect(again.end() == 0)
    let (last, reader) = try start()
    #expect(try value(reader, "start-volume-maximum") == "50 %")
    #expect(last.end() == 0)
  }

  @Test func keyOfTheOwner_isFixed_untilTheFileChanges() throws {
    try home.configure(["replay-gain = track"])
    let (daemon, client) = try start()
    let refused = try answer {
      client.call(Settings1.set, SettingChange("replay-gain", to: "album"), $0)
    }
    #expect(throws: (any Error).self) { try refused.get() }
    #expect(try value(client, "replay-gain") == "track")
    try home.configure([])
    daemon.send(SIGHUP)
    #expect(daemon.waits(for: .configurationRead) != nil)
    try set(client, "replay-gain", "album")
    #expect(daemon.end() == 0)
  }

  /// Each change that was answered is on the storage, even if the daemon is killed at any moment.
  @Test func killedDaemon_keepsEachAnsweredChange() throws {
    for _ in 0..<6 {
      let (daemon, client) = try start()
      let first = Int(try value(client, "start-volume-maximum")?.dropLast(2) ?? "") ?? 0
      var answered = first
      // The daemon is killed while changes are pending.
      for step in 1...20 {
        let number = (first + step) % 100
        client.call(Settings1.set, SettingChange("start-volume-maximum", to: "\(number)")) {
          result in
          if case .success = result { answered = number }
        }
      }
      let goal = (first + Int.random(in: 1...20)) % 100
      try loop.turn { (answered - goal + 100) % 100 < 50 }
      daemon.end(SIGKILL)
      let (again, reader) = try start()
      #expect(!again.logged(.settingsDamaged) && !again.logged(.configurationWrong))
      let kept = Int(try value(reader, "start-volume-maximum")?.dropLast(2) ?? "") ?? -1
      #expect((kept - answered + 100) % 100 <= 20, "\(kept) is older than \(answered)")
      #expect(again.end() == 0)
    }
  }

  @Test func damagedFile_isLogged_andTheRestIsUsed() throws {
    try home.folder.write(
      "data/settings.conf", Array("language = de\nstart = \u{2}\n\u{FF}\n".utf8))
    let (daemon, client) = try start()
    #expect(daemon.logged(.settingsDamaged) && daemon.logged(.configurationWrong, ":2"))
    #expect(try value(client, "language") == "de")
    try set(client, "replay-gain", "album")
    #expect(
      FileManager.default.fileExists(atPath: home.folder.path("data/settings.conf.damaged")))
    #expect(daemon.end() == 0)
  }

  @Test func repair_movesTheDamagedFileAway_andKeepsTheValuesInUse() throws {
    try home.folder.write("data/settings.conf", Array("language = de\n\u{FF}\n".utf8))
    let (daemon, client) = try start()
    let console = try ConsoleProcess(home.socket, ["--json", "config", "repair"])
    #expect(console.output.contains("settings-repaired"), "\(console.output)")
    #expect(daemon.waits(for: .settingsRepaired) != nil)
    #expect(
      try home.folder.read("data/settings.conf.wrong-1") == Array("language = de\n\u{FF}\n".utf8))
    #expect(try value(client, "language") == "de")
    // The file is well now, so nothing is moved.
    let second = try ConsoleProcess(home.socket, ["--json", "config", "repair"])
    #expect(second.output.contains("nothing-to-repair"), "\(second.output)")
    #expect(daemon.end() == 0)
    let (again, reader) = try start()
    #expect(!again.logged(.settingsDamaged))
    #expect(try value(reader, "language") == "de")
    #expect(again.end() == 0)
  }

  @Test func time_isNotSetOnAMachineThatIsNoUnit() throws {
    let (daemon, client) = try start()
    #expect(try code { client.call(Settings1.setTime, 1_800_000_000, $0) } == .noService)
    #expect(try code { client.call(Settings1.setTime, 5, $0) } == .invalidTime)
    #expect(try answer { client.call(Settings1.state.get, $0) }.get().canSetTime == false)
    #expect(daemon.end() == 0)
  }

  // MARK: Parked

  @Test func parked_followsTheSettingAndWhatRootTells() throws {
    let (daemon, client) = try start()
    var states: [Bool?] = []
    client.onVehicle = { states.append($0.isParked) }
    client.follow(vehicle: true)
    try loop.turn { states == [nil] }
    try done { client.call(Unit1.setParked, true, $0) }
    try loop.turn { states.last == .some(true) }
    try set(client, "parked", "never")
    try loop.turn { states.last == .some(false) }
    #expect(try code { client.call(Unit1.setParked, true, $0) } == .parkedConfigured)
    let status = try ConsoleProcess(home.socket, ["--json", "status"])
    #expect(status.output.contains(#""parked": "no""#), "\(status.output)")
    try set(client, "parked", "always")
    try loop.turn { states == [nil, true, false, true] }
    #expect(daemon.end() == 0)
  }
}
