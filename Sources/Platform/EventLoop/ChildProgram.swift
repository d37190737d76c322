internal import Glibc
public import Threads

/// A program that a thread starts and waits for. When the wait ends, all programs that this program has started are
/// killed.
public struct ChildProgram: ~Copyable {
  /// The way in which the program ended.
  public enum Ending: Sendable {
    /// The program exited with this status.
    case exited(Int32)
    /// A signal ended the program.
    case killed(Int32)
    /// The program ran longer than allowed and was killed.
    case timedOut
    /// The caller no longer needs the result, so the program was killed.
    case interrupted
  }

  /// Lets another thread end ``ChildProgram/wait(_:unless:)`` early.
  public struct Interruption {
    let wake: WakeUp
    let isDue: () -> Bool

    /// - Parameters:
    ///   - wake: the other thread signals this wake-up when the result of `isDue` can have changed. The waiting thread
    ///     clears the signal.
    ///   - isDue: called after each signal. If it returns true, the program is killed.
    public init(_ wake: WakeUp, isDue: @escaping () -> Bool) {
      self.wake = wake
      self.isDue = isDue
    }
  }

  private let process: pid_t
  /// The maximum number of bytes on standard error. A program that prints more is killed, because reading and dropping
  /// its messages takes time.
  private static let maximumOutput = 256 << 10
  /// The read end of a pipe. The write end is the standard error of the program. The kernel closes the write end when
  /// the program exits. So a thread can wait for the exit with `poll`, which has a time limit.
  private let pipe: Int32

  /// Starts a program. See ``Spawn/start(_:_:input:output:error:)``.
  public init(
    _ path: String, _ arguments: [String], input: Int32, output: Int32
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemError("pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    do throws(SystemError) {
      process = try Spawn.start(
        path, arguments, input: input, output: output, error: ends[1], leadsGroup: true)
    } catch {
      close(ends[0])
      throw error
    }
    pipe = ends[0]
  }

  deinit { close(pipe) }

  /// Waits until the program ends. If the time limit passes first, or if the wait is interrupted, kills the program.
  public consuming func wait(
    _ timeout: Duration, unless interruption: Interruption? = nil
  ) -> Ending {
    let reason = waitForEnd(timeout, interruption)
    // This also kills a program that has closed its standard error but does not exit. The status of a program that is
    // already exiting does not change.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    switch reason {
    case .ended: break
    case .timedOut: return .timedOut
    case .interrupted: return .interrupted
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }

  private enum Reason {
    case ended, timedOut, interrupted
  }

  /// Reads and drops what the program writes to standard error, until the program ends.
  private borrowing func waitForEnd(_ timeout: Duration, _ interruption: Interruption?) -> Reason {
    // `ContinuousClock` is not used, because it would link the concurrency runtime and Dispatch into the program.
    let begin = EventClock.monotonic.now
    var buffer = [UInt8](repeating: 0, count: 1024)
    var output = 0
    while true {
      if let interruption, interruption.isDue() { return .interrupted }
      let left = timeout - .nanoseconds(EventClock.monotonic.now - begin)
      guard left > .zero else { return .timedOut }
      // `poll` ignores a negative descriptor.
      var waits = [
        pollfd(fd: pipe, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption?.wake.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let milliseconds = min(left / .milliseconds(1), 60_000)
      guard poll(&waits, 2, Int32(milliseconds) + 1) > 0 else { continue }
      if waits[1].revents != 0 { interruption?.wake.clear() }
      guard waits[0].revents != 0 else { continue }
      let count = read(pipe, &buffer, buffer.count)
      if count == 0 || (count < 0 && errno != EINTR) { return .ended }
      output += max(0, count)
      if output > Self.maximumOutput { return .ended }
    }
  }
}
