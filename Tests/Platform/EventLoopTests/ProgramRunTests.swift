import EventLoop
import Glibc
import TestKit
import Testing

/// Runs correct programs and faulty programs in the event loop.
@Suite struct ProgramRunTests {
  private let loop = EventLoop()

  private struct Result: Equatable {
    let ending: ProgramRun.Ending
    let text: String
  }

  private func run(
    _ path: String, _ arguments: [String], limit: Int = 1000, timeout: Duration = Hang.limit,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result {
    var result: Result?
    let run = try ProgramRun(
      loop, path: path, arguments: arguments, limit: limit, timeout: timeout
    ) {
      result = Result(ending: $0, text: String(decoding: $1, as: UTF8.self))
    }
    try loop.turn(
      until: { result != nil && run.isCollected }, fileID: sourceLocation.fileID,
      line: sourceLocation.line)
    return try #require(result)
  }

  private func shell(
    _ script: String, limit: Int = 1000, timeout: Duration = Hang.limit,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result {
    try run("/bin/sh", ["-c", script], limit: limit, timeout: timeout, sourceLocation)
  }

  @Test func program_reportsItsOutputAndExitStatus() throws {
    #expect(
      try shell("cat; echo one; echo two >&2; exit 3")
        == Result(ending: .ended(.exited(3)), text: "one\ntwo\n"))
    #expect(
      try shell("echo one; kill -TERM $$")
        == Result(ending: .ended(.killed(SIGTERM)), text: "one\n"))
    #expect(try shell("") == Result(ending: .ended(.exited(0)), text: ""))
  }

  @Test func programAboveTheOutputLimit_isKilled() throws {
    let (most, more) = ("head -c 5000 /dev/zero", "head -c 5001 /dev/zero")
    #expect(try shell(most, limit: 5000).ending == .ended(.exited(0)))
    #expect(try shell(more, limit: 5000).ending == .tooMuchOutput)
    let endless = try shell("while :; do echo more; done", limit: 5000)
    #expect(endless.ending == .tooMuchOutput && endless.text.utf8.count <= 5000)
  }

  @Test(arguments: [
    "echo one; exec sleep 1000",
    // This program closes its output and continues.
    "echo one; exec sleep 1000 >&- 2>&-",
    // This program ignores SIGTERM.
    "trap '' TERM; echo one; while :; do :; done",
  ])
  func programAboveTheTimeLimit_isKilled(_ script: String) throws {
    #expect(try shell(script, timeout: .milliseconds(500)).ending == .timedOut)
  }

  @Test func missingProgram_isAnError() throws {
    #expect(throws: SystemError("posix_spawn", ENOENT)) { try run("/nowhere/program", []) }
    // `ProgramRun` does not search the folders of PATH.
    #expect(throws: SystemError("posix_spawn", ENOENT)) { try run("sh", []) }
    #expect(throws: SystemError("posix_spawn", EACCES)) { try run("/dev/null", []) }
  }

  @Test func programIsReleased_afterTheEndOfTheLoop_isKilled() throws {
    let folder = try TemporaryFolder()
    let loop = EventLoop()
    var run: ProgramRun? = try ProgramRun(
      loop, path: "/bin/sh", arguments: ["-c", Self.sleeper(folder)], limit: 10,
      timeout: Hang.limit
    ) { _, _ in }
    let child = try pid(folder, loop)
    loop.defer { loop.exit() }
    _ = try loop.run()
    #expect(loop.hasEnded)
    // Creating an event source in the ended loop would end the test process. So `cancel` must not create a source.
    run?.cancel()
    run = nil
    // Without this call, the ended program would stay a zombie. Swift Testing waits for its exit tests with
    // `waitid(P_ALL, WNOWAIT)`, which would report only this zombie again and again.
    var status: Int32 = 0
    let collected = waitpid(child, &status, 0)
    #expect(collected == child ? status == SIGKILL : errno == ECHILD)
  }

  /// A script that writes its process number and sleeps. It renames `part` to `whole`, so that `whole` is complete when
  /// it appears.
  private static func sleeper(_ folder: TemporaryFolder) -> String {
    "cd \(folder.path("")); echo $$ >part; mv part whole; exec sleep 1000"
  }

  /// Waits for the process number of a ``sleeper(_:)``.
  private func pid(_ folder: TemporaryFolder, _ loop: EventLoop) throws -> pid_t {
    var pid: pid_t?
    try loop.turn {
      pid = (try? folder.read("whole"))
        .flatMap { Int32(String(decoding: $0.dropLast(), as: UTF8.self)) }
      return pid != nil
    }
    return try #require(pid)
  }

  /// `kill` with the signal 0 succeeds for a zombie too. So an error of this `kill` proves that the process was reaped.
  @Test(arguments: [true, false])
  func cancelledOrReleasedProgram_isKilledAndReaped(isCancelled: Bool) throws {
    let folder = try TemporaryFolder()
    var isCompleted = false
    var run: ProgramRun? = try ProgramRun(
      loop, path: "/bin/sh", arguments: ["-c", Self.sleeper(folder)], limit: 10,
      timeout: Hang.limit
    ) { _, _ in isCompleted = true }
    let child = try pid(folder, loop)
    #expect(kill(child, 0) == 0)
    if isCancelled {
      run?.cancel()
      try loop.turn { run?.isCollected == true }
    }
    run = nil
    try loop.turn { kill(child, 0) != 0 }
    #expect(errno == ESRCH)
    #expect(!isCompleted)
  }

  @Test func program_inheritsNoDescriptorsVariablesOrSignals() throws {
    let open = dup(0)
    defer { close(open) }
    #expect(open > 2 && fcntl(open, F_GETFD) & FD_CLOEXEC == 0)
    #expect(
      try shell("test -e /proc/$$/fd/1 && ! test -e /proc/$$/fd/\(open)").ending
        == .ended(.exited(0)))
    #expect(try run("/usr/bin/env", []) == Result(ending: .ended(.exited(0)), text: ""))

    signal(SIGPIPE, SIG_IGN)
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGUSR2)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let signals = try run("/bin/grep", ["-E", "^Sig(Blk|Ign)", "/proc/self/status"])
    #expect(signals.ending == .ended(.exited(0)))
    let masks = signals.text.split(separator: "\n").map { line in
      line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
    // glibc reserves two signals above 31 for itself, and ignores them in the programs that it starts. So only the
    // signals below 32 are compared.
    #expect(masks.map { $0.map { $0 & 0x7FFF_FFFF } } == [0, 0], "\(signals.text)")
  }

  @Test func run_canBeReleasedInItsCompletion() throws {
    var run: ProgramRun?
    var isCompleted = false
    run = try ProgramRun(
      loop, path: "/bin/sh", arguments: ["-c", "exit 0"], limit: 10, timeout: Hang.limit
    ) { _, _ in
      run = nil
      isCompleted = true
    }
    try loop.turn { isCompleted }
    #expect(run == nil)
  }
}
