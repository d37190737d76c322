internal import EventLoop
internal import Files
internal import Glibc

/// The backlight of the panel.
///
/// The kernel creates a folder for the backlight below `/sys/class/backlight`. Then udev permits the user of this
/// program to write the brightness. Both can happen after the start of this program. So the owner calls ``find()``
/// again when the kernel reports a backlight. This object waits for the permission.
///
/// - Thread: the thread of the event loop. Writing the brightness blocks until the kernel has set it on the panel.
final class Backlight {
  private struct Light: Equatable {
    let path: String
    let maximum: Int
    /// The inode of `path`. A backlight that was removed and added again has another inode.
    let file: ino_t
  }

  private let loop: EventLoop
  private let folder: String
  private let onFailure: (String) -> Void
  private var light: Light?
  private var wanted: Int?
  /// The inotify watch for the permission to write. Nil if this object does not wait for the permission.
  private var permission: (source: DescriptorSource, descriptor: Int32)?

  /// - Parameter onFailure: called with the reason if the brightness cannot be set.
  init(
    _ loop: EventLoop, in folder: String = "/sys/class/backlight",
    onFailure: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.folder = folder
    self.onFailure = onFailure
  }

  deinit { stopWaiting() }

  /// True if the panel has a backlight whose brightness can be set.
  var isFound: Bool { light != nil }

  /// Searches for the backlight. If it finds another backlight than before, it sets the wanted brightness.
  func find() {
    let found = Self.light(in: folder)
    guard found != light else { return }
    stopWaiting()
    light = found
    apply()
  }

  /// Sets the perceived brightness, in per cent. 0 is the lowest brightness at which the backlight is still on.
  func set(_ percent: Int) {
    guard percent != wanted else { return }
    wanted = percent
    apply()
  }

  // MARK: The file

  private func apply() {
    guard let light, let wanted else { return }
    let value = Self.value(percent: wanted, maximum: light.maximum)
    switch Self.write(value, to: light.path) {
    case 0: stopWaiting()
    case EACCES: waitForPermission()
    case let number: onFailure("\(light.path): \(String(cString: strerror(number)))")
    }
  }

  /// The value for the kernel. Perceived brightness is about the square root of the light, so 50 % needs a quarter of
  /// the light.
  static func value(percent: Int, maximum: Int) -> Int {
    let part = Double(min(max(percent, 0), 100)) / 100
    return max(1, Int((Double(maximum) * part * part).rounded()))
  }

  /// Returns 0, or the `errno` of the failure.
  private static func write(_ value: Int, to path: String) -> Int32 {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    let text = Array("\(value)".utf8)
    return Glibc.write(file, text, text.count) == text.count ? 0 : errno
  }

  // MARK: Permission

  private func waitForPermission() {
    guard permission == nil, let light else { return }
    let watcher = Inotify.open()
    guard watcher >= 0 else { return }
    guard inotify_add_watch(watcher, light.path, UInt32(IN_ATTRIB)) >= 0,
      let source = try? DescriptorSource(
        loop, descriptor: watcher, { [weak self] _ in self?.permissionHasChanged() })
    else {
      close(watcher)
      return
    }
    permission = (source, watcher)
    // udev can have given the permission between the failed write and the start of the watch.
    apply()
  }

  private func permissionHasChanged() {
    guard let permission else { return }
    Inotify.drain(permission.descriptor)
    apply()
  }

  private func stopWaiting() {
    guard let permission else { return }
    permission.source.cancel()
    close(permission.descriptor)
    self.permission = nil
  }

  // MARK: Finding

  /// The types of backlights, best first, in the order that the kernel's documentation recommends.
  private static let kinds = ["firmware", "platform", "raw"]

  /// The best backlight. Ignores backlights that can only be switched on and off (`max_brightness` 1).
  private static func light(in folder: String) -> Light? {
    guard let reader = FolderReader(folder) else { return nil }
    var found: [(order: Int, name: String, maximum: Int)] = []
    while let name = reader.next() {
      guard name != ".", name != "..",
        let maximum = FirstWord.of("\(folder)/\(name)/max_brightness").flatMap({ Int($0) }),
        maximum > 1
      else { continue }
      let kind = FirstWord.of("\(folder)/\(name)/type") ?? ""
      found.append((kinds.firstIndex(of: kind) ?? kinds.count, name, maximum))
    }
    let best = found.min { ($0.order, $0.name) < ($1.order, $1.name) }
    guard let best else { return nil }
    let path = "\(folder)/\(best.name)/brightness"
    var status = stat()
    return stat(path, &status) == 0
      ? Light(path: path, maximum: best.maximum, file: status.st_ino) : nil
  }
}
