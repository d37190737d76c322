internal import EventLoop

/// Calls functions when a save has reached the storage.
final class StorageWait {
  /// Maximum number of checks. After these checks the function is called, even if the save has not reached the storage.
  /// Otherwise a pairing, which waits for this call, would never begin. If the storage cannot be written, bluetoothd
  /// cannot store the bond of the pairing either, so no unconfirmed bond remains.
  private static let limit = 100
  private static let interval = Duration.milliseconds(20)

  private var waiting: [(isStored: () -> Bool, stored: () -> Void, checks: Int)] = []
  private var timer: TimerSource?

  init(_ loop: EventLoop) {
    timer = TimerSource(loop, accuracy: .milliseconds(1)) { [weak self] in self?.check() }
  }

  deinit { timer?.cancel() }

  /// Calls `stored` in a later event: as soon as `isStored` returns true, or after ``limit`` checks.
  func add(_ stored: @escaping () -> Void, isStored: @escaping () -> Bool) {
    waiting.append((isStored, stored, 0))
    timer?.set(after: Self.interval)
  }

  private func check() {
    for index in waiting.indices { waiting[index].checks += 1 }
    let done = waiting.filter { $0.isStored() || $0.checks >= Self.limit }
    waiting.removeAll { entry in entry.isStored() || entry.checks >= Self.limit }
    if !waiting.isEmpty { timer?.set(after: Self.interval) }
    for entry in done { entry.stored() }
  }
}
