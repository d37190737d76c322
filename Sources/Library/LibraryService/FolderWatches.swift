internal import Glibc
internal import LibraryModel
internal import Synchronization
internal import Threads

/// Watches the folders of the volumes with inotify.
///
/// The scanning thread adds a watch for a folder before it reads the names in this folder. So a change is either found
/// by this scan, or reported later by the watch. The control thread receives the changes. No function of the control
/// thread waits for a medium or for the scanning thread.
final class FolderWatches: Sendable {
  private struct State {
    var table = WatchTable()
    var present: Set<String> = []
    /// Maximum number of watches. It is lower than ``maximum`` if the kernel permits fewer.
    var limit = 0
    var isLimitReported = false
  }

  /// The descriptor of inotify, which is readable while there are changes for ``takeChanges()``. Negative if folders
  /// cannot be watched.
  let descriptor: Int32
  private let maximum: Int
  private let say: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - maximum: maximum number of watches.
  ///   - say: called on the control thread and on the scanning thread with a message for the log.
  init(maximum: Int, _ say: @escaping @Sendable (String) -> Void) {
    self.say = say
    self.maximum = maximum
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    if descriptor < 0 { say("folders cannot be watched for changes: \(systemWords(errno))") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The current number of watches.
  var count: Int { state.withLock { $0.table.count } }

  // MARK: The scanning thread

  /// Begins a scan of a volume. Returns false if its folders must not be watched, for example because the file system
  /// is read-only. Blocks until the medium answers.
  func beginScan(_ volume: LibraryVolume) -> Bool {
    guard descriptor >= 0, !MountState.isReadOnly(volume.path) else { return false }
    return state.withLock { state in
      guard state.present.contains(volume.identity) else { return false }
      state.limit = maximum
      state.table.beginScan(volume.identity)
      return true
    }
  }

  /// Watches a folder. Call this before its names are read. If there are too many folders, the folders nearest to the
  /// roots of their volumes are watched. Blocks until the medium answers.
  func add(_ path: [UInt8], depth: Int, of volume: LibraryVolume) {
    var watch = start(path)
    if watch < 0, errno == ENOSPC || errno == ENOMEM {
      // The kernel limits the number of watches of a user, and other programs of this user need watches too.
      let hasRoom = state.withLock { state in
        state.limit = min(state.limit, state.table.count)
        return makeRoom(&state, for: 1, below: depth)
      }
      reportLimit()
      if hasRoom { watch = start(path) }
    }
    guard watch >= 0 else { return }
    let fits = state.withLock { state in
      guard state.present.contains(volume.identity) else {
        if state.table.volumes(of: watch).isEmpty { inotify_rm_watch(descriptor, watch) }
        return true
      }
      state.table.add(watch, depth: depth, of: volume.identity)
      if state.table.count <= state.limit { return true }
      if !makeRoom(&state, for: 0, below: depth) {
        state.table.remove(watch)
        inotify_rm_watch(descriptor, watch)
      }
      return false
    }
    if !fits { reportLimit() }
  }

  /// Ends a complete scan of a volume. Removes the watches of folders that the scan has not found.
  func endScan(_ volume: LibraryVolume) {
    state.withLock { state in
      for watch in state.table.endScan(volume.identity) { inotify_rm_watch(descriptor, watch) }
    }
  }

  private func start(_ path: [UInt8]) -> Int32 {
    inotify_add_watch(descriptor, path.map { CChar(bitPattern: $0) } + [0], Self.events)
  }

  /// Removes watches of folders deeper than `depth`, until there is room for `number` more watches. Returns false if
  /// this is not possible.
  private func makeRoom(_ state: inout State, for number: Int, below depth: Int) -> Bool {
    while state.table.count + number > state.limit {
      guard let deepest = state.table.removeDeepest(below: depth) else { return false }
      inotify_rm_watch(descriptor, deepest)
    }
    return true
  }

  private func reportLimit() {
    let (isNew, count) = state.withLock { state in
      defer { state.isLimitReported = true }
      return (!state.isLimitReported, state.limit)
    }
    guard isNew else { return }
    say("only \(count) folders are watched: changes in deeper folders are found by the next scan")
  }

  // MARK: The control thread

  /// Removes the watches of volumes that are not present any more. Call this before the scanning thread gets `volumes`.
  func setVolumes(_ volumes: [LibraryVolume]) {
    state.withLock { state in
      state.present = Set(volumes.map(\.identity))
      for watch in state.table.keep(state.present) { inotify_rm_watch(descriptor, watch) }
    }
  }

  /// Returns the volumes in which something has changed. Reads one buffer of events. If there are more events, the
  /// descriptor stays readable.
  func takeChanges() -> Set<String> {
    var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return [] }
    return buffer.withUnsafeBytes { bytes in
      state.withLock { Self.changes(UnsafeRawBufferPointer(rebasing: bytes[..<count]), &$0.table) }
    }
  }

  private static func changes(
    _ bytes: UnsafeRawBufferPointer, _ table: inout WatchTable
  ) -> Set<String> {
    let head = MemoryLayout<inotify_event>.size
    var changed: Set<String> = []
    var offset = 0
    while offset + head <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let isHidden =
        event.len > 0 && offset + head < bytes.count && bytes[offset + head] == UInt8(ascii: ".")
      offset += head + Int(event.len)
      if has(event, IN_Q_OVERFLOW) { return table.identities }
      // Events of a watch that was removed can arrive late. Such a watch belongs to no volume any more, so its events
      // have no effect.
      if isChange(event), !isHidden { changed.formUnion(table.volumes(of: event.wd)) }
      if has(event, IN_IGNORED) { table.remove(event.wd) }
    }
    return changed
  }

  private static func isChange(_ event: inotify_event) -> Bool {
    if has(event, IN_IGNORED) || has(event, IN_UNMOUNT) { return false }
    // A new file counts as a change when it is closed, not when it is created.
    return !has(event, IN_CREATE) || event.mask & UInt32(IN_ISDIR) != 0
  }

  private static func has(_ event: inotify_event, _ bit: Int32) -> Bool {
    event.mask & UInt32(bitPattern: bit) != 0
  }

  private static let bufferBytes = 16 << 10
  private static let events = UInt32(
    bitPattern: IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
}
