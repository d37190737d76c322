internal import EventLoop
internal import NowPlaying
internal import Reports
internal import SystemClock

/// When presses of phones came off the radio, as `autoharp-radio` says, and which command each became.
/// Control thread; nothing blocks.
///
/// The socket's file is how that program is started: `autoharp-radio.path` waits for it. Only who
/// may be anybody (the service manager) can open it, and hands it on.
final class PressTimes {
  /// bluetoothd and the bus take some milliseconds, a loaded board many times that; a press that was
  /// seen longer before a command became another one.
  static let patience = Duration.milliseconds(250)
  /// As many as there are commands.
  static let kept = FinishedCommands.kept

  private var listener: DatagramListener?
  /// The latest last.
  private(set) var moments: [MonotonicInstant] = []

  /// Listens at a path; what is there is replaced, which is of a daemon that was killed.
  init(_ loop: EventLoop, path: String) throws(SystemError) {
    let size = MemoryLayout<Int64>.size
    listener = try DatagramListener(loop, path: path, mode: 0o600, longest: size) {
      [weak self] bytes, length in
      guard length == size else { return }
      self?.take(.near(nanoseconds: Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))))
    }
  }

  private func take(_ moment: MonotonicInstant) {
    if moments.count == Self.kept { moments.removeFirst(Self.kept / 4) }
    moments.append(moment)
  }

  /// Adds how long after its frame each command of a phone was accepted.
  func add(_ records: [CommandRecord], to table: inout LatencyTable) {
    let found = Self.joined(moments, records)
    for record in records {
      guard case .accepted? = record.verdict, let performed = record.performed,
        let moment = found[record.number]
      else { continue }
      table.add(
        performed.wholeTime(since: moment), .fromRadio, surface: record.surface.rawValue,
        command: record.request.name)
    }
  }

  /// Which press became which command, by the command's number. Each press is one arrival, by call or
  /// by key, whatever became of it; both come in the order in which they were pressed.
  static func joined(_ moments: [MonotonicInstant], _ records: [CommandRecord])
    -> [Int: MonotonicInstant]
  {
    var found: [Int: MonotonicInstant] = [:]
    var rest = moments.sorted()[...]
    let arrivals = records.filter(\.isOfPhone)
      .sorted { ($0.received, $0.number) < ($1.received, $1.number) }
    for arrival in arrivals {
      rest = rest.drop { arrival.received.wholeTime(since: $0) > patience }
      guard let moment = rest.first, moment <= arrival.received else { continue }
      found[arrival.number] = rest.removeFirst()
    }
    return found
  }
}
