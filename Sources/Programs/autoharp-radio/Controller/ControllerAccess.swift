internal import CBluetooth
internal import Glibc

/// The way to controllers: the kernel's, or a test's.
protocol ControllerAccess {
  /// A descriptor on which a controller can be asked and answers, packet by packet. Neither reading nor
  /// writing waits. The caller closes it.
  func open(_ adapter: Int) throws(CallFailure) -> Int32
  /// Its links; none where the kernel does not say.
  func links(_ descriptor: Int32, _ adapter: Int) -> [ControllerLink]
  /// The first page of features, one bit each; empty where the kernel does not say.
  func features(_ descriptor: Int32, _ adapter: Int) -> [UInt8]
}

/// A link that a controller has.
struct ControllerLink: Hashable {
  let handle: UInt16
  /// Of who is at its other end, as `AA:BB:CC:DD:EE:FF`.
  let address: String
  var isLowEnergy = false
}

/// A call of the kernel that failed.
struct CallFailure: Error, Equatable, CustomStringConvertible {
  let call: String
  /// Its `errno`, positive.
  let code: Int32

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// The kernel's way. Needs a socket of Bluetooth's, and no capability.
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
      // The others carry speech, and are beside one of these.
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
