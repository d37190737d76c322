internal import EventLoop
internal import LibraryDatabase
internal import LibraryModel
internal import SQLite

/// What the scanning thread does when it has nothing else to do: it examines a database that was not closed, removes
/// volumes that have been absent for longest, and notes which volumes were there.
final class LibraryUpkeep {
  private let exchange: ScanExchange
  private let limits: LibraryLimits
  private var mustCheck = false
  private var mustMakeRoom = false
  /// When to note which volumes were there. Monotonic, in nanoseconds.
  private var noteTime: Int64?
  /// The volumes that were scanned since the start of the program.
  private var seen: Set<String> = []

  init(_ exchange: ScanExchange, _ limits: LibraryLimits) {
    self.exchange = exchange
    self.limits = limits
  }

  /// - Parameter wasClosed: false if the program that used the database before was killed, or has lost its power.
  func opened(wasClosed: Bool) {
    mustCheck = !wasClosed
    mustMakeRoom = false
    noteTime = nil
  }

  /// Notes that the scan of a volume has ended. There is no work before the first one, because the scan is what people
  /// wait for.
  func add(_ volume: LibraryVolume) {
    seen.insert(volume.identity)
    mustMakeRoom = true
    noteTime = EventClock.monotonic.now + limits.settling.wholeNanoseconds
  }

  /// Does a part of the work. False if there is none now.
  func work(_ writer: LibraryWriter) throws(DatabaseError) -> Bool {
    guard !seen.isEmpty, exchange.isIdle else { return false }
    if mustCheck {
      // A check that fails is not repeated.
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

  /// The time until there is work again; -1 if there is none.
  var milliseconds: Int32 {
    noteTime.map { Int32(clamping: max(0, $0 - EventClock.monotonic.now) / 1_000_000 + 1) } ?? -1
  }

  private func makeRoom(_ writer: LibraryWriter) throws(DatabaseError) {
    guard try surplusVolume(writer) != nil else { return }
    // The volumes that were there in this start are not the oldest ones.
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
