internal import CInput
internal import Glibc
internal import Threads

/// Opens nodes. The daemon uses the nodes of the kernel. Tests use pipes.
package protocol NodeSource: Sendable {
  /// Opens a node in non-blocking mode and reads its description. Called on a separate thread, because a kernel driver
  /// can need time to wake a suspended device.
  func open(_ path: String) -> NodeAnswer

  /// The keys of an open node that are down. Nil if unknown. Any thread; does not block.
  func down(_ descriptor: Int32) -> Set<UInt16>?
}

/// The result of opening a node.
package enum NodeAnswer: Sendable {
  /// The device can be used. The receiver must close the descriptor.
  case opened(Int32, DeviceDescription)
  /// The unit does not use the device. The node is closed. The text is the reason.
  case unused(DeviceDescription, String)
  /// The node or device disappeared while it was being opened.
  case removed
  /// The system refuses to open the node, or no file descriptor is left. The text is the reason. A later attempt can
  /// succeed.
  case refused(String)
}

/// The nodes of the kernel.
package struct KernelNodes: NodeSource {
  private static let textBytes: UInt32 = 256

  package init() {}

  package func open(_ path: String) -> NodeAnswer {
    // The node is opened only for reading, because the sandbox does not permit writing, and the unit does not switch
    // the lamps of devices. The device is not grabbed, because other programs, such as the screen, also need the keys
    // of the device.
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      let reason = errno
      return [ENOENT, ENODEV, ENXIO].contains(reason) ? .removed : .refused(systemWords(reason))
    }
    guard let description = Self.describe(descriptor) else {
      close(descriptor)
      return .removed
    }
    if case .none(let why) = description.role {
      close(descriptor)
      return .unused(description, why)
    }
    _ = cinput_stamp_monotonic(descriptor)
    Self.maskUnusedEvents(descriptor, description)
    return .opened(descriptor, description)
  }

  package func down(_ descriptor: Int32) -> Set<UInt16>? {
    Self.bits(UInt32(KEY_CNT)) { cinput_down(descriptor, $0, $1) }
  }

  /// Reads the properties of a device. Returns nil if the node is not an event device, or if the device was removed.
  private static func describe(_ descriptor: Int32) -> DeviceDescription? {
    var id = input_id()
    guard cinput_id(descriptor, &id) >= 0 else { return nil }
    func codes(_ type: Int32, _ count: Int32) -> Set<UInt16> {
      bits(UInt32(count)) { cinput_bits(descriptor, UInt32(type), $0, $1) } ?? []
    }
    var result = DeviceDescription(name: text { cinput_name(descriptor, $0, $1) })
    result.phys = text { cinput_phys(descriptor, $0, $1) }
    result.uniq = text { cinput_uniq(descriptor, $0, $1) }
    result.bus = id.bustype
    result.keys = codes(EV_KEY, KEY_CNT)
    result.turns = codes(EV_REL, REL_CNT)
    result.absoluteAxes = codes(EV_ABS, ABS_CNT)
    result.down = bits(UInt32(KEY_CNT)) { cinput_down(descriptor, $0, $1) } ?? []
    return result
  }

  /// Masks events that the unit does not use, so that they do not wake the daemon. The masked events are scan codes,
  /// absolute axes, lamps, switches, and the motion and the wheel of a mouse.
  private static func maskUnusedEvents(_ descriptor: Int32, _ description: DeviceDescription) {
    let none = [UInt8](repeating: 0, count: 128)
    let types = [EV_MSC, EV_ABS, EV_LED, EV_SW] + (description.isPointer ? [EV_REL] : [])
    for type in types { _ = cinput_mask(descriptor, UInt32(type), none, UInt32(none.count)) }
  }

  private static func text(_ ask: (UnsafeMutablePointer<CChar>, UInt32) -> Int32) -> String {
    var bytes = [CChar](repeating: 0, count: Int(textBytes))
    guard ask(&bytes, textBytes) >= 0 else { return "" }
    return bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  private static func bits(_ count: UInt32, _ ask: (UnsafeMutablePointer<UInt8>, UInt32) -> Int32)
    -> Set<UInt16>?
  {
    let size = (count + 7) / 8
    var bytes = [UInt8](repeating: 0, count: Int(size))
    guard ask(&bytes, size) >= 0 else { return nil }
    var set: Set<UInt16> = []
    for (index, byte) in bytes.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & 1 << bit != 0 { set.insert(UInt16(index * 8 + bit)) }
    }
    return set
  }
}
