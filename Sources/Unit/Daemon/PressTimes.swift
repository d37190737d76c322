internal import EventLoop
internal import NowPlaying
internal import Reports
internal import SystemClock

/// The times at which the radio received presses of phones. `autoharp-radio` reports these times.
/// Each time is matched with the command that results from the press. Control thread; nothing
/// blocks.
///
/// The socket's file also starts `autoharp-radio`, because `autoharp-radio.path` waits for the
/// file. Only the daemon's user and root can open the socket. So the service manager opens the
/// socket and passes it to the program.
final class PressTimes {
  /// Maximum time between a press on the radio and its command. bluetoothd and the bus need some
  /// milliseconds, and many times more on a loaded board. An earlier press belongs to another
  /// command.
  static let maximumDelay = Duration.milliseconds(250)
  /// Maximum number of times that are kept. It equals the maximum number of commands.
  static let capacity = FinishedCommands.capacity

  private var listener: DatagramListener?
  /// The times of the presses, oldest first.
  private(set) var moments: [MonotonicInstant] = []

  /// Creates the socket at a path. If a file exists there, a daemon that was killed has left it.
  /// The file is replaced.
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

  /// Adds the time from the radio frame to the acceptance of the command, for each command of a
  /// phone.
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

  /// Matches presses with commands. The keys of the result are the numbers of the commands. Each
  /// press causes one arrival, by call or by key, whatever its result. Presses and arrivals have
  /// the same order.
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
