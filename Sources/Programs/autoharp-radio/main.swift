// Says when a phone's press came off the radio, and nothing else: eight bytes a press, the moment in
// nanoseconds of CLOCK_MONOTONIC, the low byte first.
//
// It is a process of its own because the channel that it reads from needs CAP_NET_RAW and shows all
// that every controller says. The kernel's filter keeps from it what is no data (link keys among
// it) and all but the beginning of that; what it keeps of the rest is the numbers of channels. It is
// handed the socket of whoever wants the times, opens nothing else, and takes no argument.

import CBluetooth
import Glibc

/// The first descriptor that the service manager hands over (sd_listen_fds).
private let wanted: Int32 = 3

private func end(_ words: String, _ status: Int32) -> Never {
  let line = "autoharp-radio: \(words)\n"
  _ = write(STDERR_FILENO, line, line.utf8.count)
  exit(status)
}

guard let count = getenv("LISTEN_FDS"), String(cString: count) == "1" else {
  end("it is started by autoharp-radio.service, which hands it a socket", 2)
}
private let monitor = cbluetooth_open_monitor()
guard monitor >= 0 else { end("no monitor: \(String(cString: strerror(-monitor)))", 1) }

private var finder = PressFinder()
private var bytes = [UInt8](repeating: 0, count: cbluetooth_monitor_bytes)

while true {
  var age: Int64 = 0
  let count = cbluetooth_read_monitor(monitor, &bytes, UInt32(bytes.count), &age)
  guard count >= 0 else { end("the monitor: \(String(cString: strerror(-count)))", 1) }
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
  if sent < 0, errno != EAGAIN, errno != EINTR { end("nobody listens any more", 0) }
}
