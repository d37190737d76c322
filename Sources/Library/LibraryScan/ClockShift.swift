internal import Files

/// Recognises that the times of all files of a volume were shifted by the same number of quarter hours.
///
/// FAT stores the local time. If the time zone or the summer time of the machine has changed since an earlier scan, the
/// time of each file is shifted, although no file has changed.
struct ClockShift {
  /// True if the file system stores the local time.
  private let isPossible: Bool
  /// The shift in seconds. Nil until a file with a shifted time was found.
  private var seconds: Int64?
  /// Maximum shift in seconds. Time zones differ by up to 26 hours, but a car does not travel so far.
  private static let maximum: Int64 = 14 * 3600

  init(isPossible: Bool) { self.isPossible = isPossible }

  /// True if a file has not changed since its stamp was stored.
  mutating func isSame(
    _ stored: FileStamp, _ found: FileStamp
  ) -> Bool {
    guard isPossible else { return stored == found }
    guard stored.size == found.size, stored.nanoseconds == found.nanoseconds else { return false }
    let (difference, isOverflow) = found.seconds.subtractingReportingOverflow(stored.seconds)
    // If the stamp was stored after the change of the time zone, the times are equal.
    if isOverflow || difference == 0 { return !isOverflow }
    if let seconds { return difference == seconds }
    guard difference % 900 == 0, difference.magnitude <= Self.maximum.magnitude else {
      return false
    }
    seconds = difference
    return true
  }
}
