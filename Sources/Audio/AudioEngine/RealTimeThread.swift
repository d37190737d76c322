internal import CRealtime
internal import Glibc
internal import Threads

/// What makes the output thread a real-time thread. Above the line, once, on the thread itself.
enum RealTimeThread {
  /// Below 50, where the kernel's interrupt threads run: the sound card's own must come first, or
  /// it cannot say that it wants frames.
  static let priority: Int32 = 45

  /// Takes the calling thread before all ordinary ones, and keeps its memory from being paged
  /// out. Refused, it works on as an ordinary thread.
  ///
  /// - Returns: what was refused and what would allow it, for people; nil where nothing was.
  static func enter() -> String? {
    var refused: [String] = []
    let status = rt_set_fifo(priority)
    if status != 0 {
      refused.append(
        "real-time priority (\(systemWords(status)); allow it with RLIMIT_RTPRIO or CAP_SYS_NICE)")
    }
    rt_prefault_stack()
    if !mayLockAll || rt_lock_memory() != 0 {
      refused.append("locked memory (allow it with RLIMIT_MEMLOCK unlimited, or CAP_IPC_LOCK)")
    }
    return refused.isEmpty ? nil : refused.joined(separator: ", and no ")
  }

  /// Under a limit that is large enough for now, a later allocation would fail instead, and end
  /// the process: then rather nothing is locked. Root has the capability, where it was not taken
  /// away, and then locking fails at once.
  private static var mayLockAll: Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else {
      return false
    }
    return limit.rlim_cur == rlim_t.max || geteuid() == 0
  }
}
