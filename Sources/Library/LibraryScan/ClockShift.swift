internal import Files

/// Recognises that the times of all files have moved by the same quarter hours.
///
/// FAT stores the local time. If the zone or the summer time of the machine differs from that of an earlier scan, the
/// time of each file is shifted, and no file has changed.
struct ClockShift {
  /// True if the file system stores the local time.
  private let isPossible: Bool
  /// The shift in seconds. Nil before the first file was compared.
  private var seconds: Int64?
  /// The zones of the world differ by at most 26 hours, but a machine moves by less.
  private static let maximum: Int64 = 14 * 3600

  init(isPossible: Bool) { self.isPossible = isPossible }

  /// True if a file has not changed since it was stored.
  mutating func isSame(
    _ stored: FileStamp, _ found: FileStamp
  ) -> Bool {
    guard isPossible else { return stored == found }
    guard stored.size == found.size, stored.nanoseconds == found.nanoseconds else { return false }
    let (difference, isOverflow) = found.seconds.subtractingReportingOverflow(stored.seconds)
    // A file that was stored after the zone had changed has its new time.
    if isOverflow || difference == 0 { return !isOverflow }
    if let seconds { return difference == seconds }
    guard difference % 900 == 0, difference.magnitude <= Self.maximum.magnitude else {
      return false
    }
    seconds = difference
    return true
  }
}
