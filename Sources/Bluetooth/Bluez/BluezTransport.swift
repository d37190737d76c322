internal import EventLoop

/// The properties of an A2DP transport in BlueZ at one moment.
package struct BluezTransport {
  package let path: String
  /// The volume, 0 to 127. Nil if the phone does not support absolute volume.
  package let volume: Int?

  /// Returns nil if there is no transport with this path.
  package init?(_ path: String, in monitor: BluezMonitor?) {
    guard let properties = monitor?[path, BluezNames.transport] else { return nil }
    self.path = path
    volume = properties["Volume"]?.integer
  }

  /// Object path of the device to which this transport belongs, such as `/org/bluez/hci0/dev_…`.
  package var devicePath: String {
    "/" + path.split(separator: "/").prefix(4).joined(separator: "/")
  }
}
