internal import CRealtime
internal import Glibc
internal import Threads

/// Makes the output thread a real-time thread. The thread calls ``enter()`` once, above the real-time line.
enum RealTimeThread {
  /// The priority is below 50, which is the priority of the kernel's interrupt threads. The interrupt thread of the
  /// sound card must run first, because it reports that the card needs frames.
  static let priority: Int32 = 45

  /// Gives the calling thread real-time priority (SCHED_FIFO). Locks the memory of the process, so that it is not paged
  /// out. If the system refuses the priority, the thread continues as an ordinary thread.
  ///
  /// - Returns: text for the user: what was refused, and what would allow it. Nil if nothing was refused.
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

  /// False if RLIMIT_MEMLOCK limits the locked memory. Even if the limit is large enough now, a later allocation would
  /// fail and end the process. For root the limit does not matter: root normally has CAP_IPC_LOCK, which removes the
  /// limit. If root does not have this capability, locking fails at once and does no harm.
  private static var mayLockAll: Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else {
      return false
    }
    return limit.rlim_cur == rlim_t.max || geteuid() == 0
  }
}
