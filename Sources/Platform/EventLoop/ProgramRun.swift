internal import CSystemd
internal import Glibc

/// Runs a program once. Collects its output, up to a limit, and its exit status.
///
/// The program gets its arguments and the three standard descriptors. It gets no other descriptor and no environment
/// variable, and none of its signals is blocked or ignored. It inherits the user, limits, nice value, scheduling policy
/// and OOM score of this process.
///
/// Used on the thread of the loop. The start blocks for a few milliseconds, until the kernel has loaded the program. No
/// other function blocks. If this object is released, the program and all programs that it has started are killed. Soon
/// after that, the program is collected: `waitpid` removes its entry from the kernel's process table.
public final class ProgramRun {
  /// The way in which the program ended.
  public enum Ending: Equatable, Sendable {
    /// The program exited, or a signal of another process ended it.
    case ended(ChildSource.Ending)
    /// The program ran longer than allowed and is being killed.
    case timedOut
    /// The program printed more than allowed and is being killed.
    case tooMuchOutput
  }

  private let descriptor: Int32
  private let limit: Int
  private let program: StartedProgram
  private var bytes: [UInt8] = []
  private var output: DescriptorSource?
  private var timer: TimerSource?
  private var completion: ((Ending, [UInt8]) -> Void)?

  /// Starts a program. Its standard input is `/dev/null`.
  /// - Parameters:
  ///   - path: path of the file; `PATH` is not searched.
  ///   - arguments: the arguments without the name of the program.
  ///   - limit: the maximum number of bytes on standard output and standard error together.
  ///   - timeout: the maximum run time.
  ///   - completion: called once, by the loop, with all output until the end of the run.
  /// - Throws: if the program cannot be started.
  public init(
    _ loop: EventLoop, path: String, arguments: [String], limit: Int, timeout: Duration,
    completion: @escaping (Ending, [UInt8]) -> Void
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    if csd_pipe(&ends) < 0 { throw SystemError("pipe2", errno) }
    let reading = ends[0]
    descriptor = reading
    self.limit = limit
    defer { close(ends[1]) }
    do throws(SystemError) {
      program = StartedProgram(
        loop, try Spawn.start(path, arguments, output: ends[1], leadsGroup: true))
    } catch {
      close(reading)
      throw error
    }
    self.completion = completion
    do throws(SystemError) {
      output = try DescriptorSource(loop, descriptor: reading) { [weak self] _ in self?.read() }
    } catch {
      program.kill()
      close(reading)
      throw error
    }
    program.onEnd = { [weak self] in self?.finish(.ended($0)) }
    timer = TimerSource(loop, accuracy: .milliseconds(20)) { [weak self] in
      self?.finish(.timedOut)
    }
    timer?.set(after: timeout)
  }

  deinit { cancel() }

  /// Kills the program. The completion is not called. Has no effect after the completion or after an earlier call.
  public func cancel() {
    completion = nil
    stop()
  }

  /// True if the program has ended and is collected.
  public var isCollected: Bool { program.isCollected }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else {
      // The program closes its end of the pipe shortly before it ends. So this object now begins to poll for the end of
      // the program.
      endReading()
      program.collect()
      return
    }
    guard bytes.count + count <= limit else { return finish(.tooMuchOutput) }
    bytes += buffer[..<count]
  }

  private func finish(_ ending: Ending) {
    let callback = completion
    completion = nil
    stop()
    callback?(ending, bytes)
  }

  private func stop() {
    endReading()
    timer?.cancel()
    timer = nil
    program.onEnd = nil
    program.kill()
  }

  private func endReading() {
    guard let output else { return }
    self.output = nil
    output.cancel()
    close(descriptor)
  }
}

/// A started program that is not collected yet. The timer holds a reference to this object until the program is
/// collected, so that no zombie remains after all other references are released.
///
/// This object polls with `waitpid`. A pidfd is not used, because the system refuses it if no descriptor is free.
private final class StartedProgram {
  private let loop: EventLoop
  private let pid: pid_t
  private var timer: TimerSource?
  private var wait = Duration.milliseconds(1)
  private(set) var isCollected = false
  /// Called once, when the program is collected.
  var onEnd: ((ChildSource.Ending) -> Void)?

  init(_ loop: EventLoop, _ pid: pid_t) {
    self.loop = loop
    self.pid = pid
  }

  func kill() {
    // After the program is collected, its process number can belong to another process.
    guard !isCollected else { return }
    Glibc.kill(-pid, SIGKILL)
    wait = .milliseconds(1)
    collect()
  }

  /// Collects the program if it has ended. If it still runs, tries again later. Does not block.
  func collect() {
    guard !isCollected else { return }
    var status: Int32 = 0
    let answer = waitpid(pid, &status, WNOHANG)
    if answer == 0 || (answer < 0 && errno == EINTR) {
      // The loop has ended, so this process ends soon. Then the system collects the program.
      if loop.hasEnded { return }
      let timer = timer ?? TimerSource(loop) { [self] in collect() }
      self.timer = timer
      timer.set(after: wait)
      wait = min(wait * 2, .seconds(1))
      return
    }
    isCollected = true
    timer?.cancel()
    timer = nil
    let callback = onEnd
    onEnd = nil
    // If this process ignores SIGCHLD, the kernel keeps no status. In this case `status` is 0.
    callback?(ChildSource.Ending(waitStatus: status))
  }
}
