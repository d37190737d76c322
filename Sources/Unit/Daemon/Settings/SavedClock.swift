internal import EventLoop
internal import Files
internal import Glibc
internal import Settings
internal import SystemClock
internal import Threads

/// Saves the time of day for the next start, if no clock chip keeps it. At the next start, the program `restore-clock`
/// of the image (`board/helpers/restore-clock.c`) sets an older clock to the saved time, so that the times in the log
/// never go backwards.
///
/// - Thread: the control thread. Only ``finish(within:)`` blocks.
final class SavedClock {
  /// The time between two saves. A power cut can lose at most this time. A save writes only one block of the storage.
  static let interval = Duration.seconds(600)

  private let loop: EventLoop
  private let path: String
  private let now: @Sendable () -> Int
  private let hasChip: () -> Bool
  private var timer: TimerSource?
  private var task: BackgroundTask<Void>?

  /// - Parameters:
  ///   - path: the file. If it is nil, as on a desktop, nothing is saved.
  ///   - hasChip: true if a clock chip keeps the time.
  ///   - now: returns the seconds since 1970.
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

  /// Saves the present time, on another thread. Does nothing during an earlier save, or if a clock chip keeps the time.
  func save() {
    guard task == nil, !hasChip() else { return }
    let (path, seconds) = (path, now())
    // A time before 2025 cannot be right, so it is not saved.
    guard seconds >= LocalTime.earliestSeconds else { return }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let (folder, name) = (String(path[..<end]), String(path[path.index(after: end)...]))
    task = try? BackgroundTask(loop, "clock") {
      // A failure is not reported here: if the storage cannot be written, saving the state fails too and is reported.
      try? ReplacedFile.write(
        Array("\(seconds)\n".utf8), to: name, in: folder, temporary: ".\(name).new")
    } completion: { [weak self] in
      self?.task = nil
    }
  }

  /// Waits until the time of day is saved, but at most for `milliseconds`.
  func finish(within milliseconds: Int32) { task?.finish(within: milliseconds) }
}
