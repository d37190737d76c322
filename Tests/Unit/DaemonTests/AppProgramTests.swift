import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// `autoharp-app` with programs that write PCM, and a daemon.
@Suite struct AppProgramTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws { home = try ServeProcess.Home() }

  private static let program = ServeProcess.program.deletingLastPathComponent()
    .appendingPathComponent("autoharp-app")

  /// Starts a shell script as a source. Each of its runs adds a line to the file `runs`.
  private func start(_ options: [String] = [], _ script: String) throws -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = Self.program
    let path = try home.folder.writeScript("program", "echo run >> \(runs)\n\(script)")
    process.arguments = ["--id", "shell", "--name", "Shell"] + options + ["--", path]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "AUTOHARP_SOCKET": home.socket
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  private var runs: String { home.folder.path("runs") }
  private var runCount: Int {
    (try? String(contentsOfFile: runs, encoding: .utf8))?.split(separator: "\n").count ?? 0
  }

  private func state(_ client: ControlClient) throws -> NowPlayingState {
    try answer { client.call(NowPlaying1.state.get, $0) }.get()
  }

  private func waitUntil(
    _ surface: ControlClient, line: Int = #line, _ condition: (NowPlayingState) -> Bool
  ) throws {
    // The surface can still have the connection to a daemon that has ended.
    try loop.turn(
      until: { (try? state(surface)).map { $0.session == "app-shell" && condition($0) } ?? false },
      line: line)
  }

  private func send(_ surface: ControlClient, _ request: MediaRequest) throws -> CommandAnswer {
    try answer { surface.call(Commands1.send, SentCommand(.media(request)), $0) }.get().answer
  }

  private func position(_ state: NowPlayingState) -> Duration {
    state.playback?.position(at: .now(), duration: nil) ?? .zero
  }

  private func isAlive(_ pidFile: String) -> Bool {
    guard let text = try? String(contentsOfFile: home.folder.path(pidFile), encoding: .utf8),
      let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { return false }
    return kill(pid, 0) == 0
  }

  /// 44 100 frames a second for ever, as fast as the pipe takes them.
  private static let endless = "exec cat /dev/zero"

  @Test func titleWithAFrame_isShownWhenThisFrameIsHeard() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try start(
      [],
      """
      echo '{"title":"First","artist":"A","duration":9,"frame":0}' >&3
      echo 'no JSON' >&3
      echo '{"title":"Second","duration":60,"frame":22050}' >&3
      \(Self.endless)
      """)
    try waitUntil(surface) { $0.content?.lines().title == "First" && $0.status == .playing }
    #expect(try state(surface).content?.duration == .finite(.seconds(9)))
    try waitUntil(surface) { $0.content?.lines().title == "Second" && position($0) > .zero }
    // The position counts from the frame of the title.
    let heard = try state(surface)
    #expect(position(heard) < .seconds(60))
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test func pause_stopsReading_andPlayContinues() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    // The program writes how far it is.
    let app = try start(
      [],
      """
      i=0
      while true; do
        head -c 17640 /dev/zero; i=$((i+1)); echo $i > \(home.folder.path("count"))
      done
      """)
    func count() -> Int {
      let text = try? String(contentsOfFile: home.folder.path("count"), encoding: .utf8)
      return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
    }
    try waitUntil(surface) { $0.status == .playing && position($0) > .milliseconds(300) }
    #expect(try send(surface, .pause) == .success)
    try waitUntil(surface) { $0.status == .paused }
    // What has been written fits into the pipe, the queues and the buffer of the unit: less than 10 s.
    try loop.turn {
      let before = count()
      for _ in 0..<3 { _ = try? loop.step(timeout: .milliseconds(100)) }
      return before > 0 && count() == before
    }
    let written = count()
    #expect(written < 100)
    #expect(try send(surface, .play) == .success)
    try waitUntil(surface) { $0.status == .playing && count() > written }
    #expect(runCount == 1)
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test func programThatCrashes_isStartedAgain_andItsEndEndsTheContent() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try start(
      [],
      """
      head -c 88200 /dev/zero
      [ $(wc -l < \(runs)) -lt 2 ] && exit 3
      echo '{"title":"Last"}' >&3
      head -c 88201 /dev/zero
      """)
    try loop.turn { runCount == 2 }
    try waitUntil(surface) { $0.content?.lines().title == "Last" && $0.status == .playing }
    try waitUntil(surface) { $0.status == .stopped }
    func descriptorCount() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(app.processIdentifier)/fd").count
    }
    let descriptors = try descriptorCount()
    // The next play starts the program again, in the same stream.
    #expect(try send(surface, .play) == .success)
    try loop.turn { runCount == 3 }
    try waitUntil(surface) { $0.status == .playing && position($0) > .zero }
    try waitUntil(surface) { $0.status == .stopped }
    #expect(try descriptorCount() == descriptors)
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test func daemonThatRestarts_findsTheProgramRunning() throws {
    var daemon = try ServeProcess(home)
    let surface = try client()
    let app = try start([], "echo '{\"title\":\"Kept\"}' >&3\n\(Self.endless)")
    try waitUntil(surface) { $0.status == .playing && $0.content?.lines().title == "Kept" }
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    try waitUntil(surface) {
      $0.status == .playing && position($0) > .zero && $0.content?.lines().title == "Kept"
    }
    #expect(runCount == 1)
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test func sigterm_endsTheWholeGroup_evenIfItIgnoresTheSignal() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try start(
      [],
      """
      trap '' TERM
      echo $$ > \(home.folder.path("leader"))
      (echo $(exec sh -c 'echo $PPID') > \(home.folder.path("child")); cat /dev/zero) | cat
      """)
    try waitUntil(surface) { $0.status == .playing && position($0) > .zero }
    #expect(isAlive("leader") && isAlive("child"))
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(!isAlive("leader"))
    // The child is collected by the first process of the system, soon after it was killed.
    try loop.turn { !isAlive("child") }
    #expect(daemon.waits(for: .appClosed) != nil)
    #expect(daemon.end() == 0)
  }

  @Test func programIsStartedByPlay_getsCommands_andEndsAtStop() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try start(
      ["--start", "play", "--commands", "next,like"],
      """
      echo $$ > \(home.folder.path("leader"))
      cat /dev/zero &
      n=1
      while read -r line; do
        case $line in
          *next*) echo "{\\"flush\\":true,\\"title\\":\\"Song $n\\"}" >&3; n=$((n+1))
            echo "{\\"answer\\":$(echo "$line" | tr -dc 0-9)}" >&3;;
          *) echo "{\\"answer\\":$(echo "$line" | tr -dc 0-9),\\"failed\\":\\"not now\\"}" >&3;;
        esac
      done
      """)
    try waitUntil(surface) { $0.status == .paused && $0.content?.lines().title == "Shell" }
    #expect(runCount == 0)
    #expect(try send(surface, .play) == .success)
    try waitUntil(surface) { $0.status == .playing && position($0) > .zero }
    #expect(try send(surface, .next) == .success)
    try waitUntil(surface) { $0.content?.lines().title == "Song 1" }
    // In a pause no frame is read, and the driver sees the next title all the same.
    #expect(try send(surface, .pause) == .success)
    try waitUntil(surface) { $0.status == .paused }
    #expect(try send(surface, .next) == .success)
    try waitUntil(surface) { $0.status == .paused && $0.content?.lines().title == "Song 2" }
    #expect(try send(surface, .play) == .success)
    try waitUntil(surface) { $0.status == .playing && $0.content?.lines().title == "Song 2" }
    let answer = try send(surface, .like(true))
    #expect(answer == .failed(Refusal(.failed, "not now")))
    #expect(try send(surface, .stop) == .success)
    try waitUntil(surface) { $0.status == .stopped }
    try loop.turn { !isAlive("leader") }
    #expect(try send(surface, .play) == .success)
    try loop.turn { runCount == 2 }
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test func programThatHasEndedDuringAPause_isStartedAgainAfterStop() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try start(
      ["--start", "play"],
      """
      head -c 88200 /dev/zero
      while [ ! -e \(home.folder.path("paused")) ]; do sleep 0.01; done
      head -c 4000 /dev/zero
      echo $$ > \(home.folder.path("leader"))
      """)
    try waitUntil(surface) { $0.status == .paused }
    #expect(try send(surface, .play) == .success)
    try waitUntil(surface) { $0.status == .playing && position($0) > .zero }
    #expect(try send(surface, .pause) == .success)
    try waitUntil(surface) { $0.status == .paused }
    // Its last frames stay in the pipe.
    try home.folder.write("paused", [])
    try loop.turn {
      FileManager.default.fileExists(atPath: home.folder.path("leader")) && !isAlive("leader")
    }
    #expect(try send(surface, .stop) == .success)
    try waitUntil(surface) { $0.status == .stopped }
    #expect(try send(surface, .play) == .success)
    try loop.turn { runCount == 2 }
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test func liveProgram_isReadWhilePaused_andSilenceIsAPause() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try start(
      ["--kind", "live"],
      """
      i=0
      while [ ! -e \(home.folder.path("silence")) ]; do
        head -c 7056 /dev/zero; sleep 0.04; i=$((i+1)); echo $i > \(home.folder.path("count"))
      done
      while [ -e \(home.folder.path("silence")) ]; do sleep 0.05; done
      while true; do head -c 7056 /dev/zero; sleep 0.04; done
      """)
    func count() -> Int {
      let text = try? String(contentsOfFile: home.folder.path("count"), encoding: .utf8)
      return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
    }
    try waitUntil(surface) { $0.status == .playing && $0.content?.duration == .live }
    #expect(try send(surface, .pause) == .success)
    try waitUntil(surface) { $0.status == .paused }
    // More than the pipe and the socket hold is written while the source is paused.
    let before = count()
    try loop.turn { count() > before + 50 }
    #expect(try state(surface).status == .paused)
    #expect(try send(surface, .play) == .success)
    try waitUntil(surface) { $0.status == .playing }
    try home.folder.write("silence", [])
    try waitUntil(surface) { $0.status == .paused }
    try FileManager.default.removeItem(atPath: home.folder.path("silence"))
    try waitUntil(surface) { $0.status == .playing }
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test(arguments: ["track", "live"])
  func startByAPerson_takesOver_andAnInterruptionEnds(kind: String) throws {
    try home.music("own", seconds: 200)
    let daemon = try ServeProcess(home)
    let surface = try client()
    try loop.turn { (try? state(surface))?.session == "local" }
    #expect(try send(surface, .play) == .success)
    try loop.turn { (try? state(surface))?.status == .playing }
    let app = try start(
      ["--kind", kind],
      """
      echo '{"condition":"waiting","sentence":"Not yet."}' >&3
      head -c 3528 /dev/zero
      while [ ! -e \(home.folder.path("go")) ]; do sleep 0.01; done
      echo '{"claim":"person","condition":"ready"}' >&3
      while true; do head -c 3528 /dev/zero; sleep 0.01; done
      """)
    // A start by the program alone does not end the music.
    #expect(daemon.waits(for: .appOpened) != nil)
    try loop.turn { runCount == 1 }
    #expect(try state(surface).session == "local")
    try home.folder.write("go", [])
    try waitUntil(surface) { $0.status == .playing }
    try done { surface.call(Unit1.beginInterruption, HoldBegin("call"), $0) }
    try waitUntil(surface) { $0.status == .interrupted }
    try done { surface.call(Unit1.endInterruption, InterruptionEnd("call"), $0) }
    try waitUntil(surface) { $0.status == .playing }
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test func programThatFloods_isPausedAsUsual() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try start(
      ["--commands", "next"],
      """
      (while true; do head -c 200000 /dev/urandom >&3; done) &
      (while true; do echo '{"flush":true,"title":"T","answer":1}' >&3; done) &
      \(Self.endless)
      """)
    try waitUntil(surface) { $0.status == .playing && $0.content?.lines().title == "T" }
    #expect(try send(surface, .pause) == .success)
    try waitUntil(surface) { $0.status == .paused }
    app.terminate()
    #expect(app.terminationStatus == 0)
    #expect(daemon.end() == 0)
  }

  @Test func wrapper_exitsWithTheStatusOfTheProgram_whenItIsNotStartedAgain() throws {
    let daemon = try ServeProcess(home)
    let app = try start(["--restart", "no"], "head -c 44100 /dev/zero; exit 7")
    #expect(app.terminationStatus == 7)
    #expect(daemon.end() == 0)
    func status(_ arguments: [String]) throws -> Int32 {
      let process = ChildProcess()
      process.executableURL = Self.program
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process.terminationStatus
    }
    #expect(try status(["--frob"]) == 2)
    #expect(try status(["--id", "a", "--name", "A", "--", "no-such-program"]) == 127)
  }
}
