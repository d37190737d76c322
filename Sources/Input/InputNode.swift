internal import CInput
internal import Glibc
internal import Threads

/// How nodes are opened. The daemon has the kernel's; tests have pipes.
package protocol NodeSource: Sendable {
  /// Opens a node without waiting for events, and asks what it is. On a thread of its own: a driver
  /// may take its time to wake its device.
  func open(_ path: String) -> NodeAnswer

  /// Which keys of an open node are down; nil where it does not say. At once, on any thread.
  func down(_ descriptor: Int32) -> Set<UInt16>?
}

/// What came of opening a node.
package enum NodeAnswer: Sendable {
  /// Of use. Who gets this closes the descriptor.
  case opened(Int32, DeviceDescription)
  /// Not of use, and closed again.
  case unused(DeviceDescription, String)
  /// Has gone while one looked.
  case gone
  /// May not be opened, or no descriptor is left: why. May change.
  case refused(String)
}

/// The kernel's own.
package struct KernelNodes: NodeSource {
  private static let textBytes: UInt32 = 256

  /// Needs nothing.
  package init() {}

  /// See ``NodeSource/open(_:)``.
  package func open(_ path: String) -> NodeAnswer {
    // Read only: the sandbox allows no more, and no lamp is ours to switch. Not grabbed: other
    // programs, the screen among them, need the other keys of the same device.
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      let reason = errno
      return [ENOENT, ENODEV, ENXIO].contains(reason) ? .gone : .refused(systemWords(reason))
    }
    guard let description = Self.describe(descriptor) else {
      close(descriptor)
      return .gone
    }
    if case .none(let why) = description.role {
      close(descriptor)
      return .unused(description, why)
    }
    _ = cinput_stamp_monotonic(descriptor)
    Self.quieten(descriptor, description)
    return .opened(descriptor, description)
  }

  /// See ``NodeSource/down(_:)``.
  package func down(_ descriptor: Int32) -> Set<UInt16>? {
    Self.bits(UInt32(KEY_CNT)) { cinput_down(descriptor, $0, $1) }
  }

  /// nil where it is no event device, or gone.
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
    result.places = codes(EV_ABS, ABS_CNT)
    result.down = bits(UInt32(KEY_CNT)) { cinput_down(descriptor, $0, $1) } ?? []
    return result
  }

  /// What says nothing here need not wake the daemon: scan codes, places, and a mouse's motion.
  private static func quieten(_ descriptor: Int32, _ description: DeviceDescription) {
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
    for (place, byte) in bytes.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & 1 << bit != 0 { set.insert(UInt16(place * 8 + bit)) }
    }
    return set
  }
}
