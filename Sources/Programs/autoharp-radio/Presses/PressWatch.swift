internal import CBluetooth
internal import Glibc

/// For each press of a phone, writes the time at which the radio received the press: eight bytes,
/// nanoseconds of CLOCK_MONOTONIC, little endian. Blocks until the reader has closed the socket.
///
/// The monitor channel needs CAP_NET_RAW and shows the traffic of all controllers. Only three kinds
/// of monitor frames pass a filter in the kernel: data, ended links and removed controllers. The
/// filter also truncates each monitor frame to its first 64 bytes. So link keys never reach this
/// process. The program stores only the numbers of channels. The service manager passes the socket
/// of the reader. The program itself opens only the monitor channel.
/// - Returns: the final message and the exit status.
func watchPresses() -> (message: String, status: Int32) {
  /// The number of the first descriptor that the service manager passes (sd_listen_fds).
  let reader: Int32 = 3
  guard let count = getenv("LISTEN_FDS"), String(cString: count) == "1" else {
    return ("no socket: only autoharp-radio.service starts the program without arguments", 2)
  }
  let monitor = cbluetooth_open_monitor()
  guard monitor >= 0 else {
    return ("the monitor channel cannot be opened: \(String(cString: strerror(-monitor)))", 1)
  }

  var finder = PressFinder()
  var bytes = [UInt8](repeating: 0, count: cbluetooth_monitor_bytes)
  while true {
    var age: Int64 = 0
    let count = cbluetooth_read_monitor(monitor, &bytes, UInt32(bytes.count), &age)
    guard count >= 0 else {
      return ("the monitor channel cannot be read: \(String(cString: strerror(-count)))", 1)
    }
    guard finder.take(bytes[..<Int(count)]) else { continue }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    // The time stamps of the kernel are times of day. If the clock was set between the press and
    // this moment, `age` may be outside the range. Then the present time is used.
    let nanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    let moment = nanoseconds - ((0...1_000_000).contains(age) ? age * 1000 : 0)
    let sent = withUnsafeBytes(of: moment.littleEndian) {
      send(reader, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    // If the reader is too slow, a press is lost. If the reader has closed the socket, the program
    // ends.
    if sent < 0, errno != EAGAIN, errno != EINTR { return ("the reader has closed the socket", 0) }
  }
}
