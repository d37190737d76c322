internal import CBluetooth
internal import Glibc

/// Access to Bluetooth controllers. The program uses the controllers of the kernel. Tests use simulated controllers.
protocol ControllerAccess {
  /// Opens a non-blocking descriptor for commands to a controller and for its events. Each read or write transfers one
  /// packet. The caller must close the descriptor.
  func open(_ adapter: Int) throws(CallFailure) -> Int32
  /// The links of the controller. Empty if the kernel does not report them.
  func links(_ descriptor: Int32, _ adapter: Int) -> [ControllerLink]
  /// The first page of the controller's features, with one bit for each feature. Empty if the kernel does not report
  /// it.
  func features(_ descriptor: Int32, _ adapter: Int) -> [UInt8]
}

/// A link of a controller.
struct ControllerLink: Hashable {
  let handle: UInt16
  /// The address of the other device, as `AA:BB:CC:DD:EE:FF`.
  let address: String
  var isLowEnergy = false
}

/// A failed call to the kernel.
struct CallFailure: Error, Equatable, CustomStringConvertible {
  let call: String
  /// The `errno` value, positive.
  let code: Int32

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// Access through the kernel. Needs the permission to open a Bluetooth socket, but no capability.
struct KernelControllers: ControllerAccess {
  func open(_ adapter: Int) throws(CallFailure) -> Int32 {
    let descriptor = cbluetooth_open(Int32(clamping: adapter))
    guard descriptor >= 0 else { throw CallFailure(call: "hci_open_dev", code: -descriptor) }
    return descriptor
  }

  func links(_ descriptor: Int32, _ adapter: Int) -> [ControllerLink] {
    var found = [cbluetooth_link](repeating: cbluetooth_link(), count: cbluetooth_most_links)
    let count = cbluetooth_links(descriptor, Int32(clamping: adapter), &found)
    return found.prefix(max(0, Int(count))).compactMap { link in
      // Links of other types carry speech. Such a link exists only together with an ACL link to the same device, so it
      // is left out.
      guard [UInt8(ACL_LINK), cbluetooth_le_link].contains(link.type) else { return nil }
      let bytes = withUnsafeBytes(of: link.address) { Array($0.reversed()) }
      return ControllerLink(
        handle: link.handle, address: Self.text(bytes), isLowEnergy: link.type == cbluetooth_le_link
      )
    }
  }

  func features(_ descriptor: Int32, _ adapter: Int) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: 8)
    return cbluetooth_features(descriptor, Int32(clamping: adapter), &bits) < 0 ? [] : bits
  }

  static func text(_ address: [UInt8]) -> String {
    address.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
