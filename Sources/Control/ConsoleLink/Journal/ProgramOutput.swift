internal import EventLoop
internal import Glibc

/// Reads the output of a program on the loop. The console uses this type to read the journal.
final class ProgramOutput {
  /// The reason why no further output is read.
  enum Ending {
    case ended
    /// The program takes too long, or prints too much.
    case limit
  }

  /// The maximum number of bytes. Further output is not read. The journal of the image has 4 MB.
  private static let limit = 32 << 20

  private let pid: pid_t
  private let descriptor: Int32
  private var received = 0
  private var reading: DescriptorSource?
  private var child: ChildSource?
  private var timer: TimerSource?
  private var isStarted = false
  private let onBytes: ([UInt8]) -> Bool
  private var completion: ((Ending) -> Void)?

  /// Starts a program, which is searched in `PATH`. Returns nil if the program cannot be started.
  /// - Parameters:
  ///   - timeLimit: the maximum run time.
  ///   - onBytes: called with each part of the standard output and of the standard error. Returns false if no further
  ///     output is needed.
  ///   - completion: called once, when the program has ended, was ended by `onBytes`, or has reached a limit.
  init?(
    _ loop: EventLoop, _ arguments: [String], timeLimit: Duration,
    onBytes: @escaping ([UInt8]) -> Bool, _ completion: @escaping (Ending) -> Void
  ) {
    self.onBytes = onBytes
    var ends: [Int32] = [-1, -1]
    guard let program = arguments.first, pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // This process ignores SIGPIPE. The program must not ignore SIGPIPE, so that the program ends when its output is
    // not read.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var child = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let status = posix_spawnp(&child, program, &actions, &attributes, &words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(ends[1])
    (pid, descriptor) = (child, ends[0])
    // All stored properties are set at this point, so `deinit` runs and closes the descriptor even if the start has
    // failed.
    guard status == 0 else { return nil }
    isStarted = true
    self.completion = completion
    reading = try? DescriptorSource(loop, descriptor: descriptor) { [weak self] _ in self?.read() }
    self.child = try? ChildSource(loop, pid: child) { _ in }
    let timer = TimerSource(loop) { [weak self] in self?.finish(.limit) }
    timer.set(after: timeLimit)
    self.timer = timer
  }

  deinit {
    reading?.cancel()
    timer?.cancel()
    collect()
    close(descriptor)
  }

  /// If the loop has not reported the end of the program, kills the program and calls `waitpid`. Otherwise the program
  /// would stay in the process table as a zombie. A killed program ends immediately, so the wait is short.
  private func collect() {
    guard isStarted, child?.isAlive ?? true else { return }
    child?.cancel()
    kill(pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return finish(.ended) }
    received += count
    guard onBytes(Array(buffer[..<count])) else { return finish(.ended) }
    if received >= Self.limit { finish(.limit) }
  }

  private func finish(_ ending: Ending) {
    reading?.cancel()
    timer?.stop()
    let handler = completion
    completion = nil
    handler?(ending)
  }
}
