import CSeccomp
import Glibc
import PictureExchange

/// Takes from this process all rights that it does not need.
enum Sandbox {
  /// The maximum size of the writable memory of the process, in bytes (RLIMIT_DATA). The mapped picture file does not
  /// count.
  static let memory: UInt64 = 40 << 20
  /// The processor time of the process, in seconds. After this time, a signal ends the process.
  static let seconds: UInt64 = 10

  /// Takes the rights away. Returns false if this fails. In this case no byte of the picture must be read.
  /// - Parameter resultBytes: the maximum size of the result.
  static func enter(resultBytes: Int) -> Bool {
    // If the caller ends, no other process waits for the result, so this process ends too.
    guard scmp_end_with_parent(SIGKILL) == 0 else { return false }
    let limits: [(Int32, UInt64)] = [
      (Int32(RLIMIT_DATA.rawValue), memory), (Int32(RLIMIT_CPU.rawValue), seconds),
      (Int32(RLIMIT_FSIZE.rawValue), UInt64(resultBytes)), (Int32(RLIMIT_CORE.rawValue), 0),
      (Int32(RLIMIT_NOFILE.rawValue), 0),
    ]
    return limits.allSatisfy { scmp_limit($0, $1) == 0 } && filterSystemCalls()
  }

  /// Permits only the following system calls. Any other call ends the process.
  private static func filterSystemCalls() -> Bool {
    guard let filter = seccomp_init(scmp_kill()) else { return false }
    defer { seccomp_release(filter) }
    let anyArguments = [
      "write", "munmap", "mremap", "brk", "madvise", "futex", "clock_gettime", "getrandom",
      "rt_sigreturn", "exit", "exit_group",
    ]
    let noCode = scmp_is(2, UInt32(PROT_EXEC), 0)
    let noFile = scmp_is(4, .max, .max)
    let sealing = scmp_is(1, .max, UInt32(PictureFile.sealCommand))
    return anyArguments.allSatisfy { permit(filter, $0, []) }
      // With these two calls, the process can get memory, but it can map neither files nor executable code.
      && permit(filter, "mmap", [noCode, noFile]) && permit(filter, "mprotect", [noCode])
      && permit(filter, "fcntl", [sealing])
      // libjpeg-turbo tries to read /proc/cpuinfo on ARM, and continues without this file.
      && rule(filter, scmp_errno(EACCES), "openat", [])
      && rule(filter, scmp_errno(EACCES), "open", []) && seccomp_load(filter) == 0
  }

  private static func permit(
    _ filter: scmp_filter_ctx, _ name: String, _ conditions: [scmp_arg_cmp]
  ) -> Bool { rule(filter, scmp_allow(), name, conditions) }

  private static func rule(
    _ filter: scmp_filter_ctx, _ action: UInt32, _ name: String, _ conditions: [scmp_arg_cmp]
  ) -> Bool {
    // Some processor architectures lack some calls, for example `open`. The number of such a call is negative.
    // libseccomp then ignores or replaces the call.
    let number = seccomp_syscall_resolve_name(name)
    guard number != __NR_SCMP_ERROR else { return false }
    return seccomp_rule_add_array(filter, action, number, UInt32(conditions.count), conditions) == 0
  }
}
