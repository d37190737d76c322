internal import EventLoop

/// The properties of an A2DP transport in BlueZ at one moment.
struct BluezTransport {
  let path: String
  /// The volume, 0 to 127. Nil if the phone does not support absolute volume.
  let volume: Int?

  /// Returns nil if there is no transport with this path.
  init?(_ path: String, in monitor: BluezMonitor?) {
    guard let properties = monitor?[path, BluezNames.transport] else { return nil }
    self.path = path
    volume = properties["Volume"]?.integer
  }

  /// Object path of the device to which this transport belongs, such as `/org/bluez/hci0/dev_…`.
  var devicePath: String {
    "/" + path.split(separator: "/").prefix(4).joined(separator: "/")
  }
}
