import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

/// Each test deliberately breaks a running system of real processes. `diagnose` must name the fault and exit with 1.
@Suite(.serialized) struct DiagnoseTests {
  private typealias Home = ServeProcess.Home

  /// Repeats `diagnose` until it reports a finding with this code and grade. The findings with this code must mention
  /// all `values`. The repetition is necessary, because the daemon needs a moment to detect the fault.
  private func finds(
    _ code: String, _ socket: String, _ values: [String] = [], grade: String = "bad",
    _ sourceLocation: SourceLocation = #_sourceLocation, again: () throws -> Void = {}
  ) throws {
    try waits(["diagnose"], socket, sourceLocation, again: again) { reply, status in
      let findings = reply["checks"] as? [[String: Any]] ?? []
      let texts = findings.filter {
        $0["code"] as? String == code && $0["grade"] as? String == grade
      }
      .map { "\($0["found"] ?? "") \($0["meaning"] ?? "") \($0["remedy"] ?? "")" }
      return !texts.isEmpty && (status == 1 || grade != "bad")
        && values.allSatisfy { value in texts.contains { $0.contains(value) } }
    }
  }

  private func waits(
    _ words: [String], _ socket: String, _ sourceLocation: SourceLocation,
    again: () throws -> Void, until isFound: ([String: Any], Int32) -> Bool
  ) throws {
    let end = ContinuousClock.now + Hang.limit
    while true {
      let run = try ConsoleProcess(socket, words, options: ["--json"])
      let reply = try? JSONSerialization.jsonObject(with: Data(run.output.utf8))
      if isFound(reply as? [String: Any] ?? [:], run.status) { return }
      try #require(ContinuousClock.now < end, "\(run)", sourceLocation: sourceLocation)
      try again()
    }
  }

  private func start(
    _ lines: [String] = [], environment: [String: String] = [:], wrapper: [String] = [],
    _ prepare: (Home) throws -> Void = { try $0.music("a", seconds: 60) }
  ) throws -> (Home, ServeProcess) {
    let home = try Home(["start = play"] + lines)
    try prepare(home)
    let daemon = try ServeProcess(home, environment: environment, wrapper: wrapper)
    #expect(daemon.waits(for: .musicFound) != nil, "\(daemon.log)")
    return (home, daemon)
  }

  private static let well =
    "All is well. Is there a complaint? 'help diagnose' shows what to ask.\n"

  @Test func diagnose_healthySystem_isWell() throws {
    let (home, daemon) = try start()
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    let run = try ConsoleProcess(home.socket, ["diagnose"])
    #expect(run.status == 0 && run.output == Self.well, "\(run)")
    #expect(try ConsoleProcess(home.socket, ["status"]).status == 0)
    #expect(daemon.end() == 0)
  }

  /// The position and the state are read back from a running system, while it plays and in a pause.
  @Test func diagnose_healthySystem_readsBackWhatItPublishes() throws {
    let (home, daemon) = try start()
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    for command in [["volume", "40"], ["pause"]] {
      #expect(try ConsoleProcess(home.socket, command).status == 0)
      let end = ContinuousClock.now + Hang.limit
      var codes: Set<String> = []
      // The position is compared three seconds after the last publication.
      while !codes.contains("sound.position") {
        try #require(ContinuousClock.now < end, "\(codes)")
        let run = try ConsoleProcess(home.socket, ["diagnose"], options: ["--json"])
        try #require(run.status == 0, "\(run)")
        let reply = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let findings = (reply as? [String: Any])?["checks"] as? [[String: Any]] ?? []
        codes = Set(findings.compactMap { $0["code"] as? String })
        #expect(codes.contains("volume.level"))
      }
    }
    daemon.end()
  }

  @Test func diagnose_missingMusicFolder_isFound() throws {
    let (home, daemon) = try start {
      try FileManager.default.removeItem(atPath: $0.folder.path("music"))
    }
    try finds("folders.all-missing", home.socket, [home.folder.path("music")])
    daemon.end()
  }

