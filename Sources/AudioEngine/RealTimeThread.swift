internal import CRealtime
internal import Glibc

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
    if rt_lock_memory() != 0 {
      refused.append(
        "locked memory (\(systemWords(errno)); allow it with RLIMIT_MEMLOCK or CAP_IPC_LOCK)")
    }
    return refused.isEmpty ? nil : refused.joined(separator: ", and no ")
  }
}
