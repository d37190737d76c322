import Foundation
import Reports
import TestKit
import Testing
import UnitState

/// The daemon as a process: its start, its end, and its saved state.
@Suite struct ServeTests {
  /// The seconds in a line like `music.resumed: … at 12.345 s`.
  private func seconds(_ line: String?) -> Double? {
    line?.split(separator: " ").dropLast().last.flatMap { Double($0) }
  }

  @Test func stoppedDaemon_resumesAtItsPosition() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 60)
    let first = try ServeProcess(home)
    #expect(first.waits(for: .trackStarted, "1/1 ") != nil)
    #expect(try SavedUnitState(home).waits { $0.elapsed.milliseconds > 800 })
    #expect(first.end() == 0)
    try home.configure(["start = resume"])
    let second = try ServeProcess(home)
    let at = seconds(second.waits(for: .musicResumed))
    #expect((at ?? 0) > 0.8 && (at ?? 100) < 30)
    #expect(second.waits(for: .trackStarted, "1/1 ") != nil)
    second.end()
  }

  @Test func firstStart_doesNotPlay() throws {
    let home = try ServeProcess.Home()
    try home.music("a", seconds: 60)
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    #expect(daemon.end() == 0)
    #expect(!daemon.logged(.trackStarted))
  }

  @Test func emptyFolder_daemonEndsWithSuccess() throws {
    let home = try ServeProcess.Home(["start = play"])
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound, "0 files") != nil)
    #expect(daemon.end() == 0)
  }

  @Test func manyUnplayableFiles_haveFewLinesInTheLog() throws {
    let home = try ServeProcess.Home()
    for index in 0..<600 { try home.folder.write("music/\(index).flac", [1, 2, 3]) }
    try home.music("a", seconds: 1)
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    let lines = daemon.log.filter { $0.starts(with: "music.unplayable: ") }
    #expect(lines.count == 21 && lines.last == "music.unplayable: 580 more files")
    #expect(daemon.end() == 0)
  }

  /// Another process holds the lock of the socket, for example a daemon that a user has started.
  @Test func service_waitsSilently_untilTheSocketIsFree() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 60)
    let manager = try FakeServiceManager(home.folder.path("notify"))
    let lock = open(home.socket + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX) == 0 && write(lock, "\(getpid())\n", 7) > 1)
    let daemon = try ServeProcess(
      home, environment: manager.environment(),
      wrapper: ["sh", "-c", "SYSTEMD_EXEC_PID=$$ exec \"$0\" \"$@\""])
    #expect(manager.message()?.contains("process \(getpid()) (") == true)
    #expect(manager.message() == "EXTEND_TIMEOUT_USEC=10000000")
    #expect(manager.waits(for: "EXTEND_TIMEOUT_USEC="))
    #expect(daemon.log.isEmpty, "\(daemon.log)")
    close(lock)
    #expect(manager.waits(for: "READY=1"))
    #expect(daemon.waits(for: .trackStarted) != nil)
    let answer = try ConsoleProcess(home.socket, ["now"])
    #expect(answer.status == 0, "\(answer)")
    #expect(daemon.end() == 0)
  }

  @Test func secondDaemon_endsWithStatus1_namesTheFirst_andPlaysNothing() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 60)
    let first = try ServeProcess(home)
    #expect(first.waits(for: .trackStarted) != nil)
    // `NOTIFY_SOCKET` is set, but not for the second daemon itself: as with `make run`, only its parent is a service.
    // So the second daemon must end. A service would wait.
    let manager = try FakeServiceManager(home.folder.path("notify"))
    let second = try ServeProcess(home, environment: manager.environment())
    #expect(second.waits(for: .trackStarted) == nil)
    #expect(second.end() == 1)
    #expect(
      second.log.count == 1
        && second.log[0].contains("\(home.socket): process \(first.pid) (autoharp)"),
      "\(second.log)")
    #expect(try ConsoleProcess(home.socket, ["now"]).status == 0)
    #expect(first.end() == 0)
    #expect(access(home.socket, F_OK) != 0, "a daemon of another user can serve now")
  }

  @Test func socketThatCannotBeMade_stopsNoMusic() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 60)
    try home.configure(["start = play", "control-socket = \(home.folder.path("none/control"))"])
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .trackStarted) != nil)
    #expect(daemon.waits(for: .controlFailed) != nil)
    try FileManager.default.createDirectory(
      atPath: home.folder.path("none"), withIntermediateDirectories: true)
    #expect(daemon.waits(for: .controlListening) != nil)
    #expect(daemon.end() == 0)
  }

  /// The daemon is killed at random moments. Each time, the saved state must be readable and at most two seconds old.
  ///
  /// The environment variable `AUTOHARP_KILLS` is the number of kills (default 8).
  @Test(.enabled(if: PacedPCM.obstacle == nil, "needs the paced PCM"))
  func killedDaemon_resumesAtMostTwoSecondsEarlier() throws {
    let kills = ProcessInfo.processInfo.environment["AUTOHARP_KILLS"].flatMap { Int($0) } ?? 8
    let home = try ServeProcess.Home(["start = play", "output = car"])
    try home.music("a", seconds: 3000)
    let pcm = try PacedPCM(.init())
    defer { withExtendedLifetime(pcm) {} }
    let card = try home.plugIn(pcm)
    // Each start gets a new boot identifier, as after a power cut.
    var random = SystemRandomNumberGenerator()
    var began = 0.0
    for number in 0..<kills {
      let daemon = try ServeProcess(
        home, environment: card.merging(["AUTOHARP_BOOT": "\(number)"]) { $1 })
      #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
      if number > 0 {
        // If a daemon was killed immediately after its start, it has saved nothing. Then the next daemon begins at the
        // start of the track.
        let at = seconds(daemon.log.first { $0.starts(with: LogEvent.musicResumed.rawValue) }) ?? 0
        #expect(at <= began + 0.5, "the saved position was never played")
        #expect(at >= began - 2, "\(began - at) s are lost")
        began = at
      }
      let start = ContinuousClock.now
      usleep(UInt32.random(in: 0...1_800_000, using: &random))
      daemon.end(SIGKILL)
      began += (ContinuousClock.now - start) / .seconds(1)
      #expect(!daemon.logged(.stateUnavailable) && !daemon.logged(.stateUnusable))
    }
  }

  /// The first run mutes the sound and turns it up. The value of a boot that cannot be identified is empty.
  @Test(arguments: [
    ("one", "one", true), ("one", "two", false), ("one", "", false), ("", "", false),
  ])
  func mute_lastsOnlyInItsBoot(first: String, second: String, isMuted: Bool) throws {
    let home = try ServeProcess.Home(["start = play", "start-volume-maximum = 40 %"])
    try home.music("a", seconds: 300)
    let daemon = try ServeProcess(home, environment: ["AUTOHARP_BOOT": first])
    #expect(daemon.waits(for: .trackStarted) != nil)
    for command in [["volume", "80"], ["mute", "on"]] {
      #expect(try ConsoleProcess(home.socket, command).status == 0)
    }
    #expect(daemon.end() == 0)

    let next = try ServeProcess(home, environment: ["AUTOHARP_BOOT": second])
    #expect(next.waits(for: .trackStarted) != nil)
    let state = try ConsoleProcess(home.socket, ["--json", "now"]).output
    #expect(state.contains("\"isMuted\": \(isMuted)"), "\(state)")
    #expect(state.contains("\"volume\": 40.0"), "\(state)")
    #expect(next.end() == 0)
  }

  @Test func invalidState_givesDefaultsAndANotice() throws {
    let home = try ServeProcess.Home(["start = resume"])
    try home.music("a", seconds: 60)
    var noise = Data(count: 600_000)
    for index in noise.indices { noise[index] = UInt8.random(in: 0...255) }
    try noise.write(to: URL(fileURLWithPath: home.folder.path("data/state")))
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .stateDamaged) != nil)
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    #expect(daemon.end() == 0)
  }

  @Test func missingStateFolder_givesANotice_andPlays() throws {
    let home = try ServeProcess.Home(["start = play", "state-folder = /nowhere/at/all"])
    try home.music("a", seconds: 60)
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .stateNotSaving, "/nowhere/at/all") != nil)
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    #expect(daemon.end() == 0)
  }

  @Test func wrongLine_isLogged_withItsPlace() throws {
    let home = try ServeProcess.Home(["start = sometimes", "colour = red", "radio-times = yes"])
    try home.music("a", seconds: 60)
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .configurationWrong, "unit.conf:7") != nil)
    #expect(daemon.waits(for: .configurationWrong, "unit.conf:7") != nil)
    #expect(daemon.waits(for: .configurationRemark, "'radio-times = yes'") != nil)
    #expect(daemon.end() == 0)
  }

  @Test func SIGHUP_readsTheConfigurationAgain() throws {
    let home = try ServeProcess.Home()
    try home.music("a", seconds: 60)
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    let other = home.folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try home.configure(["music-folder = \(other)"])
    daemon.send(SIGHUP)
    #expect(daemon.waits(for: .configurationRead) != nil)
    #expect(daemon.end() == 0)
  }

  @Test func threeFailedStarts_disableAutomaticPlayback() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 600)
    for number in 1...3 {
      let daemon = try ServeProcess(home)
      #expect(try SavedUnitState(home).waits { $0.starts.starts.count == number })
      daemon.end(SIGKILL)
    }
    let careful = try ServeProcess(home)
    #expect(careful.waits(for: .unitSafeMode, "3 ") != nil)
    #expect(careful.waits(for: .musicFound, "1 files") != nil)
    #expect(careful.end() == 0)
  }

  // MARK: The service manager

  /// The output makes progress, so the watchdog is fed.
  @Test func watchdog_whilePlaying_receivesMessages() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 60)
    let manager = try FakeServiceManager(home.folder.path("notify"))
    let daemon = try ServeProcess(
      home, environment: manager.environment(watchdog: .milliseconds(600)))
    #expect(manager.waits(for: "READY=1"))
    for _ in 0..<3 { #expect(manager.waits(for: "WATCHDOG=1")) }
    #expect(daemon.end() == 0)
    #expect(manager.waits(for: "STOPPING=1"))
  }
}
