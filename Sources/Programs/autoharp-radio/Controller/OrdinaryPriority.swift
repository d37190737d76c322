internal import Glibc

/// Gives up what this process has inherited of a daemon that goes before others: real time, its nice
/// value, and that it is ended last where memory is short. What has less already keeps it. A call that
/// the kernel refuses changes nothing of what the program does, so no error is told.
func takeOrdinaryPriority() {
  var priority = sched_param(sched_priority: 0)
  sched_setscheduler(0, SCHED_OTHER, &priority)
  // The values of autoharp-radio.service.
  let nice: Int32 = 5
  if getpriority(Int32(PRIO_PROCESS.rawValue), 0) < nice {
    setpriority(Int32(PRIO_PROCESS.rawValue), 0, nice)
  }
  raiseScore(to: 500)
}

private func raiseScore(to wanted: Int) {
  let file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)
  guard file >= 0 else { return }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 16)
  let count = read(file, &bytes, bytes.count)
  let text = String(decoding: bytes.prefix(max(0, count)).filter { $0 > 0x20 }, as: UTF8.self)
  guard let score = Int(text), score < wanted else { return }
  let digits = Array("\(wanted)".utf8)
  _ = pwrite(file, digits, digits.count, 0)
}
