internal import Glibc

/// What is known of the time of day. A board without a clock chip begins at some date that nobody
/// meant; that is shown as unknown, and nothing depends on it.
struct WallClock: Equatable {
  /// Before this a clock chip has lost its time: 2025 began.
  private static let earliest = 1_735_689_600

  /// Seconds since 1970; nil where nobody knows.
  let seconds: Int?

  /// - Parameters:
  ///   - now: what the system says, in seconds since 1970.
  ///   - isFromChip: the kernel took it from a clock chip.
  ///   - isSynchronised: it is held to a time server.
  init(now: Int, isFromChip: Bool, isSynchronised: Bool) {
    seconds = (isFromChip || isSynchronised) && now >= Self.earliest ? now : nil
  }

  /// For people.
  var words: String {
    guard let seconds else { return "the time of day is unknown; nothing depends on it" }
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)) UTC"
  }
}
