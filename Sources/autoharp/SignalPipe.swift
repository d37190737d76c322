import Glibc

/// Signals as bytes in a pipe, so that one `poll` waits for them too. A handler may only do what
/// POSIX calls async-signal-safe, and `write` is.
struct SignalPipe {
  private static let ends: (read: Int32, write: Int32) = {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { preconditionFailure("pipe: out of descriptors") }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }()

  /// For `poll`.
  let descriptor: Int32

  /// Catches `signals` from now on. A pipe that nobody reads any more must not kill the program
  /// before it has put the terminal back, so SIGPIPE is ignored.
  init(catching signals: [Int32]) {
    descriptor = Self.ends.read
    signal(SIGPIPE, SIG_IGN)
    // Whoever started the program may have left them blocked.
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in signals { sigaddset(&mask, number) }
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    for number in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        var byte = UInt8(truncatingIfNeeded: number)
        let saved = errno
        _ = write(SignalPipe.ends.write, &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  /// Gives the signals back to the system: from now on they end the program at once, should a
  /// device keep it from ending by itself.
  func release() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// Signals that arrived since the last call, oldest first.
  func take() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map { Int32($0) } : []
  }
}
