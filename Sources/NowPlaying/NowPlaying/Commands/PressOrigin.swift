/// The device on which a person pressed a key. The origin is needed if a surface has several devices, or if a device
/// has several input paths.
///
/// Presses of one origin are compared across input paths *and surfaces* (C9): a phone's press can arrive as a D-Bus
/// call on the phone's own surface and as a key on another surface. If one of two presses has no origin, their surfaces
/// are compared instead.
public struct PressOrigin: Hashable, Sendable {
  /// The name that people see. Any text is permitted.
  public let name: String
  /// The identity: the same on all input paths of one device, and different for other devices.
  public let id: String
  /// The address of a Bluetooth device, such as `AA:BB:CC:DD:EE:FF`. Nil if unknown. If both compared origins have an
  /// address, the addresses are compared in place of ``id``.
  public let address: String?

  public init(name: String, id: String, address: String? = nil) {
    self.name = name
    self.id = id
    self.address = address
  }

  /// A Bluetooth device. Its name is the identity, because the name is the only data that every input path has: the
  /// input device that a bluetoothd without the patches of the image creates for a connection has the name, but no
  /// address. This input device keeps only the first 71 bytes of a long name, so only the first 64 bytes are compared.
  public static func bluetooth(_ name: String, address: String? = nil) -> PressOrigin {
    PressOrigin(
      name: name, id: bluetoothPrefix + String(decoding: name.utf8.prefix(64), as: UTF8.self),
      address: address)
  }

  /// True if both origins are the same device, as far as is known.
  public func isSameDevice(as other: PressOrigin) -> Bool {
    if let address, let otherAddress = other.address { return address == otherAddress }
    return id == other.id
  }

  /// True for a Bluetooth device.
  public var isBluetooth: Bool { id.hasPrefix(Self.bluetoothPrefix) }

  private static let bluetoothPrefix = "bluetooth:"
}
