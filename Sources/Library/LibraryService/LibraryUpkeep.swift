internal import EventLoop
internal import LibraryDatabase
internal import LibraryModel
internal import SQLite

/// The work of the scanning thread when there is no job. It checks a database that was not closed, removes the volumes
/// that were absent for the longest time if there is no room, and stores which volumes were present.
final class LibraryUpkeep {
  private let exchange: ScanExchange
  private let limits: LibraryLimits
  private var mustCheck = false
  private var mustMakeRoom = false
  /// The time at which to store which volumes were present. In nanoseconds of the monotonic clock.
  private var noteTime: Int64?
  /// The volumes that were scanned since the start of the program.
  private var seen: Set<String> = []

  init(_ exchange: ScanExchange, _ limits: LibraryLimits) {
    self.exchange = exchange
    self.limits = limits
  }

  /// Call this when a database was opened.
  /// - Parameter wasClosed: false if the last program that used the database was killed, or if the power was cut.
  func opened(wasClosed: Bool) {
    mustCheck = !wasClosed
    mustMakeRoom = false
    noteTime = nil
  }

  /// Records that the scan of a volume has ended. Before the first scan has ended, no work is done, because the user
  /// waits for the scan.
  func add(_ volume: LibraryVolume) {
    seen.insert(volume.identity)
    mustMakeRoom = true
    noteTime = EventClock.monotonic.now + limits.settling.wholeNanoseconds
  }

  /// Does a part of the work. Returns false if there is no work now.
  func work(_ writer: LibraryWriter) throws(DatabaseError) -> Bool {
    guard !seen.isEmpty, exchange.isIdle else { return false }
    if mustCheck {
      // `mustCheck` is set before the check, so that a check that fails is not repeated.
      mustCheck = false
      try writer.check()
      exchange.update { $0.checks += 1 }
      return true
    }
    if mustMakeRoom {
      mustMakeRoom = false
      try makeRoom(writer)
      return true
    }
    if let noteTime, EventClock.monotonic.now >= noteTime {
      self.noteTime = nil
      try writer.noteSeen(seen)
    }
    return false
  }

  /// The time until the next work. -1 if no work is planned.
  var milliseconds: Int32 {
    noteTime.map { Int32(clamping: max(0, $0 - EventClock.monotonic.now) / 1_000_000 + 1) } ?? -1
  }

  private func makeRoom(_ writer: LibraryWriter) throws(DatabaseError) {
    guard try surplusVolume(writer) != nil else { return }
    // First stores which volumes were present in this run, so that none of them counts as the oldest volume.
    try writer.noteSeen(seen)
    guard let volume = try surplusVolume(writer) else { return }
    var isGone = false
    let exchange = exchange
    try writer.transaction { () throws(DatabaseError) in
      isGone = try writer.removeVolume(identity: volume.identity) { exchange.isIdle }
    }
    exchange.update { $0.revision = writer.revision }
    if isGone {
      exchange.say(
        "\(volume.label) was absent for the longest time and is forgotten: there is no room")
    }
    mustMakeRoom = true
  }

  private func surplusVolume(
    _ writer: LibraryWriter
  ) throws(DatabaseError) -> (identity: String, label: String)? {
    try writer.surplusVolume(
      present: Set(exchange.present.map(\.identity)), maximumVolumes: limits.volumes,
      maximumSongs: limits.songs)
  }
}
