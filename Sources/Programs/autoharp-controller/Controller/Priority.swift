internal import Glibc

/// Lowers the priority that the program has inherited from the daemon: real-time scheduling, the nice value and the low
/// OOM score. No value is changed to a higher priority. Errors are ignored, because they do not change the results of
/// the program.
func dropPriority() {
  var priority = sched_param(sched_priority: 0)
  sched_setscheduler(0, SCHED_OTHER, &priority)
  // The answer is not urgent, so other programs have priority.
  let nice: Int32 = 5
  if getpriority(Int32(PRIO_PROCESS.rawValue), 0) < nice {
    setpriority(Int32(PRIO_PROCESS.rawValue), 0, nice)
  }
  raiseOOMScore(to: 500)
}

private func raiseOOMScore(to minimum: Int) {
  let file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)
  guard file >= 0 else { return }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 16)
  let count = read(file, &bytes, bytes.count)
  let text = String(decoding: bytes.prefix(max(0, count)).filter { $0 > 0x20 }, as: UTF8.self)
  guard let score = Int(text), score < minimum else { return }
  let digits = Array("\(minimum)".utf8)
  _ = pwrite(file, digits, digits.count, 0)
}
