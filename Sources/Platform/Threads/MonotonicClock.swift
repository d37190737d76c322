internal import Glibc

/// CLOCK_MONOTONIC, which cannot be set. It stops while the machine is suspended. Any thread can read it.
package enum MonotonicClock {
  /// Nanoseconds since a fixed moment in the past, which is the same for all processes.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package static var seconds: Double { Double(nanoseconds) / 1e9 }
}
