internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import Reports
internal import Settings

/// Sets the time of day. The daemon has no right to set the clock, so it sends a request to a helper of the image
/// (`board/helpers/set-clock.c`).
///
/// - Thread: the control thread. No method blocks.
final class UnitClock {
  /// The socket of the helper.
  static let standardSocket = "/run/set-clock"
  /// The times that can be set: from the beginning of 2025 to the end of 2099, in seconds since 1970.
  private static let plausible = LocalTime.earliestSeconds..<4_102_444_800
  private static let timeLimit = Duration.seconds(3)

  private let loop: EventLoop
  private let socketPath: String
  private let readKeeper: () -> SettingsState.Clock
  private var request: Request?
  /// The latest time that was requested while another request was open, and the completions to call. The user can press
  /// a key for the time several times before the helper answers.
  private var waiting: (seconds: Int, completions: [(Refusal?) -> Void])?

  init(
    _ loop: EventLoop, socket: String = standardSocket,
    keeper: @escaping () -> SettingsState.Clock = { MachineReadings.clockKeeper }
  ) {
    self.loop = loop
    socketPath = socket
    readKeeper = keeper
  }

  /// What keeps the time of day: a clock chip, a person, the network, or nothing.
  var keeper: SettingsState.Clock { readKeeper() }

  /// True if the user can set the time.
  var canSet: Bool { access(socketPath, F_OK) == 0 && keeper != .network }

  /// Sets the time, in seconds since 1970. `completion` is called once. It gets nil if this time was set, or if a later
  /// call has replaced this time and the later time was set.
  func set(_ seconds: Int, completion: @escaping (Refusal?) -> Void) {
    guard Self.plausible.contains(seconds) else {
      return completion(
        Refusal(.invalidTime, "the time must be in the years 2025 to 2099"))
    }
    guard keeper != .network else { return completion(.timeIsKept) }
    guard access(socketPath, F_OK) == 0 else {
      return completion(
        Refusal(
          .noService, "this machine does not permit the daemon to set the time",
          remedy: "set the time with 'date' as root"))
    }
    guard request == nil else {
      waiting = (seconds, (waiting?.completions ?? []) + [completion])
      return
    }
    request = Request(loop, socket: socketPath, seconds: seconds, timeLimit: Self.timeLimit) {
      [weak self] refusal in
      self?.request = nil
      completion(refusal)
      self?.setWaiting()
    }
    if request == nil {
      completion(
        Refusal(.timeNotSet, "\(socketPath): \(SystemError("connect", errno))"))
    }
  }

  private func setWaiting() {
    guard let next = waiting else { return }
    waiting = nil
    set(next.seconds) { refusal in next.completions.forEach { $0(refusal) } }
  }
}

extension Refusal {
  fileprivate static let timeIsKept = Refusal(.timeKept, "the network keeps the time")
}

extension UnitClock {
  /// One open request to the helper.
  private final class Request {
    private static let maximumBytes = 512

    private let descriptor: Int32
    private let onEnd: (Refusal?) -> Void
    private var reading: DescriptorSource?
    private var timer: TimerSource?
    private var bytes: [UInt8] = []

    /// Connects and sends the request. Returns nil if this is not possible. `errno` then contains the reason.
    init?(
      _ loop: EventLoop, socket path: String, seconds: Int, timeLimit: Duration,
      onEnd: @escaping (Refusal?) -> Void
    ) {
      self.onEnd = onEnd
      guard
        let descriptor = HelperSocket.open(path, request: "set \(seconds)\n", waits: false)
      else { return nil }
      self.descriptor = descriptor
      reading = try? DescriptorSource(loop, descriptor: descriptor) { [weak self] _ in self?.read()
      }
      if reading == nil { return nil }
      timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.finish() }
      timer?.set(after: timeLimit)
    }

    deinit {
      reading?.cancel()
      timer?.cancel()
      close(descriptor)
    }

    private func read() {
      var buffer = [UInt8](repeating: 0, count: Self.maximumBytes)
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      if count > 0 { bytes += buffer[..<count] }
      guard count > 0, !bytes.contains(UInt8(ascii: "\n")), bytes.count < Self.maximumBytes else {
        return finish()
      }
    }

    private func finish() {
      reading?.cancel()
      timer?.cancel()
      let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch (parts.first, parts.dropFirst().first) {
      case ("done", _): onEnd(nil)
      case (_, "kept"): onEnd(.timeIsKept)
      case (_, "implausible"): onEnd(Refusal(.invalidTime, "the time is not plausible"))
      default:
        onEnd(
          Refusal(
            .timeNotSet,
            parts.count == 3 ? "the time was not set: \(parts[2])" : "the helper did not answer"))
      }
    }
  }
}
