internal import CBluetooth
package import EventLoop
internal import Glibc

/// A way to controllers: the kernel's, or a test's.
package protocol RadioAccess {
  /// A descriptor on which a controller can be asked and answers, packet by packet. It does not wait,
  /// and is the caller's.
  func open(_ adapter: Int) throws(SystemError) -> Int32
  /// Its links; none where it does not say.
  func links(_ descriptor: Int32, _ adapter: Int) -> [RadioLink]
  /// One bit a feature.
  func features(_ descriptor: Int32, _ adapter: Int) -> [UInt8]
}

/// A link that a controller has.
package struct RadioLink: Hashable, Sendable {
  package let handle: UInt16
  /// Of who is at its other end.
  package let address: String
  package let isLowEnergy: Bool

  /// See the fields.
  package init(handle: UInt16, address: String, isLowEnergy: Bool = false) {
    self.handle = handle
    self.address = address
    self.isLowEnergy = isLowEnergy
  }
}

/// The kernel's. Needs a socket of Bluetooth's, and no capability.
package struct KernelRadio: RadioAccess {
  package init() {}

  package func open(_ adapter: Int) throws(SystemError) -> Int32 {
    let descriptor = cbluetooth_open(Int32(clamping: adapter))
    guard descriptor >= 0 else { throw SystemError("hci_open_dev", descriptor) }
    return descriptor
  }

  package func links(_ descriptor: Int32, _ adapter: Int) -> [RadioLink] {
    var found = [cbluetooth_link](
      repeating: cbluetooth_link(), count: cbluetooth_most_links)
    let count = cbluetooth_links(descriptor, Int32(clamping: adapter), &found)
    return found.prefix(max(0, Int(count))).compactMap { link in
      // The others carry speech, and are beside one of these.
      guard [UInt8(ACL_LINK), cbluetooth_le_link].contains(link.type) else { return nil }
      let bytes = withUnsafeBytes(of: link.address) { Array($0.reversed()) }
      return RadioLink(
        handle: link.handle, address: Self.text(bytes), isLowEnergy: link.type == cbluetooth_le_link
      )
    }
  }

  package func features(_ descriptor: Int32, _ adapter: Int) -> [UInt8] {
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
