internal import EventLoop
internal import NowPlaying
internal import Reports
internal import SystemClock

/// The times at which the radio received presses of phones, as `autoharp-radio` reports them, and
/// the command that each press became. Control thread; nothing blocks.
///
/// The file of the socket also starts that program: `autoharp-radio.path` waits for it. Only the
/// daemon's user and root can open the socket, so the service manager opens it and passes it to the
/// program.
final class PressTimes {
  /// Maximum time between a press on the radio and its command. bluetoothd and the bus take some
  /// milliseconds, and on a loaded board many times that. An earlier press became another command.
  static let maximumDelay = Duration.milliseconds(250)
  /// Number of times that are kept: the same as of commands.
  static let capacity = FinishedCommands.capacity

  private var listener: DatagramListener?
  /// Oldest first.
  private(set) var moments: [MonotonicInstant] = []

  /// Listens at a path. An existing file there belongs to a daemon that was killed, and is
  /// replaced.
  init(_ loop: EventLoop, path: String) throws(SystemError) {
    let size = MemoryLayout<Int64>.size
    listener = try DatagramListener(loop, path: path, mode: 0o600, longest: size) {
      [weak self] bytes, length in
      guard length == size else { return }
      self?.take(.near(nanoseconds: Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))))
    }
  }

  private func take(_ moment: MonotonicInstant) {
    if moments.count == Self.capacity { moments.removeFirst(Self.capacity / 4) }
    moments.append(moment)
  }

  /// Adds for each command of a phone the time from its radio frame until it was accepted.
  func add(_ records: [CommandRecord], to table: inout LatencyTable) {
    let found = Self.matched(moments, records)
    for record in records {
      guard case .accepted? = record.verdict, let performed = record.performed,
        let moment = found[record.number]
      else { continue }
      table.add(
        performed.wholeTime(since: moment), .fromRadio, surface: record.surface.rawValue,
        command: record.request.name)
    }
  }

  /// Matches presses with commands; the keys are the numbers of the commands. Each press is one
  /// arrival, by call or by key, whatever its result. Presses and arrivals have the same order.
  static func matched(_ moments: [MonotonicInstant], _ records: [CommandRecord])
    -> [Int: MonotonicInstant]
  {
    var found: [Int: MonotonicInstant] = [:]
    var rest = moments.sorted()[...]
    let arrivals = records.filter(\.isOfPhone)
      .sorted { ($0.received, $0.number) < ($1.received, $1.number) }
    for arrival in arrivals {
      rest = rest.drop { arrival.received.wholeTime(since: $0) > maximumDelay }
      guard let moment = rest.first, moment <= arrival.received else { continue }
      found[arrival.number] = rest.removeFirst()
    }
    return found
  }
}
