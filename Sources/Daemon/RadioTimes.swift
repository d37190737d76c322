internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import Reports
internal import SystemClock

/// When presses of phones came off the radio, as `autoharp-radio` says, and which command each became.
/// Control thread; nothing blocks.
///
/// The socket's file is how that program is started: `autoharp-radio.path` waits for it. Only who
/// may be anybody (the service manager) can open it, and hands it on.
final class RadioTimes {
  /// bluetoothd and the bus take some milliseconds, a loaded board many times that; a press that was
  /// seen longer before a command became another one.
  static let patience = Duration.milliseconds(250)
  /// As many as there are commands.
  static let kept = FinishedCommands.kept

  private let path: String
  private let descriptor: Int32
  private var readable: DescriptorSource?
  /// The latest last.
  private(set) var moments: [MonotonicInstant] = []

  /// Listens at a path; what is there is replaced.
  init(_ loop: EventLoop, path: String) throws(SystemError) {
    self.path = path
    let kinds = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, kinds, 0)
    guard descriptor >= 0 else { throw SystemError("socket", errno) }
    do throws(SystemError) {
      try Self.bind(descriptor, path)
      readable = try DescriptorSource(loop, descriptor: descriptor) { [weak self] _ in
        self?.read()
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit {
    readable?.cancel()
    close(descriptor)
    unlink(path)
  }

  private static func bind(_ descriptor: Int32, _ path: String) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      room.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { throw SystemError("bind \(path)", ENAMETOOLONG) }
    // Of a daemon that was killed. Nobody else writes into this folder.
    unlink(path)
    // Before there is a path, so that at no moment more may open it than shall.
    fchmod(descriptor, 0o600)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw SystemError("bind \(path)", errno) }
  }

  private func read() {
    var moment: Int64 = 0
    // In one turn no more than a queue holds; whoever never stops keeps nobody waiting.
    for _ in 0..<64 {
      // The length that it had, also where that was more.
      let count = withUnsafeMutableBytes(of: &moment) {
        recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_TRUNC))
      }
      guard count >= 0 else { return }
      guard count == MemoryLayout<Int64>.size else { continue }
      take(.near(nanoseconds: Int64(littleEndian: moment)))
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
