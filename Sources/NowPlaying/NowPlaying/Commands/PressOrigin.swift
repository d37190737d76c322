/// Whose hand pressed: the device, where a surface has several, or a device several input paths.
///
/// Presses of one origin are compared with each other across input paths *and surfaces* (C9): a phone's
/// press may come as a call of its own surface and as a key of another. Where one of two presses has
/// none, the surface has to do.
public struct PressOrigin: Hashable, Sendable {
  /// For people; may be any text.
  public let name: String
  /// The same on all input paths of one device, and no other's.
  public let id: String

  /// See the fields.
  public init(name: String, id: String) {
    self.name = name
    self.id = id
  }

  /// A device on Bluetooth, by its name, as that is all that all of its input paths know: the input device
  /// that bluetoothd makes for a connection bears the name and no address. Of a long name the input
  /// device bears the first 71 bytes, so the first 64 are what counts.
  public static func bluetooth(_ name: String) -> PressOrigin {
    PressOrigin(
      name: name, id: bluetoothPrefix + String(decoding: name.utf8.prefix(64), as: UTF8.self))
  }

  /// Whether it is such a one.
  public var isBluetooth: Bool { id.hasPrefix(Self.bluetoothPrefix) }

  private static let bluetoothPrefix = "bluetooth:"
}
