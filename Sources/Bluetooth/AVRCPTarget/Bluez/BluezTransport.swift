internal import EventLoop

/// A transport of sound as BlueZ has it, read once.
struct BluezTransport {
  let path: String
  /// 0 to 127; nil where the phone has no absolute volume.
  let volume: Int?

  /// Nil where there is none of that path.
  init?(_ path: String, in monitor: BluezMonitor?) {
    guard let properties = monitor?[path, BluezNames.transport] else { return nil }
    self.path = path
    volume = properties["Volume"]?.integer
  }

  /// Of the device that it belongs to: `/org/bluez/hci0/dev_…`.
  var devicePath: String {
    "/" + path.split(separator: "/").prefix(4).joined(separator: "/")
  }
}
