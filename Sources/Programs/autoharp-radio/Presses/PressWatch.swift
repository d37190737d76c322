internal import CBluetooth
internal import Glibc

/// Writes when a phone's press came off the radio, and nothing else: eight bytes a press, the moment in
/// nanoseconds of CLOCK_MONOTONIC, the low byte first. Blocks until nobody reads them any more.
///
/// The channel that it reads from needs CAP_NET_RAW and shows all that every controller says. The
/// kernel's filter keeps from it what is no data (link keys among it) and all but the beginning of that;
/// what it keeps of the rest is the numbers of channels. It is handed the socket of whoever wants the
/// times, and opens nothing else.
/// - Returns: what to say at the end, and the exit status.
func watchPresses() -> (words: String, status: Int32) {
  /// The first descriptor that the service manager hands over (sd_listen_fds).
  let wanted: Int32 = 3
  guard let count = getenv("LISTEN_FDS"), String(cString: count) == "1" else {
    return ("autoharp-radio.service starts it so, and hands it a socket; see --help", 2)
  }
  let monitor = cbluetooth_open_monitor()
  guard monitor >= 0 else { return ("no monitor: \(String(cString: strerror(-monitor)))", 1) }

  var finder = PressFinder()
  var bytes = [UInt8](repeating: 0, count: cbluetooth_monitor_bytes)
  while true {
    var age: Int64 = 0
    let count = cbluetooth_read_monitor(monitor, &bytes, UInt32(bytes.count), &age)
    guard count >= 0 else { return ("the monitor: \(String(cString: strerror(-count)))", 1) }
    guard finder.take(bytes[..<Int(count)]) else { continue }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    // The kernel stamps with the time of day; where that was set in between, the press is now.
    let nanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    let moment = nanoseconds - ((0...1_000_000).contains(age) ? age * 1000 : 0)
    let sent = withUnsafeBytes(of: moment.littleEndian) {
      send(wanted, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    // Who does not read in time misses one; who has gone wants no more.
    if sent < 0, errno != EAGAIN, errno != EINTR { return ("nobody listens any more", 0) }
  }
}
