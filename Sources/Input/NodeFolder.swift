internal import CInput
internal import Files
internal import Glibc
internal import Threads

/// Watches a folder for the nodes `event0`, `event1` and so on, with inotify. devtmpfs creates a node as soon as the
/// kernel knows the device, long before udev handles the device. Control thread; never blocks.
///
/// The folder does not need to exist when this object is created: the kernel creates the folder together with the first
/// device.
final class NodeFolder {
  enum Change: Equatable {
    /// A new node, which can replace a node of the same name.
    case added(String)
    /// The owner or mode of a node has changed.
    case attributesChanged(String)
    case removed(String)
    /// The folder has appeared or disappeared, or the kernel's queue overflowed. The caller must call ``nodes()``.
    case unknown
  }

  /// The reason why the folder cannot be watched. Nil if there is no problem.
  private(set) var problem: String?
  /// Readable when ``takeChanges()`` has changes. Negative if nothing is watched.
  let descriptor: Int32
  let path: String
  private let parent: String
  private let name: String
  private var parentWatch: Int32 = -1
  private var watch: Int32 = -1

  /// Watches the folder and its parent, if possible. If this fails, ``problem`` contains the reason.
  init(_ path: String) {
    self.path = path
    let parts = path.split(separator: "/")
    name = parts.last.map(String.init) ?? ""
    parent = "/" + parts.dropLast().joined(separator: "/")
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else {
      problem = "inotify: \(systemWords(errno))"
      return
    }
    parentWatch = add(parent, IN_CREATE | IN_MOVED_TO)
    enter()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The current nodes, sorted by number.
  func nodes() -> [String] {
    NumberedNames.all("event", in: path)
  }

  /// The changes since the last call.
  func takeChanges() -> [Change] {
    var changes: [Change] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return changes }
      changes += buffer.withUnsafeBytes { decode(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  private func decode(_ bytes: UnsafeRawBufferPointer) -> [Change] {
    let head = MemoryLayout<inotify_event>.size
    var changes: [Change] = []
    var offset = 0
    while offset + head <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(offset + head + Int(event.len), bytes.count)
      let name = String(decoding: bytes[(offset + head)..<end].prefix { $0 != 0 }, as: UTF8.self)
      offset = end
      if let change = change(event, name) { changes.append(change) }
    }
    return changes
  }

  private func change(_ event: inotify_event, _ name: String) -> Change? {
    if has(event, IN_Q_OVERFLOW) { return .unknown }
    if event.wd == parentWatch {
      guard name == self.name else { return nil }
      enter()
      return .unknown
    }
    // Events of an earlier folder with this name can arrive late. These events are ignored.
    guard event.wd == watch else { return nil }
    if has(event, IN_IGNORED) || has(event, IN_DELETE_SELF) {
      watch = -1
      return .unknown
    }
    guard NumberedNames.number(of: name, "event") != nil else { return nil }
    if has(event, IN_CREATE) || has(event, IN_MOVED_TO) { return .added(name) }
    if has(event, IN_DELETE) || has(event, IN_MOVED_FROM) { return .removed(name) }
    return has(event, IN_ATTRIB) ? .attributesChanged(name) : nil
  }

  /// Watches the folder. Must be called before the nodes are listed. Otherwise a node that appears after the listing
  /// and before this call would be missed.
  private func enter() {
    watch = add(
      path, IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF)
  }

  private func add(_ path: String, _ events: Int32) -> Int32 {
    let watch = inotify_add_watch(descriptor, path, UInt32(bitPattern: events | IN_ONLYDIR))
    if watch < 0, errno != ENOENT { problem = "\(path) cannot be watched: \(systemWords(errno))" }
    return watch
  }

  private func has(_ event: inotify_event, _ bit: Int32) -> Bool {
    event.mask & UInt32(bitPattern: bit) != 0
  }
}
