import Glibc
import Synchronization
import Testing

import Threads

@Suite struct NamedThreadTests {
  private static let sent = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGUSR1, SIGALRM, SIGCHLD]
  private static let own = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT]

  /// The elements of `signals` that the calling thread blocks.
  private static func blocked(_ signals: [Int32]) -> [Int32] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return signals.filter { sigismember(&mask, $0) == 1 }
  }

  @Test func thread_blocksAllSignalsExceptThoseOfACrash() {
    let inThread = Mutex<[Int32]>([])
    NamedThread("test") {
      inThread.withLock { $0 = Self.blocked(Self.sent + Self.own) }
    }.join()
    #expect(inThread.withLock { $0 } == Self.sent)
  }

  @Test func init_keepsTheSignalMaskOfTheCreator() {
    let before = Self.blocked(Self.sent)
    NamedThread("test") {}.join()
    #expect(Self.blocked(Self.sent) == before)
  }
}
