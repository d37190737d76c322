import Foundation
import TestKit
import UnitState

/// The state that a daemon has saved. The daemon does not report its saves, so this object watches the file.
final class SavedUnitState {
  private let file: String
  private let watch: Int32

  /// Starts to watch the file.
  init(_ home: ServeProcess.Home) {
    file = home.folder.path("data/state")
    watch = inotify_init1(Int32(IN_CLOEXEC))
    inotify_add_watch(
      watch, home.folder.path("data"), UInt32(IN_CREATE | IN_MODIFY | IN_MOVED_TO))
  }

  deinit { close(watch) }

  /// Waits until the saved state meets the condition. Returns false after ``Hang/limit``.
  func waits(until condition: (UnitState) -> Bool) throws -> Bool {
    let end = ContinuousClock.now + Hang.limit
    while true {
      if let state = try latest, condition(state) { return true }
      let left = Int32(clamping: Int64((end - .now) / .milliseconds(1)))
      var entry = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&entry, 1, left) > 0 else { return false }
      var events = [UInt8](repeating: 0, count: 4096)
      _ = read(watch, &events, events.count)
    }
  }

  /// The newest saved state. Read from a copy, because the daemon uses the file.
  var latest: UnitState? {
    get throws {
      guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
      let copy = try TemporaryFolder()
      try copy.write("state", Array(bytes))
      let store = StateStore(folder: copy.path("."))
      guard let payload = store.opening(within: Hang.milliseconds)?.payload else { return nil }
      return try? UnitState(decoding: payload)
    }
  }
}
