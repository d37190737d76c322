internal import Glibc

/// Delivers signals as bytes in a pipe, so that one `poll` waits for them together with other descriptors. A signal
/// handler must call only functions that POSIX lists as async-signal-safe, such as `write`.
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

  /// The read end of the pipe, for `poll`.
  package let descriptor: Int32
  private let caught: [Int32]

  /// Catches `signals` from now on. If SIGHUP is ignored at start (`nohup`), it stays ignored. SIGPIPE is ignored.
  /// Otherwise a write to a closed pipe could end the program before the program has restored the terminal.
  package init(catching signals: [Int32]) {
    descriptor = Self.ends.read
    caught = signals.filter { !($0 == SIGHUP && Self.isIgnored($0)) }
    signal(SIGPIPE, SIG_IGN)
    // If the parent process has blocked these signals, this process has inherited the block. So they are unblocked
    // here.
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
    // Swift cannot compare functions. SIG_IGN is really a number, so the numbers are compared.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Suspends the program as Ctrl-Z does, and returns when the program is resumed. SIGTSTP is used, because the kernel
  /// ignores SIGTSTP in an orphaned process group. SIGSTOP would suspend the program there, and no shell could resume
  /// it.
  package func suspend() {
    var action = sigaction()
    var caught = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &action, &caught)
    raise(SIGTSTP)
    sigaction(SIGTSTP, &caught, nil)
  }

  /// Restores the default action of the signals that end the program. After this call these signals end the program
  /// immediately. This is necessary if the program waits for a device that does not answer, and so cannot end by
  /// itself.
  package func release() {
    for number in caught where [SIGINT, SIGTERM, SIGHUP].contains(number) {
      signal(number, SIG_DFL)
    }
  }

  /// Returns the signals that arrived since the last call, oldest first. At most 64 signals are returned. The call does
  /// not block.
  package func take() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map { Int32($0) } : []
  }
}
