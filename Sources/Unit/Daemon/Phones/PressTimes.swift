internal import EventLoop
internal import NowPlaying
internal import Reports
internal import SystemClock

/// The times at which the radio received presses of phones. `autoharp-radio` reports these times
/// through a socket. Each time is matched with the command that results from the press. The control
/// thread calls all methods; no method blocks.
///
/// The file of the socket also starts `autoharp-radio`, because the systemd unit
/// `autoharp-radio.path` waits for this file. Only the daemon's user and root can open the socket,
/// and `autoharp-radio` runs as another user. So the service manager opens the socket and passes it
/// to the program.
final class PressTimes {
  /// Maximum time from the arrival of a press at the radio to the arrival of its command.
  /// bluetoothd and the bus need some milliseconds, and much more time on a board under load. A
  /// press that is older than this delay belongs to another command.
  static let maximumDelay = Duration.milliseconds(250)
  /// Maximum number of press times that are kept. It equals the maximum number of kept commands.
  static let capacity = FinishedCommands.capacity

  private var listener: DatagramListener?
  /// The times of the presses, oldest first.
  private(set) var moments: [MonotonicInstant] = []

  /// Creates the socket at a path. A file that already exists there is replaced. Such a file
  /// remains if a daemon was killed.
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

  /// Adds one time for each accepted command of a phone: the time from the arrival of the press at
  /// the radio to the answer of the source.
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
  /// press causes one command, by a D-Bus call or by a key, even if the command is refused. Presses
  /// and commands have the same order.
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
