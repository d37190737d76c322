internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

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
  private var request: HelperRequest?
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
    request = HelperRequest(
      loop, socket: socketPath, request: "set \(seconds)\n", timeLimit: Self.timeLimit
    ) { [weak self] answer, _ in
      self?.request = nil
      completion(Self.refusal(answer))
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
  /// Interprets the answer of the helper. Nil if the time was set.
  private static func refusal(_ answer: [UInt8]) -> Refusal? {
    let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let result = HelperAnswer(line: line[...])
    return switch (result?.kind, result?.identifier) {
    case (.done, _): nil
    case (_, "kept"): .timeIsKept
    case (_, "implausible"): Refusal(.invalidTime, "the time is not plausible")
    default:
      Refusal(
        .timeNotSet,
        result.flatMap { $0.text.isEmpty ? nil : "the time was not set: \($0.text)" }
          ?? "the helper did not answer")
    }
  }
}