  /// A unit without music is healthy. Its one line says how to get music.
  @Test func diagnose_emptyUnit_isWell_andSaysThatItHasNoMusic() throws {
    let (home, daemon) = try start { _ in }
    let end = ContinuousClock.now + Hang.limit
    var run = try ConsoleProcess(home.socket, ["diagnose"])
    // While the folder is read, there is no finding about it.
    while !run.output.contains("copy MP3") {
      try #require(ContinuousClock.now < end, "\(run)")
      run = try ConsoleProcess(home.socket, ["diagnose"])
    }
    #expect(run.status == 0 && run.output.hasPrefix("All is well. "), "\(run)")
    daemon.end()
  }

  /// A button without a command, and commands that the source does not have, are not faults.
  @Test func diagnose_unitWithAGreyButton_andRefusedCommands_isWell() throws {
    let (home, daemon) = try start(["button = rate", "button = shuffle"])
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    for _ in 0..<3 { #expect(try ConsoleProcess(home.socket, ["rate", "2"]).status == 1) }
    let run = try ConsoleProcess(home.socket, ["diagnose"])
    #expect(run.status == 0 && run.output == Self.well, "\(run)")
    let asked = try ConsoleProcess(home.socket, ["diagnose", "commands"], options: ["--json"])
    #expect(asked.output.contains("2a "), "\(asked)")
    #expect(daemon.end() == 0)
  }

  /// A person asks why the music stopped.
  @Test func diagnose_stops_namesWhoPaused_andWhoInterrupted() throws {
    let (home, daemon) = try start()
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    #expect(try ConsoleProcess(home.socket, ["pause"]).status == 0)
    #expect(daemon.waits(for: .playbackPaused, "local") != nil)
    let paused = try ConsoleProcess(home.socket, ["diagnose", "stops"], options: ["--json"])
    #expect(paused.output.contains("8c "), "\(paused)")
    #expect(try ConsoleProcess(home.socket, ["play"]).status == 0)
    #expect(try ConsoleProcess(home.socket, ["interrupt", "begin", "call"]).status == 0)
    #expect(daemon.waits(for: .playbackInterrupted, "call") != nil)
    let held = try ConsoleProcess(home.socket, ["diagnose", "stops"], options: ["--json"])
    #expect(held.output.contains("8a ") && held.output.contains("call"), "\(held)")
    let trace = try ConsoleProcess(home.socket, ["trace"])
    #expect(trace.output.contains("now-playing: call begins"), "\(trace)")
    #expect(daemon.end() == 0)
  }

  @Test func diagnose_onlyDamagedFiles_isFound() throws {
    let (home, daemon) = try start { home in
      for name in ["a", "b"] {
        let noise = Array("fLaC".utf8) + (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try home.folder.write("music/\(name).flac", noise)
      }
    }
    try finds("music.none-playable", home.socket, ["2 files", "a.flac"])
    daemon.end()
  }

  @Test func diagnose_severalSongsThatAreDamaged_areNamedAfterTheyPlayed() throws {
    let (home, daemon) = try start { home in
      for name in ["a", "b", "c"] {
        try home.music(name, seconds: 2)
        var bytes = try Array(
          Data(contentsOf: URL(fileURLWithPath: home.folder.path("music/\(name).flac"))))
        let middle = bytes.count / 2
        for index in middle..<middle + 200 { bytes[index] ^= 0x5A }
        try home.folder.write("music/\(name).flac", bytes)
      }
    }
    try finds("music.damaged", home.socket, ["3 damaged songs", "a.flac"], grade: "note")
    daemon.end()
  }

  @Test func diagnose_missingSoundCard_isFound() throws {
    let (home, daemon) = try start(["output = hw:7,0"])
    try finds("output.absent", home.socket, ["hw:7,0", "'audio'", "unit.conf:"])
    // The missing card is the cause, and the stopped music is only a consequence. So the finding about the card must
    // come first.
    let run = try ConsoleProcess(home.socket, ["diagnose"])
    #expect(run.status == 1 && run.output.hasPrefix("✗  output: "), "\(run)")
    daemon.end()
  }

  @Test(.enabled(if: PacedPCM.obstacle == nil, "needs the paced PCM"))
  func diagnose_busySoundCard_isFound() throws {
    let card = try PacedPCM(.init())
    try card.occupy()
    let home = try Home(["start = play", "output = car"])
    try home.music("a", seconds: 60)
    let daemon = try ServeProcess(home, environment: try home.plugIn(card))
    #expect(daemon.waits(for: .musicFound) != nil)
    try finds("output.failed", home.socket, ["busy"])
    daemon.end()
  }

  /// Another program switches the amplifier off. The unit is not informed, so it must read the state of the mixer.
  @Test(.enabled(if: SwitchControl.obstacle == nil, "needs the simulated mixer"))
  func diagnose_amplifierThatAnotherProgramMutes_isFound() throws {
    let mixer = try SwitchControl()
    let home = try Home(["start = play", "output = car", "amplifier = switch:car,Master"])
    try home.music("a", seconds: 60)
    let card = try PacedPCM(.init())
    let daemon = try ServeProcess(home, environment: try home.plugIn(card, mixer: mixer))
    #expect(daemon.waits(for: .outputOpened) != nil, "\(daemon.log)")
    let run = try ConsoleProcess(home.socket, ["diagnose"], options: ["--json"])
    #expect(run.output.contains("\"amplifier.switch\""), "\(run)")
    try mixer.set(isOn: false)
    try finds("amplifier.muted", home.socket, ["switch:car,Master"])
    try mixer.unplug()
    try finds("amplifier.unreadable", home.socket, ["amplifier"])
    daemon.end()
  }

  /// The output is a pipe. Its reader never reads, so the pipe soon accepts no more data.
  @Test func diagnose_stalledOutput_isFound() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let reader = open(folder.path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let (home, daemon) = try start(["output = wav:\(folder.path("pipe"))"])
    try finds("output.stands-still", home.socket)
    daemon.end(SIGKILL)
  }

  @Test func diagnose_mutedOrZeroVolume_isFound() throws {
    let (home, daemon) = try start()
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    #expect(try ConsoleProcess(home.socket, ["mute", "on"]).status == 0)
    try finds("volume.muted", home.socket, ["mute off"])
    #expect(try ConsoleProcess(home.socket, ["mute", "off"]).status == 0)
    #expect(try ConsoleProcess(home.socket, ["volume", "0"]).status == 0)
    try finds("volume.zero", home.socket, ["0 %", "volume 30"])
    daemon.end()
  }

  @Test func diagnose_damagedState_isFound() throws {
    let (home, daemon) = try start { home in
      try home.music("a", seconds: 60)
      try home.folder.write("data/state", [UInt8](repeating: 0x5A, count: 600_000))
    }
    try finds("state.lost", home.socket)
    daemon.end()
  }

  /// Each damaged file is named, and the finding says what the driver has lost.
  @Test(arguments: [
    ("queue", "queue.lost"), ("recent", "positions.lost"),
    ("playlists/Favourites.m3u8", "playlists.damaged"), ("settings.conf", "settings.damaged"),
  ])
  func diagnose_damagedFile_isNamed(file: String, code: String) throws {
    let (home, daemon) = try start { home in
      try home.music("a", seconds: 60)
      try FileManager.default.createDirectory(
        atPath: home.folder.path("data/playlists"), withIntermediateDirectories: true)
      // Random bytes with many line ends, so that a reader of lines finds lines.
      var state: UInt32 = 1
      let bytes = (0..<600_000).map { _ -> UInt8 in
        state = state &* 1_664_525 &+ 1_013_904_223
        return state >> 28 == 0 ? 0x0A : UInt8(truncatingIfNeeded: state >> 16)
      }
      try home.folder.write("data/\(file)", bytes)
    }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    try finds(code, home.socket, [name])
    daemon.end()
  }

  @Test func diagnose_wrongConfiguration_isFound() throws {
    let (home, daemon) = try start(["skip-interval = long", "colour = red"])
    try finds("config.wrong", home.socket, ["unit.conf:8", "unit.conf:9"])
    daemon.end()
  }

  /// Music without a cover is not a fault. The decision tree finds the reason if the operator reports missing covers as
  /// a symptom.
  @Test func diagnose_missingArtwork_isFoundAsASymptom() throws {
    let (home, daemon) = try start { home in
      try home.music("a", seconds: 60)
      try home.music("b", seconds: 60)
    }
    #expect(daemon.waits(for: .trackStarted, "1/2 ") != nil)
    #expect(try ConsoleProcess(home.socket, ["repeat", "all"]).status == 0)
    // The unit searches only the covers of the current and the next track. So the test sends *next* between two runs of
    // `diagnose`.
    try waits(
      ["diagnose", "artwork"], home.socket, #_sourceLocation,
      again: {
        let run = try ConsoleProcess(home.socket, ["next"])
        #expect(run.status == 0)
      },
      until: { reply, status in
        let walks = reply["walks"] as? [[String: Any]] ?? []
        return status == 1 && walks.map { ($0["pattern"] as? String ?? "").prefix(2) } == ["3a"]
      })
    #expect(try ConsoleProcess(home.socket, ["diagnose"]).status == 0)
    daemon.end()
  }

  /// After a surface got the path of the cover, the cover is removed from the folder of the covers.
  @Test func diagnose_removedCover_isFound() throws {
    let (home, daemon) = try start { home in
      try home.music("a", seconds: 60)
      try home.folder.write("music/cover.png", GeneratedPNG.halves(300, 300).bytes)
    }
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    let loop = EventLoop()
    var policy = ClientPolicy()
    policy.serviceName = nil
    let client = ControlClient(loop, path: home.socket, policy: policy)
    var content: String?
    client.onNowPlaying = { content = $0.content?.id ?? content }
    client.subscribe()
    client.start()
    try loop.turn { content != nil }
    var answer: ArtworkAnswer?
    client.call(NowPlaying1.getArtwork, CoverRequest(content ?? "", size: .largest)) {
      answer = try? $0.get()
    }
    try loop.turn { answer != nil }
    guard case .image(let picture)? = answer else {
      Issue.record("no cover: \(String(describing: answer))")
      return
    }
    let run = try ConsoleProcess(home.socket, ["diagnose"], options: ["--json"])
    #expect(run.status == 0 && run.output.contains("\"artwork.readable\""), "\(run)")
    try FileManager.default.removeItem(atPath: picture.reference)
    try finds("artwork.unreadable", home.socket, [picture.reference])
    let asked = try ConsoleProcess(home.socket, ["diagnose", "artwork"], options: ["--json"])
    #expect(asked.status == 1 && asked.output.contains("\"artwork.unreadable\""), "\(asked)")
    daemon.end()
  }

  @Test(.enabled(if: getuid() == 0, "only root can give rights away"))
  func diagnose_refusedRealTime_isFound() throws {
    let folder = try TemporaryFolder()
    let manager = try FakeServiceManager(folder.path("notify"))
    let (home, daemon) = try start(
      environment: manager.environment(),
      wrapper: [
        "setpriv", "--bounding-set=-sys_nice,-ipc_lock,-sys_resource", "prlimit",
        "--rtprio=0", "--memlock=0",
      ])
    try finds("real-time.refused", home.socket, ["LimitRTPRIO=45"])
    daemon.end()
  }

  @Test func diagnose_surfaceWithOtherContent_isFound() throws {
    let (home, daemon) = try start()
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    let loop = EventLoop()
    var policy = ClientPolicy()
    policy.serviceName = nil
    let screen = ControlClient(loop, path: home.socket, policy: policy)
    screen.register(as: "painter", showsTemplate: false) { screen.confirmShown($0) }
    screen.start()
    try loop.turn { screen.nowPlaying != nil }
    // The check waits until the surface has settled, and the unit repairs the first difference. So the surface must
    // report the false title several times.
    try finds("surface.differs", home.socket, ["Another Song"]) {
      var isAnswered = false
      screen.observed(DisplayedState(title: "Another Song"))
      screen.call(Unit1.getFacts, .boot) { _ in isAnswered = true }
      try loop.turn { isAnswered }
    }
    withExtendedLifetime(screen) {}
    daemon.end()
  }

  @Test func impossibleControlSocket_isLogged_andReportedByTheConsole() throws {
    let (home, daemon) = try start(["control-socket = /nowhere/at/all/control"])
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    #expect(daemon.logged(.controlFailed, "/nowhere/at/all/control"))
    let run = try ConsoleProcess("/nowhere/at/all/control", ["now"])
    #expect(run.status == 3)
    #expect(run.errors.contains("/nowhere/at/all/control"))
    let diagnosis = try ConsoleProcess("/nowhere/at/all/control", ["--json", "diagnose"])
    #expect(diagnosis.status == 1)
    #expect(diagnosis.output.contains("daemon.socketMissing"), "\(diagnosis.output)")
    withExtendedLifetime(home) {}
    daemon.end()
  }

  /// The library process ends when it opens one of two files. The daemon starts it again after 1, 2, 4 and 8 s.
  @Test func diagnose_libraryThatTwoFilesStop_namesThem_andTheOtherMusicIsListed() throws {
    let home = try Home(["library = yes"])
    try home.configure(["library = yes", "library-folder = \(home.folder.path("library"))"])
    for name in ["a", "stops-1", "stops-2", "z"] { try home.music(name, seconds: 1) }
    let code = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdarg.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>
      int open(const char *path, int flags, ...) {
        va_list list;
        va_start(list, flags);
        int mode = va_arg(list, int);
        va_end(list);
        const char *name = strstr(path, "/stops-");
        if (name && !strcmp(name + strlen("/stops-1"), ".flac")) _exit(9);
        int (*original)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
        return original(path, flags, mode);
      }
      """
    try home.folder.write("stops.c", Array(code.utf8))
    try Tools.run("cc", ["-shared", "-fPIC", "-o", "stops.so", "stops.c"], in: home.folder.url)
    // The daemon starts the program `autoharp-library` in its own folder, and does not pass its environment on. So a
    // script with this name sets LD_PRELOAD.
    let library = ServeProcess.program.deletingLastPathComponent().appendingPathComponent(
      "autoharp-library")
    _ = try home.folder.writeScript(
      "autoharp-library",
      "LD_PRELOAD=\(home.folder.path("stops.so")) exec \(library.path) \"$@\"")
    try FileManager.default.copyItem(
      atPath: ServeProcess.program.path, toPath: home.folder.path("autoharp"))
    let daemon = try ServeProcess(
      home, wrapper: ["sh", "-c", "shift; exec \(home.folder.path("autoharp")) \"$@\"", "sh"])
    try finds("library.restarts", home.socket, ["/stops-"])
    // After the process has ended four times, the scan skips the two files and reads all other files.
    #expect(daemon.waits(for: .musicFound, "2 files") != nil, "\(daemon.log)")
    let run = try ConsoleProcess(home.socket, ["diagnose"], options: ["--json"])
    #expect(run.output.contains("\"library.excluded\""), "\(run)")
    for name in ["stops-1", "stops-2"] { #expect(run.output.contains(name), "\(run)") }
    #expect(daemon.log.count { $0.contains("has ended: ") } == 4, "\(daemon.log)")
    daemon.end()
  }

  @Test func diagnose_failedStarts_areFound() throws {
    let home = try Home(["start = play"])
    try home.music("a", seconds: 600)
    for number in 1...3 {
      let daemon = try ServeProcess(home)
      #expect(try SavedUnitState(home).waits { $0.starts.starts.count == number })
      daemon.end(SIGKILL)
    }
    let careful = try ServeProcess(home)
    #expect(careful.waits(for: .musicFound, "1 files") != nil)
    try finds("starts.failed", home.socket, ["3 "])
    careful.end()
  }
}
