internal import Glibc
internal import Threads

/// Runs a program in the terminal of the console. The console does not use the terminal until the program ends.
enum ChildProcess {
  /// Runs the program `path` with the streams of this process. If the error output is not a terminal, the program gets
  /// the standard output in its place. Blocks until the program has ended. Returns an error
  /// message if the program could not be started, otherwise nil.
  static func run(_ path: String) -> String? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This process ignores SIGPIPE. A shell and its children must not ignore SIGPIPE, so the default action is restored
    // for them.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // The unit of the console sends its error messages to the journal. Those of a shell, and its prompt, belong to the
    // terminal.
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if isatty(STDERR_FILENO) == 0 {
      posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    }
    var child = pid_t()
    let name = strdup(path)
    defer { free(name) }
    var arguments: [UnsafeMutablePointer<CChar>?] = [name, nil]
    let status = posix_spawn(&child, path, &actions, &attributes, &arguments, environ)
    guard status == 0 else { return systemWords(status) }
    var result: Int32 = 0
    while waitpid(child, &result, 0) < 0, errno == EINTR {}
    return nil
  }
}
