internal import CSystemd
internal import Glibc

/// Starts programs. A program gets its arguments and the three standard descriptors. Unless it is requested, it gets no
/// other descriptor and no environment variable, and none of its signals is blocked or ignored. It inherits the user,
/// limits, nice value, scheduling policy and OOM score of this process.
public enum Spawn {
  /// Starts a program. Blocks for a few milliseconds, until the kernel has loaded the program.
  /// - Parameters:
  ///   - path: path of the file; `PATH` is not searched.
  ///   - arguments: the arguments without the name of the program.
  ///   - input: standard input; nil for `/dev/null`. The number must be above 2.
  ///   - output: standard output.
  ///   - error: standard error; nil for the same file as `output`. The number must be above 1.
  ///   - third: descriptor 3; nil for none. The number must be above 2.
  ///   - leadsGroup: true to make the program the leader of a process group. A signal to this group also reaches the
  ///     programs that the program has started.
  ///   - inheritsEnvironment: true to pass on the environment variables of this process.
  public static func start(
    _ path: String, _ arguments: [String], input: Int32? = nil, output: Int32,
    error: Int32? = nil, third: Int32? = nil, leadsGroup: Bool = false,
    inheritsEnvironment: Bool = false
  ) throws(SystemError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // `output` is duplicated first, because it can have any number. Its number can be 0 or 2, which the next calls
    // overwrite.
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, error ?? STDOUT_FILENO, STDERR_FILENO)
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let third { posix_spawn_file_actions_adddup2(&actions, third, STDERR_FILENO + 1) }
    posix_spawn_file_actions_addclosefrom_np(
      &actions, STDERR_FILENO + (third == nil ? 1 : 2))
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    var strings: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in strings { free(word) } }
    var variables: [UnsafeMutablePointer<CChar>?] = [nil]
    var child = pid_t()
    let status = variables.withUnsafeMutableBufferPointer { none in
      posix_spawn(
        &child, path, &actions, &attributes, &strings,
        inheritsEnvironment ? csd_environment() : none.baseAddress)
    }
    guard status == 0 else { throw SystemError("posix_spawn", status) }
    return child
  }
}
