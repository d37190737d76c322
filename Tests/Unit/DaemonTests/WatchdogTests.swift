import Control
import EventLoop
import Foundation
import Glibc
import Reports
import Synchronization
import TestKit
import Testing
import UnitState

@testable import Daemon

/// The watchdog of systemd, with a fake service manager in place of systemd. If a daemon stops feeding the watchdog,
/// the manager ends the daemon, and the next daemon continues at the last position.
@Suite(.serialized) struct WatchdogTests {
  private let interval = Duration.seconds(2)

  /// Starts a daemon, and waits until it plays and feeds the watchdog.
  private func start(_ home: ServeProcess.Home, _ manager: FakeServiceManager) throws
    -> ServeProcess
  {
    let daemon = try ServeProcess(home, environment: manager.environment(watchdog: interval))
    #expect(manager.waits(for: "READY=1"))
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil, "\(daemon.log)")
    #expect(manager.waits(for: "WATCHDOG=1"))
    return daemon
  }

  /// Checks that the daemon no longer feeds the watchdog. Then ends it, and checks that the next daemon continues.
  private func isRestarted(
    _ daemon: ServeProcess, _ home: ServeProcess.Home, _ manager: FakeServiceManager
  ) throws {
    #expect(manager.hasNoWatchdogMessage(for: interval))
    manager.end(daemon)
    let next = try start(home, manager)
    #expect(next.logged(.musicResumed))
    let boot = try ConsoleProcess(home.socket, ["boot"])
    #expect(boot.output.contains("last end"), "\(boot)")
    #expect(next.end() == 0)
  }

  private func home(_ lines: [String] = []) throws -> ServeProcess.Home {
    let home = try ServeProcess.Home(["start = play"] + lines)
    try home.music("a", seconds: 600)
    return home
  }

  @Test func stoppedDaemon_isRestarted_andResumes() throws {
    let home = try home()
    let manager = try FakeServiceManager(home.folder.path("notify"))
    let daemon = try start(home, manager)
    #expect(try SavedUnitState(home).waits { $0.file != nil })
    daemon.send(SIGSTOP)
    // The console reports that the daemon hangs.
    let status = try ConsoleProcess(home.socket, ["status"], options: ["--json"])
    #expect(status.status == 3 && status.output.contains("\"daemon\": \"hangs\""), "\(status)")
    try isRestarted(daemon, home, manager)
  }

  /// A tracer stops only the control thread. The sound continues.
  @Test(.enabled(if: getuid() == 0, "only root may trace"))
  func hangingControlLoop_isRestarted_andResumes() throws {
    let home = try home()
    let manager = try FakeServiceManager(home.folder.path("notify"))
    let daemon = try start(home, manager)
    #expect(try SavedUnitState(home).waits { $0.file != nil })
    let tracer = ChildProcess()
    tracer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tracer.arguments = ["python3", "-c", Self.holdOneThread, "\(daemon.pid)"]
    let output = Pipe()
    tracer.standardOutput = output
    try tracer.run()
    // The tracer normally ends when the daemon ends. This line kills it in any case.
    defer { kill(tracer.processIdentifier, SIGKILL) }
    // Only the beginning of the line is compared, because the rest can arrive later.
    try #require(output.fileHandleForReading.availableData.starts(with: Data("held".utf8)))
    try isRestarted(daemon, home, manager)
  }

  /// PTRACE_SEIZE and PTRACE_INTERRUPT stop only the given thread.
  private static let holdOneThread = """
    import ctypes, os, sys
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    pid = int(sys.argv[1])
    done = libc.ptrace(0x4206, pid, None, None) == 0 and libc.ptrace(0x4207, pid, None, None) == 0
    print("held" if done else "refused", flush=True)
    # When a traced process ends, first its tracer must collect its status with waitpid. After that,
    # the parent of the process can collect the status.
    while done:
        status = os.waitpid(pid, 0x40000000)[1]
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            break
    """

  /// A loop that is always busy does not hang, so it must feed the watchdog. Phones and clients can send any number of
  /// calls.
  @Test func busyLoop_notifiesTheWatchdog() throws {
    let home = try home()
    let manager = try FakeServiceManager(home.folder.path("notify"))
    let daemon = try start(home, manager)
    let clients = try (0..<4).map { _ in try #require(RawPeer(home.socket)) }
    let flood = Flood(clients.map(\.descriptor))
    #expect(flood.waits(forAnswers: 1000))
    while manager.message(within: 0) != nil {}
    for _ in 0..<3 { #expect(manager.waits(for: "WATCHDOG=1")) }
    let answers = flood.end()
    #expect(answers > 1000)
    withExtendedLifetime(clients) {}
    #expect(daemon.end() == 0)
  }

  /// Clients that always have more calls pending than the event loop answers in one step.
  private final class Flood: Sendable {
    private struct State {
      var bytes = 0
      var isOver = false
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(_ descriptors: [Int32]) {
      Thread.detachNewThread { [self] in
        run(descriptors)
        ended.signal()
      }
    }

    private func run(_ descriptors: [Int32]) {
      let call = RawPeer.call(
        path: ControlInterface.path, interface: NowPlaying1.interface.name,
        member: "GetState")
      let calls = Array(repeatElement(call, count: 64).joined())
      // The position of each client in `calls`. A call that was sent only in part is continued later.
      var sent = descriptors.map { _ in 0 }
      var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN | POLLOUT), revents: 0) }
      var answers = [UInt8](repeating: 0, count: 1 << 16)
      while !state.withLock({ $0.isOver }), poll(&entries, nfds_t(entries.count), 1000) >= 0 {
        for index in entries.indices {
          let descriptor = descriptors[index]
          if entries[index].revents & Int16(POLLIN) != 0 {
            let count = recv(descriptor, &answers, answers.count, Int32(MSG_DONTWAIT))
            if count > 0 { state.withLock { $0.bytes += count } }
          }
          if entries[index].revents & Int16(POLLOUT) != 0 {
            let count = calls[sent[index]...].withUnsafeBytes {
              Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if count > 0 { sent[index] = (sent[index] + count) % calls.count }
          }
        }
      }
    }

    /// Waits until `100 * count` bytes of answers have arrived. If each answer has 100 bytes or more, these bytes
    /// contain `count` answers or fewer.
    func waits(forAnswers count: Int) -> Bool {
      let end = ContinuousClock.now + Hang.limit
      while state.withLock({ $0.bytes }) < 100 * count {
        if ContinuousClock.now > end { return false }
        usleep(1000)
      }
      return true
    }

    /// Ends the calls. Returns the number of received bytes divided by 100. If each answer has 100 bytes or more, the
    /// real number of answers is not larger than this result.
    func end() -> Int {
      state.withLock { $0.isOver = true }
      ended.wait()
      return state.withLock { $0.bytes } / 100
    }
  }

  /// The control loop runs, but the output makes no progress: it is a pipe whose reader never reads.
  @Test func stalledOutput_isRestarted_andItsReasonIsKept() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let reader = open(folder.path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let home = try home(["output = wav:\(folder.path("pipe"))"])
    let manager = try FakeServiceManager(home.folder.path("notify"))
    let daemon = try ServeProcess(home, environment: manager.environment(watchdog: interval))
    #expect(manager.waits(for: "READY=1"))
    #expect(daemon.waits(for: .unitStalled) != nil, "\(daemon.log)")
    #expect(manager.hasNoWatchdogMessage(for: interval))
    manager.end(daemon)
    try home.configure(["start = play"])
    let next = try start(home, manager)
    let boot = try ConsoleProcess(home.socket, ["boot"])
    #expect(boot.output.contains(OutputProgress.stallMessage), "\(boot)")
    #expect(next.end() == 0)
  }
}
