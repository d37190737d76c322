internal import CLibinput
internal import Glibc

/// Decides which input devices the screen opens, and which events of these devices the screen receives.
///
/// The screen opens touch screens, pens, touchpads and pointers, and keyboards that have arrow keys. It does not grab
/// these devices, because the daemon reads its keys from the same nodes. An event mask makes the kernel deliver only
/// the needed codes. So this process receives no media keys and no typed text.
enum OpenedDevice {
  /// The names of the udev properties that mark pointing devices.
  static let pointing = [
    "ID_INPUT_TOUCHSCREEN", "ID_INPUT_MOUSE", "ID_INPUT_TOUCHPAD", "ID_INPUT_TABLET",
    "ID_INPUT_POINTINGSTICK", "ID_INPUT_TRACKBALL",
  ]

  /// Keys that move the focus, activate the focused control, or go back.
  static let focusKeys: [UInt32: FocusKey] = [
    UInt32(KEY_UP): .up, UInt32(KEY_DOWN): .down, UInt32(KEY_LEFT): .left,
    UInt32(KEY_RIGHT): .right, UInt32(KEY_ENTER): .activate, UInt32(KEY_KPENTER): .activate,
    UInt32(KEY_SELECT): .activate, UInt32(KEY_OK): .activate, UInt32(KEY_ESC): .back,
    UInt32(KEY_BACK): .back,
  ]

  /// The effect of a key on the focus.
  enum FocusKey { case up, down, left, right, activate, back }

  /// Opens a device. Returns the descriptor, or a negative error number if the screen does not use the device.
  static func open(_ path: String, _ udev: OpaquePointer?) -> Int32 {
    // The file is opened only for reading, even if libinput requests write access. The sandbox does not allow writing.
    // The screen needs no write access, because it switches no LED.
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
    maskUnusedEvents(file)
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

  /// Masks the events that the screen does not use. A kernel that is too old for event masks delivers these events too,
  /// and the screen ignores them.
  private static func maskUnusedEvents(_ file: Int32) {
    var keys = [UInt8](repeating: 0, count: keyBytes)
    func allow(_ code: Int) { keys[code / 8] |= 1 << (UInt8(code % 8)) }
    for key in focusKeys.keys { allow(Int(key)) }
    // The codes of the buttons of mice, pens and touch screens are between the codes of keyboards and the codes of
    // remote controls, so one range contains all these buttons.
    for button in Int(BTN_MISC)..<Int(KEY_OK) { allow(button) }
    _ = clibinput_mask(file, UInt32(EV_KEY), keys, UInt32(keys.count))
    // Of the `EV_MSC` events, only the timestamps are delivered, because touchpads need them. Scan codes would reveal
    // masked keys.
    let others: [UInt8] = [1 << UInt8(MSC_TIMESTAMP)]
    _ = clibinput_mask(file, UInt32(EV_MSC), others, UInt32(others.count))
  }
}
