internal import EventLoop
internal import Files
internal import Glibc
internal import Settings
internal import Threads

/// Saves the time of day for the next start, if no clock chip keeps it. The program `restore-clock` of the image
/// (`board/helpers/restore-clock.c`) continues there, so that the times in the log never go backwards.
///
/// - Thread: the control thread. Only ``finish(within:)`` blocks.
final class SavedClock {
  /// The time that a power cut can lose. A write is one block of the storage, so it may be frequent.
  static let interval = Duration.seconds(600)

  private let loop: EventLoop
  private let path: String
  private let now: @Sendable () -> Int
  private let hasChip: () -> Bool
  private var timer: TimerSource?
  private var task: BackgroundTask<Void>?

  /// - Parameters:
  ///   - path: the file. Nil if this process is not a service of a head unit. Then nothing is saved.
  ///   - hasChip: true if a clock chip keeps the time.
  ///   - now: the seconds since 1970.
  init?(
    _ loop: EventLoop, path: String?, interval: Duration = SavedClock.interval,
    hasChip: @escaping () -> Bool = { MachineReadings.clockChipKeepsTime },
    now: @escaping @Sendable () -> Int = { time(nil) }
  ) {
    guard let path, path.contains("/") else { return nil }
    self.loop = loop
    self.path = path
    self.now = now
    self.hasChip = hasChip
    timer = TimerSource(loop) { [weak self] in
      self?.save()
      self?.timer?.set(after: interval)
    }
    timer?.set(after: interval)
  }

  deinit { timer?.cancel() }

  /// The file that the environment variable `AUTOHARP_CLOCK` names.
  static var standardPath: String? { getenv("AUTOHARP_CLOCK").map { String(cString: $0) } }

  /// Saves the time of now, on another thread. Does nothing while it is being saved, or if a chip keeps the time.
  func save() {
    guard task == nil, !hasChip() else { return }
    let (path, seconds) = (path, now())
    // Before the beginning of 2025 the time says nothing.
    guard seconds >= LocalTime.earliestSeconds else { return }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let (folder, name) = (String(path[..<end]), String(path[path.index(after: end)...]))
    task = try? BackgroundTask(loop, "clock") {
      // If the storage cannot be written, the saved state reports this.
      try? ReplacedFile.write(
        Array("\(seconds)\n".utf8), to: name, in: folder, temporary: ".\(name).new")
    } completion: { [weak self] in
      self?.task = nil
    }
  }

  /// Waits until the time is saved, but at most for this time.
  func finish(within milliseconds: Int32) { task?.finish(within: milliseconds) }
}
