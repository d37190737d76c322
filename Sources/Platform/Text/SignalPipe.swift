internal import Glibc

/// Signals as bytes in a pipe, so that one `poll` waits for them too. A handler may only do what
/// POSIX calls async-signal-safe, and `write` is.
package struct SignalPipe {
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
  package let descriptor: Int32
  private let caught: [Int32]

  /// Catches `signals` from now on, but for a hang-up that the program was started to outlive
  /// (`nohup`). A pipe that nobody reads any more must not kill the program before it has put the
  /// terminal back, so SIGPIPE is ignored.
  package init(catching signals: [Int32]) {
    descriptor = Self.ends.read
    caught = signals.filter { !($0 == SIGHUP && Self.isIgnored($0)) }
    signal(SIGPIPE, SIG_IGN)
    // Whoever started the program may have left them blocked.
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in caught { sigaddset(&mask, number) }
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    for number in caught {
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

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // Functions cannot be compared, and this one is a number.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Suspends the program as Ctrl-Z does, and returns when it is to go on. By the signal itself and
  /// not by SIGSTOP: where there is no shell that could wake it, the system does not suspend it.
  package func suspend() {
    var action = sigaction()
    var caught = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &action, &caught)
    raise(SIGTSTP)
    sigaction(SIGTSTP, &caught, nil)
  }

  /// Gives the signals back to the system: from now on they end the program at once, should a
  /// device keep it from ending by itself.
  package func release() {
    for number in caught where [SIGINT, SIGTERM, SIGHUP].contains(number) {
      signal(number, SIG_DFL)
    }
  }

  /// Signals that arrived since the last call, oldest first.
  package func take() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map { Int32($0) } : []
  }
}
