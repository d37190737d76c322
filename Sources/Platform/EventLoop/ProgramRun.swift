internal import CSystemd
internal import Glibc

/// A program that runs once: what it prints, within bounds, and how it ended.
///
/// It gets nothing of this process but its arguments: no descriptor, no variable of the environment, no
/// blocked or ignored signal. What the kernel hands on stays: user, limits, nice value, scheduling
/// policy, OOM score.
///
/// Thread: the loop's. Nothing waits for the program, except that starting it takes until the kernel has
/// loaded it, a few milliseconds. One that is let go of is killed, and collected soon after.
public final class ProgramRun {
  /// How it ended.
  public enum Ending: Equatable, Sendable {
    /// By itself, with its exit status.
    case exited(Int32)
    /// By a signal.
    case killed(Int32)
    /// It ran longer than it may, and is being killed.
    case outOfTime
    /// It printed more than it may, and is being killed.
    case outOfRoom
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
  ///   - path: of its file; no folder is searched for it.
  ///   - arguments: without its name.
  ///   - limit: the bytes that it may print, on standard output and standard error together.
  ///   - patience: how long it may run.
  ///   - completion: called once, by the loop, with all that it printed until then.
  /// - Throws: where it cannot be started.
  public init(
    _ loop: EventLoop, path: String, arguments: [String], limit: Int, patience: Duration,
    completion: @escaping (Ending, [UInt8]) -> Void
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    if csd_pipe(&ends) < 0 { throw SystemError("pipe2", errno) }
    let reading = ends[0]
    descriptor = reading
    self.limit = limit
    defer { close(ends[1]) }
    do throws(SystemError) {
      program = StartedProgram(loop, try Self.start(path, arguments, output: ends[1]))
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
    program.onEnd = { [weak self] in self?.finish($0) }
    timer = TimerSource(loop, accuracy: .milliseconds(20)) { [weak self] in
      self?.finish(.outOfTime)
    }
    timer?.set(after: patience)
  }

  deinit { cancel() }

  /// Kills it. The completion is not called any more. Again, and after it, it does nothing.
  public func cancel() {
    completion = nil
    stop()
  }

  /// Whether it has ended and its entry in the kernel's table of processes is gone.
  public var isCollected: Bool { program.isCollected }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else {
      // It closes its end shortly before it can be collected.
      endReading()
      program.collect()
      return
    }
    guard bytes.count + count <= limit else { return finish(.outOfRoom) }
    bytes += buffer[..<count]
  }

  private func finish(_ ending: Ending) {
    let tell = completion
    completion = nil
    stop()
    tell?(ending, bytes)
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

  private static func start(
    _ path: String, _ arguments: [String], output: Int32
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // In this order, as `output` may be any number, also one of these three.
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var variables: [UnsafeMutablePointer<CChar>?] = [nil]
    var child = pid_t()
    let status = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
    guard status == 0 else { throw SystemError("posix_spawn", status) }
    return child
  }
}

/// A program until it is collected. Its timer keeps it alive until then, so that no zombie is left behind
/// whoever has let go of it.
///
/// It asks the kernel now and then: a pidfd can be refused where descriptors are short.
private final class StartedProgram {
  private let loop: EventLoop
  private let pid: pid_t
  private var timer: TimerSource?
  private var wait = Duration.milliseconds(1)
  private(set) var isCollected = false
  /// Called once, when it is collected.
  var onEnd: ((ProgramRun.Ending) -> Void)?

  init(_ loop: EventLoop, _ pid: pid_t) {
    self.loop = loop
    self.pid = pid
  }

  func kill() {
    // Afterwards its number may be another's.
    guard !isCollected else { return }
    Glibc.kill(pid, SIGKILL)
    wait = .milliseconds(1)
    collect()
  }

  /// Collects it if it has ended, else tries again soon. Waits for nothing.
  func collect() {
    guard !isCollected else { return }
    var status: Int32 = 0
    let answer = waitpid(pid, &status, WNOHANG)
    if answer == 0 || (answer < 0 && errno == EINTR) {
      let timer = timer ?? TimerSource(loop) { [self] in collect() }
      self.timer = timer
      timer.set(after: wait)
      wait = min(wait * 2, .seconds(1))
      return
    }
    isCollected = true
    timer?.cancel()
    timer = nil
    let tell = onEnd
    onEnd = nil
    // Where this process ignores SIGCHLD, the kernel keeps no status: it is 0 then.
    let signal = status & 0x7F
    tell?(signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal))
  }
}
