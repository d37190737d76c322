internal import CLibinput
internal import Glibc

/// Which devices are opened for the screen, and what of them is let through.
///
/// Touch screens, pens, pads and pointers; and keyboards that have arrows, for the focus. None is taken:
/// the daemon reads the same nodes for its keys. The kernel is told to let only the codes through that are
/// wanted here, so a media key does not reach this process, and neither does what somebody types.
enum OpenedDevice {
  /// udev's words for what points.
  static let pointing = [
    "ID_INPUT_TOUCHSCREEN", "ID_INPUT_MOUSE", "ID_INPUT_TOUCHPAD", "ID_INPUT_TABLET",
    "ID_INPUT_POINTINGSTICK", "ID_INPUT_TRACKBALL",
  ]

  /// Keys that move a focus, choose and go back.
  static let focusKeys: [UInt32: FocusKey] = [
    UInt32(KEY_UP): .up, UInt32(KEY_DOWN): .down, UInt32(KEY_LEFT): .left,
    UInt32(KEY_RIGHT): .right, UInt32(KEY_ENTER): .activate, UInt32(KEY_KPENTER): .activate,
    UInt32(KEY_SELECT): .activate, UInt32(KEY_OK): .activate, UInt32(KEY_ESC): .back,
    UInt32(KEY_BACK): .back,
  ]

  /// What a key does to the focus.
  enum FocusKey { case up, down, left, right, activate, back }

  /// The descriptor, or a negative error number where the device is none of the screen's.
  static func open(_ path: String, _ udev: OpaquePointer?) -> Int32 {
    // Read only, whatever libinput asks for: the sandbox allows no more, and no lamp is switched.
    let file = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return -errno }
    guard let device = clibinput_device(udev, file) else {
      close(file)
      return -ENODEV
    }
    defer { udev_device_unref(device) }
    let isPointing = pointing.contains {
      udev_device_get_property_value(device, $0).map { String(cString: $0) } == "1"
    }
    guard isPointing || hasArrows(file) else {
      close(file)
      return -EPERM
    }
    letThrough(file)
    return file
  }

  private static let keyBytes = Int(KEY_CNT) / 8

  private static func hasArrows(_ file: Int32) -> Bool {
    var bits = [UInt8](repeating: 0, count: keyBytes)
    guard clibinput_bits(file, UInt32(EV_KEY), &bits, UInt32(bits.count)) == 0 else { return false }
    return [KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT].allSatisfy {
      bits[Int($0) / 8] & (1 << (UInt8($0) % 8)) != 0
    }
  }

  /// Where the kernel is too old for it, libinput passes more on, and it is not looked at.
  private static func letThrough(_ file: Int32) {
    var keys = [UInt8](repeating: 0, count: keyBytes)
    func allow(_ code: Int) { keys[code / 8] |= 1 << (UInt8(code % 8)) }
    for key in focusKeys.keys { allow(Int(key)) }
    // Buttons of mice, pens and screens: all that lies between keys and remote controls' keys.
    for button in Int(BTN_MISC)..<Int(KEY_OK) { allow(button) }
    _ = clibinput_mask(file, UInt32(EV_KEY), keys, UInt32(keys.count))
    // Scan codes would tell of keys that are held back; a pad's own clock is wanted.
    let others: [UInt8] = [1 << UInt8(MSC_TIMESTAMP)]
    _ = clibinput_mask(file, UInt32(EV_MSC), others, UInt32(others.count))
  }
}
