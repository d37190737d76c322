internal import EventLoop
internal import Glibc

/// A program that a thread starts and waits for.
struct ChildProgram: ~Copyable {
  enum Ending {
    case exited(Int32), killed(Int32), timedOut
  }

  private let process: pid_t
  /// The read end of a pipe. The write end is the standard error of the program. The kernel closes
  /// the write end when the program exits. So a thread can wait for the exit with a time limit.
  private let pipe: Int32

  init(_ path: String, _ arguments: [String], input: Int32, output: Int32) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemError("pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    do throws(SystemError) {
      process = try Spawn.start(path, arguments, input: input, output: output, error: ends[1])
    } catch {
      close(ends[0])
      throw error
    }
    pipe = ends[0]
  }

  deinit { close(pipe) }

  /// Waits until the program ends. If the time limit passes first, kills the program.
  consuming func wait(_ timeout: Duration) -> Ending {
    let hasEnded = waitForEnd(timeout)
    // A program that has closed its standard error is ending, or it misbehaves. Killing a program
    // that is ending does not change its status.
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard hasEnded else { return .timedOut }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }

  /// Reads and drops what the program writes to standard error. False if the time limit passed.
  private borrowing func waitForEnd(_ timeout: Duration) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + timeout
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let left = end - clock.now
      guard left > .zero else { return false }
      var wait = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      let milliseconds = min(left / .milliseconds(1), 60_000)
      guard poll(&wait, 1, Int32(milliseconds) + 1) > 0 else { continue }
      let count = read(pipe, &buffer, buffer.count)
      if count == 0 || (count < 0 && errno != EINTR) { return true }
    }
  }
}
